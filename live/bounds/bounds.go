// Package bounds judges a real limiter by what it answered. A limiter decides a
// request at some time between the sending of the request and the receipt of the
// answer. So every figure has two values: what is certified whatever these times
// were, and what is possible. The truth is between them. docs/live-bounds.md has the
// definitions and the proofs. The package sends nothing and reads no clock.
//
// The package makes no promise: it can change at any time.
package bounds

import (
	"cmp"
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Kind is what a policy promises.
type Kind uint8

const (
	Sliding  Kind = iota // at most Limit.Count in every window [s, s+Limit.Window)
	Calendar             // at most Limit.Count in every window of the target's calendar; while its phase is unknown, in every window
	Bucket               // at most Limit.Burst plus the rate times t in every interval of length t
)

// Phase states when calendar windows begin: at times t for which t modulo the
// window is from EarliestNs, 0 or more and below the window, to LatestNs. LatestNs
// is less than a window after EarliestNs and can pass the window.
type Phase struct{ EarliestNs, LatestNs int64 }

// Settings is what a limiter is judged by. NewSettings returns the defaults.
type Settings struct {
	Limit counting.Limit // per key; Burst is the depth of a Bucket
	Kind  Kind

	// Tolerance is the cost by which the possible maximum may exceed the limit of one
	// that keeps it.
	Tolerance int64
	// ResolutionNs is the step of the target's clock, as the target states it.
	ResolutionNs int64
	// FailedWithinNs is how long after its sending a Failed request may still be
	// dispatched, or 0 if that is not known: then it may be at any later time.
	FailedWithinNs int64
	// UsedBefore states that the keys may have been used before the run, so that an
	// exact limiter may have had less than its full limit left.
	UsedBefore bool
	// Phase is the phase of the target's calendar windows as read from its clock, or
	// nil if it is to be found in the refusals.
	Phase *Phase
	// NoClock says why windows do not follow the clock that was stated; or it is empty.
	NoClock string

	// A promise is Kept only if at least MinSaturated windows had a demand of the
	// limit or more, and at most MaxFailedPct percent of the requests Failed.
	MinSaturated int64
	MaxFailedPct float64
}

// NewSettings returns the default settings: a tolerance of 1 % of the limit or 1
// request, whichever is more, at least 3 saturated windows and at most 5 % failures.
func NewSettings(limit counting.Limit, kind Kind) Settings {
	return Settings{
		Limit: limit, Kind: kind, Tolerance: max(1, limit.Count/100),
		MinSaturated: 3, MaxFailedPct: 5,
	}
}

// Check returns an error if Judge cannot judge a run of a length in which the requests of
// one key have a cost.
func (s *Settings) Check(lengthNs, cost int64) error {
	err := s.check()
	if err == nil && s.Kind == Bucket {
		err = s.fits(lengthNs, cost)
	}
	return err
}

func (s *Settings) check() error {
	if err := s.Limit.Check(); err != nil {
		return err
	}
	p, w := s.Phase, s.Limit.Window
	return cmp.Or(
		catalog.ErrorIf(s.Kind > Bucket, "unknown kind %d", s.Kind),
		catalog.ErrorIf(s.Kind == Bucket && s.Limit.Burst < 1, "a bucket with a burst of 0 admits nothing"),
		catalog.ErrorIf(s.Tolerance < 0, "tolerance of %d is negative", s.Tolerance),
		catalog.ErrorIf(s.ResolutionNs < 0 || s.ResolutionNs > w, "resolution of %d ns is outside 0 to the window of %d ns", s.ResolutionNs, w),
		catalog.ErrorIf(s.FailedWithinNs < 0 || s.FailedWithinNs > latest, "failed requests are dispatched within %d ns, which is outside 0 to 2^60", s.FailedWithinNs),
		p.check(w))
}

// check returns an error if a phase that is known does not fit a window.
func (p *Phase) check(window int64) error {
	if p == nil || 0 <= p.EarliestNs && p.EarliestNs < window && p.EarliestNs <= p.LatestNs && p.LatestNs-p.EarliestNs < window {
		return nil
	}
	return fmt.Errorf("phase from %d to %d ns does not fit a window of %d ns", p.EarliestNs, p.LatestNs, window)
}
