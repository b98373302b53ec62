package engine

import "github.com/limitgauge/limitgauge/algorithms/counter"

// ShapedReference is the exact first-in, first-out shaper that is the reference
// of algorithms that delay. It runs ahead of the executors, block by block.
type ShapedReference struct {
	queue counter.Queue
	due   EventQueue
	later []Dispatch // indexed by Ref of the events in due
	free  []int32
	seq   int64
	out   []Dispatch
}

// NewShapedReference returns the reference over an empty queue.
func NewShapedReference(queue counter.Queue) *ShapedReference { return &ShapedReference{queue: queue} }

// Advance adds a block of arrivals and returns the dispatches up to its last
// arrival, in time order. They are valid until the next call.
func (s *ShapedReference) Advance(a *Arrivals) []Dispatch {
	s.out = s.out[:0]
	for i, t := range a.Time {
		s.runUntil(t)
		d := Dispatch{Time: t, Key: a.Key[i], Tenant: a.Tenant[i], Client: a.Client[i], Cost: a.Cost[i]}
		_, d.Time = s.queue.Take(d.Key, t, d.Cost)
		if d.Time <= t {
			s.out = append(s.out, d)
			continue
		}
		s.seq++
		s.due.Push(Event{Time: d.Time, Seq: s.seq, Ref: s.keep(d)})
	}
	return s.out
}

// Until returns the dispatches up to t in time order. They are valid until the
// next call.
func (s *ShapedReference) Until(t int64) []Dispatch {
	s.out = s.out[:0]
	s.runUntil(t)
	return s.out
}

// Finish returns the dispatches after the last arrival and before end.
func (s *ShapedReference) Finish(end int64) []Dispatch {
	return s.Until(end - 1)
}

func (s *ShapedReference) runUntil(t int64) {
	for s.due.Next(t) <= t {
		ref := s.due.Pop().Ref
		s.out = append(s.out, s.later[ref])
		s.free = append(s.free, ref)
	}
}

func (s *ShapedReference) keep(d Dispatch) int32 {
	ref := Take(&s.later, &s.free)
	s.later[ref] = d
	return ref
}
