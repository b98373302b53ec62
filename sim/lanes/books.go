package lanes

import (
	"math"

	"github.com/limitgauge/limitgauge/sim/measure"
)

// Never is later than any instant of a simulation.
const Never = int64(math.MaxInt64)

// UnknownLevel is the level of a limiter in which nobody knows it.
const UnknownLevel = int64(math.MinInt64)

// Books are what a lane reports to.
type Books struct {
	Recorder *measure.Recorder
	Guard    *Guard   // nil without a backend
	Tap      Tap      // nil unless every decision is written out
	Retries  *Retries // nil unless callers try again
	Beside   Beside
}

// Tap is shown every decision. level is what the key could still admit right
// after it, or UnknownLevel; retryAt is when the same request would be admitted.
type Tap interface {
	Decision(o *measure.Outcome, level, retryAt int64)
}

// Beside says which reference a trial is compared with, and so where its flow
// of admitted cost comes from.
type Beside uint8

const (
	ImmediateReference Beside = iota // decides at arrival: the attempts' own rows
	ShapingReference                 // delays: its dispatches are rows of their own
	Itself                           // the trial is that reference
)
