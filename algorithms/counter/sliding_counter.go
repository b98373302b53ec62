package counter

import (
	"math"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var slidingCounterKind = kind{
	entry: catalog.Entry{
		Name:    "sliding-window-counter",
		Summary: "two calendar windows weighted into an estimate of the sliding one",
		Idea: "Every key keeps the cost counted in this calendar window and in the one before. The cost of the last window's length " +
			"is estimated as previous * (share of the previous window still in view) + current; a request is admitted when the estimate plus its cost stays within the limit.",
		Bound: "never more than the limit in a calendar window; in a sliding one the error depends on how uneven the previous window was " +
			"(less than twice the limit), 0 for even traffic",
		Source: "Cloudflare, How we built rate limiting capable of scaling to millions of domains, 2017",
		Fields: []catalog.Field{countRejectedField},
	},
	table: func(limit Limit, v catalog.Values, keys int) (Table, error) {
		if err := limit.checkWindow(); err != nil {
			return nil, err
		}
		return NewSlidingCounters(limit, WindowOptionsOf(v), keys), nil
	},
	changing: changingSlidingCounters,
}

// pairState is one key's two counts as of the instant last.
type pairState struct {
	last     int64
	current  int64 // cost counted in last's calendar window
	previous int64 // and in the one before it
}

// pairAt brings the counts to the window of now; an earlier now is taken as the
// latest one seen.
func (r *windowRule) pairAt(s pairState, now int64) pairState {
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

// fits says whether previous*rest/width + current + cost <= limit, where rest
// is what of the previous window is still in view; both sides times width, in
// 128 bits.
func fits(free, width, previous, rest int64) bool {
	if free < 0 {
		return false
	}
	freeHi, freeLo := bits.Mul64(uint64(free), uint64(width))
	usedHi, usedLo := bits.Mul64(uint64(previous), uint64(rest))
	_, borrow := bits.Sub64(freeLo, usedLo, 0)
	_, borrow = bits.Sub64(freeHi, usedHi, borrow)
	return borrow == 0
}

func (r *windowRule) pairTake(s *pairState, now, cost int64) Verdict {
	*s = r.pairAt(*s, now)
	if cost <= 0 {
		return Admitted
	}
	if cost <= r.limit && fits(r.limit-s.current-cost, r.width, s.previous, r.width-s.last%r.width) {
		s.current += cost
		return Admitted
	}
	if r.countRejected {
		s.current = integers.Add(s.current, cost)
	}
	return Rejected
}

func (r *windowRule) pairLevel(s pairState, now int64) int64 {
	s = r.pairAt(s, now)
	rest := r.width - s.last%r.width
	// The estimate rounded up: floor(previous*rest/width), and one more if
	// something is left over.
	estimate := integers.MulDiv(s.previous, rest, r.width, math.MaxInt64)
	if hi, lo := bits.Mul64(uint64(s.previous), uint64(rest)); bits.Rem64(hi, lo, uint64(r.width)) != 0 {
		estimate = integers.Add(estimate, 1)
	}
	return max(r.limit-integers.Add(estimate, s.current), 0)
}

func (r *windowRule) pairRetryAt(s pairState, now, cost int64) int64 {
	switch {
	case cost <= 0:
		return now
	case cost > r.limit:
		return Never
	}
	s = r.pairAt(s, now)
	start := windowStart(s.last, r.width)
	if fits(r.limit-s.current-cost, r.width, s.previous, r.width-(s.last-start)) {
		return now
	}
	// Without further requests the estimate falls, without a jump, through this
	// window and then, with current as previous, through the next.
	if free := r.limit - s.current - cost; free >= 0 {
		return r.fallsTo(start, s.previous, free)
	}
	return r.fallsTo(integers.Add(start, r.width), s.current, r.limit-cost)
}

// fallsTo is the earliest instant, in the window from start or at its end, at
// which previous, weighted, is at most free.
func (r *windowRule) fallsTo(start, previous, free int64) int64 {
	if previous <= free {
		return start
	}
	return integers.Add(start, r.width-integers.MulDiv(free, r.width, previous, r.width))
}

func (r *windowRule) pairState(s pairState) []StateField {
	return []StateField{
		{"window_start_ns", windowStart(s.last, r.width)}, {"window_ns", r.width},
		{"previous", s.previous}, {"current", s.current}, {"limit", r.limit}, {"last_ns", s.last},
	}
}

// SlidingCounter estimates the cost of the last w nanoseconds from two calendar
// windows: previous*(w-elapsed)/w + current, with no rounding. A request is
// admitted when estimate + cost <= limit; cost 0 always is.
type SlidingCounter struct {
	rule  windowRule
	state pairState
}

// NewSlidingCounter panics unless Count and Window are within Limit.Check's bounds.
func NewSlidingCounter(limit Limit, o WindowOptions) *SlidingCounter {
	return &SlidingCounter{rule: newWindowRule(limit, o)}
}

// Take decides one request.
func (c *SlidingCounter) Take(now, cost int64) Verdict { return c.rule.pairTake(&c.state, now, cost) }

// Level is the largest cost that would be admitted at now.
func (c *SlidingCounter) Level(now int64) int64 { return c.rule.pairLevel(c.state, now) }

// RetryAt is the earliest instant from now on at which a request of this cost
// would be admitted, or Never.
func (c *SlidingCounter) RetryAt(now, cost int64) int64 {
	return c.rule.pairRetryAt(c.state, now, cost)
}

// SlidingCounters is a table of sliding window counters, 24 bytes a key.
type SlidingCounters struct {
	rule    windowRule
	state   []pairState
	touched int64
}

var _ Table = (*SlidingCounters)(nil)

// NewSlidingCounters panics unless Count and Window are within Limit.Check's bounds.
func NewSlidingCounters(limit Limit, o WindowOptions, keys int) *SlidingCounters {
	return &SlidingCounters{rule: newWindowRule(limit, o), state: make([]pairState, keys)}
}

// TakeBlock is take in a loop that looks for the calendar window only when the
// time leaves it.
func (t *SlidingCounters) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	n := len(verdicts)
	keys, times, costs = keys[:n], times[:n], costs[:n]
	state, rule := t.state, t.rule
	if len(state) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return state[key].last })
	}
	start := int64(0)
	for i, key := range keys {
		s := &state[key]
		now, cost := max(times[i], s.last), costs[i]
		if uint64(now-start) >= uint64(rule.width) {
			start = windowStart(now, rule.width)
		}
		if s.last < start {
			*s = rule.pairAt(*s, now)
		}
		s.last = now
		if uint64(cost-1) >= uint64(rule.limit) {
			verdicts[i] = rule.pairTake(s, now, cost)
			continue
		}
		charge, verdict := int64(0), Rejected
		if fits(rule.limit-s.current-cost, rule.width, s.previous, rule.width-(now-start)) {
			charge, verdict = cost, Admitted
		} else if rule.countRejected {
			charge = cost
		}
		s.current = integers.Add(s.current, charge)
		verdicts[i] = verdict
	}
}

func (t *SlidingCounters) Take(key int32, now, cost int64) Verdict {
	return t.rule.pairTake(&t.state[key], now, cost)
}
func (t *SlidingCounters) Level(key int32, now int64) int64 {
	return t.rule.pairLevel(t.state[key], now)
}
func (t *SlidingCounters) RetryAt(key int32, now, cost int64) int64 {
	return t.rule.pairRetryAt(t.state[key], now, cost)
}
func (t *SlidingCounters) State(key int32) []StateField { return t.rule.pairState(t.state[key]) }
