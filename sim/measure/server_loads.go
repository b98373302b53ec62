package measure

import "github.com/limitgauge/limitgauge/sim/results"

// serverLoad counts the calls to one server.
type serverLoad struct {
	calls, entries int64
	end            int64 // of the calendar second of its latest call
	count, peak    int64 // calls in that second, and the most in any second
}

// add counts a call with this number of entries in the calendar second that ends at
// end.
func (s *serverLoad) add(end, entries int64) {
	if s.end != end {
		s.end, s.count = end, 0
	}
	s.calls++
	s.entries += entries
	s.count++
	s.peak = max(s.peak, s.count)
}

// busiest returns the largest number of calls to one server, and the largest peak.
func (l *Load) busiest() (calls, peak int64) {
	for _, s := range l.servers {
		calls, peak = max(calls, s.calls), max(peak, s.peak)
	}
	return calls, peak
}

// counted returns the number of servers over which the mean load is taken: without
// those that join during the run and are never called.
func (l *Load) counted() int64 {
	n := len(l.servers)
	for i := n - l.r.cfg.JoiningServers; i < len(l.servers); i++ {
		if l.servers[i].calls == 0 {
			n--
		}
	}
	return int64(n)
}

// ServerLoads returns the load of each server by its number. It returns nothing for
// a limiter without servers.
func (r *Recorder) ServerLoads() []results.ServerLoad {
	loads := make([]results.ServerLoad, len(r.load.servers))
	for i, s := range r.load.servers {
		loads[i] = results.ServerLoad{Server: i, Calls: s.calls, Entries: s.entries, CallsPeak1s: s.peak}
	}
	return loads
}
