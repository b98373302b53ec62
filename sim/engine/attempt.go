package engine

import "github.com/limitgauge/limitgauge/algorithms/integers"

// Attempt is the state of a request in flight. It fits one cache line.
type Attempt struct {
	Index   int64 // among all attempts of the trial
	place   int64 // placeOf the attempt; equal for all algorithms
	Arrival int64
	Cost    int64
	waited  int64 // ns inside the limiter, without the present wait
	entered int64 // start of the present wait inside the limiter
	Key     int32
	Tenant  int32
	Client  int32

	state    attemptState
	timedOut bool
}

// attemptState is the phase that an attempt is in.
type attemptState uint8

const (
	ended    attemptState = iota
	arrived               // being decided at its arrival time
	waiting               // inside the limiter
	inFlight              // on the network: this time is not a wait inside the limiter
	onTheWay              // to or from a sidecar: the limiter does not have the attempt
)

// Attempt returns the attempt in an occupied slot.
func (l *EventExecutor) Attempt(slot int32) *Attempt { return l.slots.At(slot) }

// Keys returns all keys of the attempt in slot. The result is valid until the
// next call and while the attempt exists.
func (l *EventExecutor) Keys(slot int32) []int32 {
	if !l.multiPolicy {
		l.one[0] = l.slots.At(slot).Key
		return l.one[:]
	}
	return l.baggage[slot].keys
}

// carried returns the keys of the attempt in slot if requests carry
// descriptors, otherwise nil.
func (l *EventExecutor) carried(slot int32) []int32 {
	if !l.multiPolicy {
		return nil
	}
	return l.baggage[slot].keys
}

// Estimate returns the cost that is expected of the attempt in slot, and the time in
// ns from the limiter's decision to the time at which the limiter learns the actual cost
// from its caller. This is the time from dispatch to answer; through a sidecar, the
// decision takes the way back first, and the cost takes the way there afterwards. If
// costs are known on arrival, Estimate returns the cost and 0.
func (l *EventExecutor) Estimate(slot int32) (cost, answer int64) {
	if !l.settles {
		return l.slots.At(slot).Cost, 0
	}
	b := &l.baggage[slot]
	if l.sidecar != nil {
		t := &l.sidecar.trips[slot]
		return b.estimate, integers.Add(b.answer, t.back+t.reached-l.slots.At(slot).Arrival)
	}
	return b.estimate, b.answer
}
