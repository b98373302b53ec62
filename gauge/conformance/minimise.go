package conformance

import (
	"context"
	"slices"
	"strconv"
)

// A minimisation is bounded by these numbers of sessions and of calls.
const (
	maxTries = 300
	maxTried = 1_000_000
)

// minimiser shortens the calls of a session whose verdicts differ.
type minimiser struct {
	*check
	ctx    context.Context
	policy Policy
	calls  []Call // the shortest calls so far; the last one differs
	tries  int
	tried  int // calls
	err    error
}

// minimise returns the difference on a call of a session with few calls: none of them
// can be removed, unless the bounds end the search.
func (c *check) minimise(ctx context.Context, s session, first int) (*Difference, error) {
	m := &minimiser{check: c, ctx: ctx, policy: s.policy, calls: s.calls}
	for again := m.try(s.calls); again && m.bounded(); {
		removed := m.removeCalls()
		again = m.simplify() || removed
	}
	if m.err != nil {
		return nil, m.err
	}
	d := &Difference{Session: s.nameOf(s.calls[first].Key), SessionCalls: len(s.calls), Policy: s.policy, Fewest: m.bounded()}
	return d, c.describe(d, m.calls)
}

func (m *minimiser) bounded() bool { return m.err == nil && m.tries < maxTries && m.tried < maxTried }

// try reports whether the verdicts on these calls differ too. It then keeps them, up to
// the first difference.
func (m *minimiser) try(calls []Call) bool {
	if m.err == nil {
		m.err = m.ctx.Err()
	}
	if !m.bounded() || len(calls) == 0 {
		return false
	}
	m.tries++
	m.tried += len(calls)
	verdicts, err := m.ask(m.policy, calls)
	if err != nil {
		m.err = err
		return false
	}
	first, _ := m.exact.compare(m.policy, calls, verdicts, m.report.Options.ToleranceNs)
	if first == len(calls) {
		return false
	}
	m.calls = slices.Clone(calls[:first+1])
	return true
}

// removeCalls removes groups of calls, then smaller groups, down to single calls, and
// replaces two calls with one of their cost. It reports whether there are fewer then.
func (m *minimiser) removeCalls() (removed bool) {
	key := m.calls[len(m.calls)-1].Key
	removed = m.tryOther(slices.DeleteFunc(slices.Clone(m.calls), func(c Call) bool { return c.Key != key }))
	for size := (len(m.calls) + 1) / 2; size >= 1; size /= 2 {
		for end := len(m.calls); end > 0 && m.bounded(); end -= size {
			end = min(end, len(m.calls))
			if m.tryOther(slices.Delete(slices.Clone(m.calls), max(end-size, 0), end)) {
				removed = true
			}
		}
	}
	for i := len(m.calls) - 2; i >= 0 && m.bounded(); i-- {
		removed = m.merge(i) || removed
	}
	return removed
}

// merge replaces call i and the next one of the same key with one call, if there is one.
func (m *minimiser) merge(i int) bool {
	if i+1 >= len(m.calls) || m.calls[i].Key != m.calls[i+1].Key || m.calls[i].Cost > largest-m.calls[i+1].Cost {
		return false
	}
	calls := slices.Clone(m.calls)
	calls[i+1].Cost += calls[i].Cost
	return m.try(slices.Delete(calls, i, i+1))
}

// tryOther is try for calls that must be fewer or other than the present ones.
func (m *minimiser) tryOther(calls []Call) bool {
	return !slices.Equal(calls, m.calls) && m.try(calls)
}

// simplify replaces keys, costs and times with simpler ones. It reports whether any
// could be replaced.
func (m *minimiser) simplify() (simplified bool) {
	simplified = m.nameKeys()
	first := m.calls[0].AtNs
	simplified = m.shift(0, -first) || m.shift(0, first%m.policy.Window-first) || simplified
	for i := 0; i < len(m.calls) && m.bounded(); i++ {
		cost := m.calls[i].Cost
		for _, other := range []int64{1, 2, m.policy.Burst, m.policy.Burst + 1, m.policy.Count, m.policy.Count + 1, cost / 2} {
			if i < len(m.calls) && 0 < other && other < cost && m.setCost(i, other) {
				simplified = true
				break
			}
		}
		for _, gap := range []func(ns int64) int64{
			func(int64) int64 { return 0 },
			func(ns int64) int64 { return ns - ns%m.policy.Window },
			func(ns int64) int64 { return ns - ns%second },
			func(ns int64) int64 { return ns - ns%1e6 },
			func(ns int64) int64 { return ns - ns%1e3 },
			func(ns int64) int64 { return ns / 1e3 },
			func(ns int64) int64 { return ns / 2 },
		} {
			if i > 0 && i < len(m.calls) {
				ns := m.calls[i].AtNs - m.calls[i-1].AtNs
				to := gap(ns)
				if m.exact.apart {
					to = max(to, 1)
				}
				simplified = m.shift(i, to-ns) || simplified
			}
		}
	}
	return simplified
}

func (m *minimiser) setCost(i int, cost int64) bool {
	calls := slices.Clone(m.calls)
	calls[i].Cost = cost
	return m.try(calls)
}

// shift moves the calls from i on by some ns, unless one would be before 0.
func (m *minimiser) shift(i int, by int64) bool {
	if by == 0 {
		return false
	}
	calls := slices.Clone(m.calls)
	for j := i; j < len(calls); j++ {
		if calls[j].AtNs += by; calls[j].AtNs < 0 {
			return false
		}
	}
	return m.try(calls)
}

// nameKeys renames the keys a, b, c and so on.
func (m *minimiser) nameKeys() bool {
	names := map[string]string{}
	calls := slices.Clone(m.calls)
	for i := range calls {
		name, known := names[calls[i].Key]
		if !known {
			name = keyName(len(names))
			names[calls[i].Key] = name
		}
		calls[i].Key = name
	}
	return m.tryOther(calls)
}

func keyName(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return "k" + strconv.Itoa(i)
}
