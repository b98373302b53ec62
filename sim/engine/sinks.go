package engine

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// Never is later than any instant of a simulation.
const Never = int64(math.MaxInt64)

// UnknownLevel is the level of a limiter in which nobody knows it.
const UnknownLevel = int64(math.MinInt64)

// Sinks are what a lane reports to.
type Sinks struct {
	Recorder      *measure.Recorder
	Guard         *Guard      // nil without a backend
	DecisionLog   DecisionLog // nil unless every decision is written out
	Retries       *Retries    // nil unless callers try again
	ReferenceMode ReferenceMode
}

// record enters the flow of a block whose verdicts all fell at arrival: the cost
// that they let through, row by row, and what they add up to. What they refused
// may be left out.
func (b *Sinks) record(a *Arrivals, verdicts []counter.Verdict, admitted, rejected []int64, sum measure.Settled) {
	flow := measure.Flow{
		Time: a.Time, Key: a.Key, Tenant: a.Tenant, Client: a.Client,
		Offered: a.Cost, Admitted: admitted, Rejected: rejected, Reference: a.Admitted,
		Sum: sum.Sums(a.Settled.Admitted), Summed: true,
	}
	if a.Descriptors != nil {
		flow.First, flow.Keys = a.Descriptors.First, a.Descriptors.Keys
	}
	b.Recorder.Flow(&flow)
	if b.Guard == nil {
		return
	}
	for i, v := range verdicts {
		if v.Admitted() {
			b.Guard.advance(a.Time[i])
			b.Guard.enter(a.Time[i], a.Key[i], a.Client[i], a.Cost[i])
		}
	}
}

// end enters the attempts of such a block.
func (b *Sinks) end(a *Arrivals, verdicts []counter.Verdict, sum measure.Settled) {
	b.Recorder.Immediate(measure.Immediate{Time: a.Time, Cost: a.Cost, Verdict: verdicts, Settled: sum})
}

// close ends what happens at arrival.
func (b *Sinks) close(end int64) {
	if b.Guard != nil {
		b.Guard.advance(end - 1)
	}
	b.Recorder.Close(end)
}

// DecisionLog is shown every decision. keys are all that the request carries where
// requests carry several, else nil. level is what they could still admit right
// after the decision, or UnknownLevel; retryAt is when they would admit the same
// request.
type DecisionLog interface {
	Decision(o *measure.Outcome, keys []int32, level, retryAt int64)
}

// together is the lowest level of several keys, UnknownLevel where that of one
// is, and the instant from which all of them would admit a request.
func inspectAll(keys []int32, now int64, inspect func(key int32) (level, retryAt int64)) (level, retryAt int64) {
	if len(keys) == 0 {
		return UnknownLevel, now
	}
	level, retryAt = math.MaxInt64, now
	for _, key := range keys {
		l, at := inspect(key)
		level, retryAt = min(level, l), max(retryAt, at)
	}
	return level, retryAt
}

// ReferenceMode says which reference a trial is compared with, and so where its flow
// of admitted cost comes from.
type ReferenceMode uint8

const (
	ImmediateReference ReferenceMode = iota // decides at arrival: the attempts' own rows
	ShapingReference                        // delays: its dispatches are rows of their own
	Itself                                  // the trial is that reference
)
