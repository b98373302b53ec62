package sim

import "github.com/limitgauge/limitgauge/algorithms/counters"

// shapedReference is the exact first-in, first-out shaper that algorithms which
// delay are compared with. It runs ahead of the lanes, block by block.
type shapedReference struct {
	queue counters.Queue
	due   eventHeap
	later []dispatch // by ref of what is due
	free  []int32
	seq   int64
	out   []dispatch
}

// advance takes a block and returns the dispatches up to its last arrival, in
// time order. They are valid until the next call.
func (s *shapedReference) advance(a *arrivals) []dispatch {
	s.out = s.out[:0]
	for i, t := range a.time {
		s.runUntil(t)
		d := dispatch{time: t, key: a.key[i], tenant: a.tenant[i], client: a.client[i], cost: a.cost[i]}
		_, d.time = s.queue.Take(d.key, t, d.cost)
		if d.time <= t {
			s.out = append(s.out, d)
			continue
		}
		s.seq++
		s.due.push(event{time: d.time, seq: s.seq, ref: s.keep(d)})
	}
	return s.out
}

// finish returns what is dispatched after the last arrival and before end.
func (s *shapedReference) finish(end int64) []dispatch {
	s.out = s.out[:0]
	s.runUntil(end - 1)
	return s.out
}

func (s *shapedReference) runUntil(t int64) {
	for len(s.due) > 0 && s.due[0].time <= t {
		ref := s.due.pop().ref
		s.out = append(s.out, s.later[ref])
		s.free = append(s.free, ref)
	}
}

func (s *shapedReference) keep(d dispatch) int32 {
	if n := len(s.free); n > 0 {
		ref := s.free[n-1]
		s.free = s.free[:n-1]
		s.later[ref] = d
		return ref
	}
	s.later = append(s.later, d)
	return int32(len(s.later) - 1)
}
