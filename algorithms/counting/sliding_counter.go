package counting

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var slidingCounterKind = kind{
	calendar: true,
	entry: catalog.Entry{
		Name:    "sliding-window-counter",
		Summary: "estimates the sliding window from the weighted counts of two calendar windows",
		Idea: "Each key has the cost counted in the current calendar window and in the previous one. The cost of the last window's length " +
			"is estimated as previous * (the share of the previous window that is still in view) + current. A request is admitted if the estimate plus its cost does not exceed the limit.",
		Bound: "at most the limit in each calendar window; in a sliding window the error depends on how uneven the traffic of the previous window was " +
			"(the total stays below twice the limit), and is 0 for even traffic",
		Source: "Cloudflare, How we built rate limiting capable of scaling to millions of domains, 2017",
		Fields: []catalog.Field{countRejectedField},
		State: []catalog.Member{
			windowStartMember, windowMember,
			{Name: "previous", Unit: "cost", Doc: "cost counted in the previous calendar window"},
			{Name: "current", Unit: "cost", Doc: "cost counted in the current calendar window"},
			limitMember, lastMember,
		},
	},
	keyBytes: 24,
	make:     makerOf(optionsOf[WindowOptions], NewSlidingCounters),
	changing: changingWindows,
	worst:    worstSlidingWindow,
}

// pairState holds one key's two counts at the time last.
type pairState struct {
	last     int64
	current  int64 // cost counted in last's calendar window
	previous int64 // cost counted in the window before it
}

// pairRule is a windowRule for two windows.
type pairRule struct{ windowRule }

// at moves the counts to the window of now. An earlier now counts as the
// latest time seen.
func (r *pairRule) at(s pairState, now int64) pairState {
	if now <= s.last {
		return s
	}
	if start := windowStart(now, r.width); start > s.last {
		if start-s.last <= r.width {
			s.previous = s.current
		} else {
			s.previous = 0
		}
		s.current = 0
	}
	s.last = now
	return s
}

func (r *pairRule) take(s *pairState, now, cost int64) Verdict {
	*s = r.at(*s, now)
	if cost <= 0 {
		return Admitted
	}
	if cost <= r.limit && integers.Fits(s.previous, r.width-s.last%r.width, r.width, r.limit-s.current-cost) {
		s.current += cost
		return Admitted
	}
	if r.CountRejected {
		s.current = integers.Add(s.current, cost)
	}
	return Rejected
}

func (r *pairRule) level(state *pairState, now int64) int64 {
	s := r.at(*state, now)
	rest := r.width - s.last%r.width // what of the previous window is still in view
	estimate := integers.MulDivUp(s.previous, rest, r.width, math.MaxInt64)
	return max(r.limit-integers.Add(estimate, s.current), 0)
}

func (r *pairRule) retryAt(state *pairState, now, cost int64) int64 {
	s := r.at(*state, now)
	start := windowStart(s.last, r.width)
	if integers.Fits(s.previous, r.width-(s.last-start), r.width, r.limit-s.current-cost) {
		return now
	}
	// Without further requests the estimate falls continuously through this
	// window and then, with current as previous, through the next one.
	if free := r.limit - s.current - cost; free >= 0 {
		return r.fallsTo(start, s.previous, free)
	}
	return r.fallsTo(integers.Add(start, r.width), s.current, r.limit-cost)
}

// fallsTo returns the earliest time, within the window that begins at start or
// at its end, at which the weighted previous count is at most free.
func (r *pairRule) fallsTo(start, previous, free int64) int64 {
	if previous <= free {
		return start
	}
	return integers.Add(start, r.width-integers.MulDiv(free, r.width, previous, r.width))
}

func (r *pairRule) fields(s *pairState) []StateField {
	return []StateField{
		{"window_start_ns", windowStart(s.last, r.width)}, {"window_ns", r.width},
		{"previous", s.previous}, {"current", s.current}, {"limit", r.limit}, {"last_ns", s.last},
	}
}

// SlidingCounters is a table that limits each key by an estimate of the cost of its last w
// nanoseconds: previous*(w-elapsed)/w + current, without rounding. It admits a request if
// estimate + cost <= limit, and always admits cost 0. It takes 24 bytes per key. A count stops
// at 2^63-1: if CountRejected would bring it above, the estimate of the next window is too low.
type SlidingCounters struct {
	correctable[pairState, pairRule, *pairRule]
}

var _ Table = (*SlidingCounters)(nil)

// NewSlidingCounters returns a table of empty windows for keys 0 to keys-1. It
// panics if o.Check(limit) fails.
func NewSlidingCounters(limit Limit, o WindowOptions, keys int) *SlidingCounters {
	return &SlidingCounters{newCorrectable[pairState](pairRule{newWindowRule(limit, o)}, keys)}
}

// TakeBlock computes the start of the calendar window only when the time leaves
// the previous one.
func (t *SlidingCounters) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	n := len(verdicts)
	keys, times, costs = keys[:n], times[:n], costs[:n]
	if states := t.state; len(states) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return states[key].last })
	}
	state, rule := t.state, t.rule
	start := int64(0)
	for i, key := range keys {
		s := &state[key]
		now, cost := max(times[i], s.last), costs[i]
		if uint64(now-start) >= uint64(rule.width) {
			start = windowStart(now, rule.width)
		}
		if s.last < start {
			*s = rule.at(*s, now)
		}
		s.last = now
		if uint64(cost-1) >= uint64(rule.limit) {
			verdicts[i] = rule.take(s, now, cost)
			continue
		}
		charge, verdict := int64(0), Rejected
		if integers.Fits(s.previous, rule.width-(now-start), rule.width, rule.limit-s.current-cost) {
			charge, verdict = cost, Admitted
		} else if rule.CountRejected {
			charge = cost
		}
		s.current = integers.Add(s.current, charge)
		verdicts[i] = verdict
	}
}

// Take decides one request.
func (t *SlidingCounters) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}
