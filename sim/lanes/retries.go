package lanes

import (
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/random"
)

// Retries are what callers do whose requests are refused: they try again, as a
// new attempt of the same tenant, client, keys and cost. The attempts of two
// algorithms differ then, so each lane compares itself with a reference of its
// own, which is asked about that lane's attempts.
type Retries struct {
	attempts  uint16
	timedOut  bool
	law       backoff
	stream    random.Stream
	reference Decider          // decides at arrival
	shaped    *ShapedReference // instead, beside algorithms that delay
}

// backoff is how long a caller waits before it tries again.
type backoff struct {
	base, most int64 // ns, before the first retry and at most; twice as long each time
	full       bool  // a time drawn evenly from 0 to that
	retryAfter bool  // from the instant that the limiter names
}

// NewRetries makes the retries of one trial, with the references that it needs.
// Draws depend on the stream, the fresh request and the number of the retry
// alone, so they are the same for every algorithm.
func NewRetries(r *scenarios.Retries, stream random.Stream, reference Decider, shaped *ShapedReference) *Retries {
	v := r.Backoff.Values
	law := backoff{}
	switch r.Backoff.Name {
	case "constant":
		law.base, law.most = v.Duration("time"), v.Duration("time")
		law.full = v.String("jitter") == "full"
	case "exponential":
		law.base, law.most = v.Duration("base"), v.Duration("max")
		law.full = v.String("jitter") == "full"
	case "retry-after":
		law.base, law.most = v.Duration("spread"), v.Duration("spread")
		law.full, law.retryAfter = true, true
	}
	return &Retries{attempts: uint16(r.Attempts), timedOut: r.TimedOut, law: law, stream: stream, reference: reference, shaped: shaped}
}

// RetriesDraw reports whether retries leave anything to chance.
func RetriesDraw(r *scenarios.Retries) bool {
	v := r.Backoff.Values
	switch r.Backoff.Name {
	case "constant", "exponential":
		return v.String("jitter") == "full"
	case "retry-after":
		return v.Duration("spread") > 0
	}
	return false
}

// maxTries is more than the retries of any one request: each has a place of its
// own in the stream.
const maxTries = 16

// wait is how long the caller of a fresh request waits before its retry of that
// number, from 1.
func (r *Retries) wait(fresh int64, try uint16) int64 {
	span := min(r.law.base, r.law.most>>(try-1)) << (try - 1)
	if r.law.base > r.law.most>>(try-1) {
		span = r.law.most
	}
	if !r.law.full || span == 0 {
		return span
	}
	draw := r.stream.Jumped(uint64(placeOf(fresh, try)))
	return int64(draw.Below(uint64(span) + 1))
}

// placeOf is the place of a retry of a fresh request among all possible ones.
func placeOf(fresh int64, try uint16) int64 { return fresh*maxTries + int64(try) }

// retrying is the state of a lane whose callers try again.
type retrying struct {
	attempts int64 // so far
	comeback comebacks
	theirs   [][]int32 // keys of callers, where requests carry descriptors
	unused   []int32   // of them
	single   single
}

// again plans the retry of the attempt in a slot that has been refused, if there
// is to be one.
func (l *EventLane) again(slot int32, s *Attempt) {
	r := l.Retries
	if s.Try >= r.attempts || s.timedOut && !r.timedOut {
		return
	}
	at := l.now
	if r.law.retryAfter {
		if at = l.retryAt(slot, s.Cost); at == counters.Never {
			return
		}
	}
	wait := r.wait(s.Fresh, s.Try+1)
	if wait > Never-at {
		return
	}
	c := caller{at + wait, placeOf(s.Fresh, s.Try+1), s.Cost, s.Key, s.Tenant, s.Client, 0}
	if l.several {
		c.carried = Take(&l.theirs, &l.unused)
		l.theirs[c.carried] = append(l.theirs[c.carried][:0], l.keys[slot]...)
	}
	l.comeback.push(c)
}

// retryAt is when the limiter says that all keys of an attempt would let it
// through.
func (l *EventLane) retryAt(slot int32, cost int64) int64 {
	_, at := together(l.Keys(slot), l.now, func(key int32) (int64, int64) { return l.limiter.Inspect(key, l.now, cost) })
	return at
}

// comeBack makes the first of the retries that are due.
func (l *EventLane) comeBack() {
	c := l.comeback.pop()
	t, slot := c.time, l.open()
	s := &l.slots[slot]
	s.Fresh, s.Try, s.Cost = c.place/maxTries, uint16(c.place%maxTries), c.cost
	s.Key, s.Tenant, s.Client = c.key, c.tenant, c.client
	if l.several {
		l.carry(slot, l.theirs[c.carried])
		l.unused = append(l.unused, c.carried)
	}
	l.arrive(t, slot, 0)
}

// shape has the lane's own shaping reference take an attempt that arrives.
func (l *EventLane) shape(s *Attempt) {
	if l.Beside == ShapingReference {
		l.behind = append(l.behind, l.Retries.shaped.Advance(l.single.of(s, nil))...)
	}
}
