package engine

import "github.com/limitgauge/limitgauge/algorithms/counting"

// ShapedReference is the exact first-in, first-out shaper that is the reference
// of algorithms that delay. It runs ahead of the executors, block by block. Its
// memory is proportional to the requests that wait in it, which the bound on
// waiting limits.
type ShapedReference struct {
	queue counting.Queue
	due   EventQueue
	later Pool[Dispatch] // indexed by Ref of the events in due
	seq   int64
	out   []Dispatch
}

// NewShapedReference returns the reference over an empty queue.
func NewShapedReference(queue counting.Queue) *ShapedReference { return &ShapedReference{queue: queue} }

// Advance adds a block of arrivals, at least one, and returns the dispatches and rejections
// up to its last arrival, in time order. They are valid until the next call.
func (s *ShapedReference) Advance(a *Arrivals) []Dispatch {
	for i, t := range a.Time {
		s.arrive(Dispatch{t, a.Key[i], a.Tenant[i], a.Client[i], a.Cost[i], false})
	}
	return s.Until(a.Time[len(a.Time)-1])
}

// arrive adds a request that arrives at the time of d.
func (s *ShapedReference) arrive(d Dispatch) {
	now := d.Time
	s.runUntil(now)
	var v counting.Verdict
	v, d.Time = s.queue.Take(d.Key, now, d.Cost)
	d.Rejected = !v.Admitted()
	if d.Rejected || d.Time <= now {
		s.out = append(s.out, d)
		return
	}
	s.seq++
	s.due.Push(Event{Time: d.Time, Seq: s.seq, Ref: s.later.Add(d)})
}

// Until returns the dispatches and rejections up to t, in time order, that have not been
// returned yet. They are valid until the next call.
func (s *ShapedReference) Until(t int64) []Dispatch {
	s.runUntil(t)
	out := s.out
	s.out = s.out[:0]
	return out
}

func (s *ShapedReference) runUntil(t int64) {
	for s.due.Next(t) <= t {
		ref := s.due.Pop().Ref
		s.out = append(s.out, *s.later.At(ref))
		s.later.Release(ref)
	}
}
