package engine

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// sharing is a backend whose cores all requests in it share evenly: with n of them each
// works at the speed min(1, cores/n), divided by the slowness of the load. What a request
// has worked since it entered is equal for all, so one heap in the order of the work at
// which they end holds them. Source: processor sharing, Kleinrock, Queueing Systems 2.
type sharing struct {
	cores    int64
	slowness slowness
	running  EventHeap // Time is the work at which a request ends, in parts; Ref an index into slots
	work     int64     // of each request in the backend until since, in parts of a ns
	since    int64
	end      int64 // of the next request, Never without one
}

// mostWork is the work from which on it is counted from 0 again, far from an overflow.
const mostWork = 1 << 61

// speed returns the work of each request as a fraction of time: num parts in den ns.
func (s *sharing) speed() (num, den int64) {
	n := int64(len(s.running))
	return min(s.cores, n) * part, n * s.slowness.of(n)
}

// reach adds what was worked until now, rounded down to a part.
func (s *sharing) reach(now int64) {
	if len(s.running) > 0 {
		num, den := s.speed()
		s.work += integers.MulDiv(now-s.since, num*part, den, mostWork)
	}
	s.since = now
	if s.work >= mostWork {
		for i := range s.running {
			s.running[i].Time -= s.work
		}
		s.work = 0
	}
}

// add starts a request that takes ns of a core by itself.
func (s *sharing) add(now, ns, seq int64, slot int32) {
	s.reach(now)
	s.running.Push(Event{Time: s.work + ns*part, Seq: seq, Ref: slot})
	s.plan()
}

// pop ends the next request, at its time.
func (s *sharing) pop() Event {
	at := s.end
	s.reach(at)
	e := s.running.Pop()
	s.plan()
	return Event{Time: at, Ref: e.Ref}
}

// plan sets when the next request ends.
func (s *sharing) plan() {
	s.end = Never
	if len(s.running) > 0 {
		num, den := s.speed()
		left := max(0, s.running[0].Time-s.work)
		s.end = s.since + integers.MulDivUp(left, den, num*part, math.MaxInt64-s.since)
	}
}
