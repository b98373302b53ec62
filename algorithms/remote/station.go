package remote

// Station is a first-in-first-out queue with a number of workers. Pass it calls in
// the order of their arrival; it returns at once when each is served. It is not
// safe for concurrent use.
type Station struct {
	free []int64 // when each worker becomes free; a heap with the soonest first
}

// NewStation returns an idle station.
func NewStation(workers int) Station { return Station{free: make([]int64, workers)} }

// Begin returns when a call that arrives now would be served.
func (s *Station) Begin(now int64) int64 { return max(now, s.free[0]) }

// Serve serves a call that arrives now for service ns, by the worker that becomes
// free first. It returns the begin and the end of the service.
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

// Clear drops all calls: the station is idle.
func (s *Station) Clear() { clear(s.free) }
