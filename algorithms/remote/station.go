package remote

// Station is a queue, first in, first out, before a number of workers. It is
// told of calls in the order in which they come, and says at once when each is
// served.
type Station struct {
	free []int64 // when each worker is free; a heap, soonest first
}

// NewStation returns an idle station.
func NewStation(workers int) Station { return Station{free: make([]int64, workers)} }

// Begin is when a call that comes now would be served.
func (s *Station) Begin(now int64) int64 { return max(now, s.free[0]) }

// Serve lets a call that comes now be served for so many ns, by whoever is free
// first. It returns the beginning and the end of that.
func (s *Station) Serve(now, service int64) (begin, end int64) {
	begin = s.Begin(now)
	end = begin + service
	at, n := 0, len(s.free)
	for {
		child := 2*at + 1
		if child >= n {
			break
		}
		if child+1 < n && s.free[child+1] < s.free[child] {
			child++
		}
		if s.free[child] >= end {
			break
		}
		s.free[at] = s.free[child]
		at = child
	}
	s.free[at] = end
	return begin, end
}

// Clear forgets everything that is queued and under way: the station is idle.
func (s *Station) Clear() { clear(s.free) }
