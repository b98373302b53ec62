package concurrency

import "math"

// DialogueAIMD is AIMD with a limit that has a fraction, so that it grows by one after as
// many answers as the limit. Sources: CautiousIncreaseAggressiveDecreaseConcurrencyLimiter
// and ExponentialRampConcurrencyLimiter of palantir/dialogue.
type DialogueAIMD struct {
	limit, min, max float64
	ramp            bool // no answer has been dropped yet, and each adds one
}

// NewDialogueAIMD returns the law. Its source has 20 at first, in [1, 1e6]. With ramp each
// answer adds one until the first that is dropped.
func NewDialogueAIMD(r Range, ramp bool) *DialogueAIMD {
	return &DialogueAIMD{limit: float64(r.Initial), min: float64(r.Min), max: float64(r.Max), ramp: ramp}
}

// Limit implements Law.
func (d *DialogueAIMD) Limit() int64 { return int64(d.limit) }

// Answer implements Law.
func (d *DialogueAIMD) Answer(s Sample) {
	full := math.Floor(d.limit * 0.9)
	switch {
	case s.Dropped:
		d.ramp = false
		d.limit = max(d.min, full)
	case float64(s.InFlight) < full:
	case d.ramp:
		d.limit = min(d.max, d.limit+1)
	default:
		d.limit = min(d.max, d.limit+float64(1/d.limit))
	}
}
