package conformance

import (
	"cmp"
	"fmt"
	"slices"
)

// A table is a fixed sequence of calls to one key. Its calls are placed by the
// counter, so that one table serves all counters and policies.
type table struct {
	name string
	run  func(s *script)
}

var tables = []table{
	{"a burst at one instant", func(s *script) {
		s.drain()
		s.take(1)
		s.take(0)
	}},
	{"the instants at which a call is admitted again", func(s *script) {
		s.drain()
		for range 6 {
			s.takeAtChange(-1)
			s.takeAtChange(0)
			s.take(1)
		}
		s.takeAtChange(1)
		s.take(1)
	}},
	{"calls as soon as they are admitted", func(s *script) {
		s.drain()
		for range 100 {
			s.takeAtChange(0)
		}
		s.takeAtChange(-1)
	}},
	{"rejected calls at short intervals", func(s *script) {
		s.drain()
		step := s.interval()/3 + 1
		for range 40 {
			s.wait(step)
			s.take(1)
		}
		s.takeAtChange(0)
		s.take(1)
	}},
	{"rejected calls that cost too much", func(s *script) {
		s.take(s.level() + 1)
		s.drain()
		for range 3 {
			s.wait(s.interval() * 2)
			s.take(s.level() + 1)
			s.take(s.level() + 7)
			s.take(s.level())
			s.take(1)
		}
	}},
	{"costs", func(s *script) {
		for _, cost := range []int64{0, 2, 1 << 31, 1<<32 + 1, 1<<53 + 1, 1 << 62, largest, 0, 1} {
			s.take(cost)
		}
		for range 3 {
			s.wait(s.policy.Window)
			s.take(s.policy.Count + 1)
			s.take(s.policy.Burst + 1)
			s.take(s.level())
			s.take(1)
			s.wait(s.policy.Window / 2)
			s.take(s.level() + 1)
			s.take(max(s.level()/2, 1))
			s.take(s.level())
			s.take(0)
			s.take(1)
		}
	}},
	{"refilling to the brim", func(s *script) {
		full := s.level()
		for _, offset := range []int64{-1, 0, 1, s.interval() - 1, s.interval(), 2*s.interval() + 1} {
			s.drain()
			s.toChange(full, offset)
			s.take(full)
			s.take(1)
			s.toChange(1, 0)
		}
	}},
	{"the edges of windows", func(s *script) {
		for _, offset := range []int64{-1, 0, 1} {
			s.toEdge(s.policy.Window / 3)
			s.take(1)
			s.toEdge(offset)
			s.drain()
			s.toEdge(-1)
			s.take(1)
			s.wait(1)
			s.drain()
			s.wait(1)
			s.take(1)
		}
	}},
	{"a window after the first use", func(s *script) {
		for _, offset := range []int64{-1, 0, 1} {
			s.wait(s.policy.Window/3 + 1)
			first := s.at
			s.take(1)
			s.wait(s.policy.Window / 4)
			s.drain()
			s.to(first + s.policy.Window + offset)
			s.drain()
			s.wait(s.policy.Window / 2)
			s.take(max(s.level(), 1))
			s.to(first + 2*s.policy.Window + offset)
			s.drain()
		}
	}},
	{"idle times, then bursts", func(s *script) {
		for _, idle := range []int64{1, 2, 10, 1000} {
			s.drain()
			if s.policy.Window < latest/idle/4 {
				s.wait(idle * s.policy.Window)
			}
		}
		for shift := 30; shift <= 60; shift += 3 {
			s.drain()
			s.wait(1<<shift + 1)
		}
		s.drain()
		s.takeAtChange(0)
	}},
	{"a level that sinks slowly", func(s *script) {
		for i := range int64(60) {
			s.take(1 + i%2)
			s.wait(s.interval()*3/4 + 1)
		}
		s.drain()
		for range 30 {
			s.takeAtChange(0)
			s.wait(s.interval() * 3 / 2)
			s.take(1)
			s.take(1)
		}
	}},
}

// backwards are the tables in which the clock is set back.
var backwards = []table{
	{"a clock that is set back", func(s *script) {
		s.wait(3 * s.policy.Window)
		for _, back := range []int64{1, s.interval(), s.policy.Window, 2 * s.policy.Window} {
			s.drain()
			now := s.at
			s.at = max(now-back, 0)
			s.take(1)
			s.at = now
			s.take(1)
			s.takeAtChange(0)
			s.take(1)
			s.wait(3 * s.policy.Window)
		}
	}},
	{"a clock that is set back before the limit is used up", func(s *script) {
		s.wait(5 * s.policy.Window / 2)
		s.take(1)
		s.wait(-s.policy.Window)
		s.take(1)
		s.wait(s.policy.Window / 2)
		s.drain()
		s.wait(s.policy.Window)
		s.drain()
	}},
}

// interval returns the time in which the policy grants one call, at least 1 ns.
func (s *script) interval() int64 { return max(s.policy.Window/s.policy.Count, 1) }

// far is a start of a session that is no multiple of anything: a date in 2027.
const far = 1_800_000_000_123_456_789

// write writes a table for two keys: one from 0 on, one from a date on.
func (t *table) write(s *script, a, b string) {
	s.key, s.at = a, 0
	t.run(s)
	s.key = b
	s.to(min(far, s.exact.latest(s.policy)/2+far%second))
	t.run(s)
}

// tableSession returns the session of one table.
func tableSession(name string, s *script) session {
	return session{name: fmt.Sprintf("table %q", name), tables: []string{name}, policy: s.policy, calls: s.calls}
}

// mergeTables returns a session of several tables in time order, so that a limiter is
// made once for all of them.
func mergeTables(e *exact, tables []table, p Policy) session {
	all := session{name: "step tables", owner: map[string]string{}, policy: p}
	for i, t := range tables {
		a, b := fmt.Sprintf("a%d", i), fmt.Sprintf("b%d", i)
		s := newScript(e, p)
		t.write(s, a, b)
		all.tables = append(all.tables, t.name)
		all.owner[a], all.owner[b] = t.name, t.name
		all.calls = append(all.calls, s.calls...)
	}
	slices.SortStableFunc(all.calls, func(x, y Call) int { return cmp.Compare(x.AtNs, y.AtNs) })
	return all
}
