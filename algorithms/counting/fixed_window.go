package counting

import (
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var fixedWindowKind = kind{
	calendar: true,
	entry: catalog.Entry{
		Name:    "fixed-window",
		Summary: "counts the cost in each calendar window and rejects what would exceed the limit until the window ends",
		Idea: "Time is divided into calendar windows of the limit's period; they start at the multiples of the period, counted from time 0. " +
			"A request is admitted if the cost admitted in its window plus its own cost does not exceed the limit. Each window starts from 0.",
		Bound:  "at most the limit in each calendar window, but up to twice the limit in a sliding window, when a burst straddles a boundary",
		Source: "envoyproxy/ratelimit (one Redis INCRBY per window); Databricks, High Performance Ratelimiting, 2025",
		Fields: []catalog.Field{countRejectedField, blockField},
		State:  []catalog.Member{windowStartMember, windowMember, countMember, limitMember},
	},
	keyBytes: 16,
	make:     makerOf(optionsOf[WindowOptions], NewFixedWindows),
	changing: changingWindows,
	worst:    worstFixedWindow,
}

var countRejectedField = catalog.Field{Name: "count_rejected", Kind: catalog.Bool, Default: "false",
	Doc: "also count the cost of rejected requests against the limit, so that a caller that keeps retrying stays rejected"}

// These numbers are in the states of several counters.
var (
	windowStartMember = catalog.Member{Name: "window_start_ns", Unit: "ns", Doc: "start of the calendar window of the latest `take`"}
	windowMember      = catalog.Member{Name: "window_ns", Unit: "ns", Doc: "length of the window"}
	countMember       = catalog.Member{Name: "count", Unit: "cost", Doc: "cost counted in the window"}
	limitMember       = catalog.Member{Name: "limit", Unit: "cost per window", Doc: "limit"}
	lastMember        = catalog.Member{Name: "last_ns", Unit: "ns", Doc: "latest time of a `take`"}
)

// WindowOptions are the options of the window counters and of the log. The zero
// value counts admitted cost only.
type WindowOptions struct {
	CountRejected bool `option:"count_rejected"` // also count rejected cost, up to 2^63-1 per window
}

// Check returns an error if limit.Count or limit.Window is outside 1 to 2^60.
// It does not look at limit.Burst, because windows have no bucket.
func (WindowOptions) Check(limit Limit) error { return limit.withBurst(0).Check() }

// windowState is one key's count in the window that begins at start.
type windowState struct {
	start int64
	count int64
}

type windowRule struct {
	WindowOptions
	limit, width int64
}

func newWindowRule(limit Limit, o WindowOptions) windowRule {
	must(o.Check(limit))
	return windowRule{o, limit.Count, limit.Window}
}

// windowStart returns the start of the calendar window that contains now.
func windowStart(now, width int64) int64 { return now - now%width }

// at returns the state for the window that contains now. An earlier now counts
// in the latest window seen.
func (r *windowRule) at(s windowState, now int64) windowState {
	if start := windowStart(now, r.width); start > s.start {
		return windowState{start: start}
	}
	return s
}

func (r *windowRule) take(s *windowState, now, cost int64) Verdict {
	*s = r.at(*s, now)
	if cost <= 0 {
		return Admitted
	}
	if cost <= r.limit-s.count {
		s.count += cost
		return Admitted
	}
	if r.CountRejected {
		s.count = integers.Add(s.count, cost)
	}
	return Rejected
}

func (r *windowRule) level(s *windowState, now int64) int64 {
	return max(r.limit-r.at(*s, now).count, 0)
}

func (r *windowRule) largest() int64 { return r.limit }

func (r *windowRule) retryAt(s *windowState, now, cost int64) int64 {
	then := r.at(*s, now)
	if cost <= r.limit-then.count {
		return now
	}
	return integers.Add(then.start, r.width)
}

func (r *windowRule) fields(s *windowState) []StateField {
	return []StateField{{"window_start_ns", s.start}, {"window_ns", r.width}, {"count", s.count}, {"limit", r.limit}}
}

// FixedWindows is a table of fixed windows: window i is [i*w, (i+1)*w). It admits a request
// if count + cost <= limit, and always admits cost 0. It takes 16 bytes per key.
type FixedWindows struct {
	correctable[windowState, windowRule, *windowRule]
}

var _ Table = (*FixedWindows)(nil)

// NewFixedWindows returns a table of empty windows for keys 0 to keys-1. It
// panics if o.Check(limit) fails.
func NewFixedWindows(limit Limit, o WindowOptions, keys int) *FixedWindows {
	return &FixedWindows{newCorrectable[windowState](newWindowRule(limit, o), keys)}
}

// TakeBlock computes the start of the calendar window only when the time leaves
// the previous one. It has no branch on the verdict, which is unpredictable
// under overload.
func (t *FixedWindows) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	n := len(verdicts)
	keys, times, costs = keys[:n], times[:n], costs[:n]
	if states := t.state; len(states) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return states[key].start })
	}
	state := t.state
	limit, width := t.rule.limit, t.rule.width
	recount := int64(0)
	if t.rule.CountRejected {
		recount = -1
	}
	start := int64(0)
	for i, key := range keys {
		s := &state[key]
		now, cost := times[i], costs[i]
		if uint64(now-start) >= uint64(width) {
			start = windowStart(now, width)
		}
		count := s.count
		if start > s.start {
			s.start, count = start, 0
		}
		if uint64(cost-1) >= uint64(limit) {
			if cost > 0 {
				count = integers.Add(count, cost&recount)
			}
			s.count = count
			verdicts[i] = irregularCost(cost)
			continue
		}
		charge, verdict := cost&recount, Rejected
		if cost <= limit-count {
			charge, verdict = cost, Admitted
		}
		s.count = integers.Add(count, charge)
		verdicts[i] = verdict
	}
}

// Take decides one request.
func (t *FixedWindows) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}

// Add counts cost in the window of now, even if that exceeds the limit.
func (t *FixedWindows) Add(key int32, now, cost int64) {
	t.AddIn(key, windowStart(now, t.rule.width), cost)
}

// AddIn counts cost in the window that begins at start, or in the key's latest
// window if that is later.
func (t *FixedWindows) AddIn(key int32, start, cost int64) {
	s := &t.state[key]
	if start > s.start {
		*s = windowState{start: start}
	}
	s.count = integers.Add(s.count, max(cost, 0))
}

// Set replaces the count in the window of now.
func (t *FixedWindows) Set(key int32, now, count int64) {
	s := &t.state[key]
	*s = t.rule.at(*s, now)
	s.count = max(count, 0)
}

// Count returns the cost counted so far in the window of now.
func (t *FixedWindows) Count(key int32, now int64) int64 {
	return t.CountIn(key, windowStart(now, t.rule.width))
}

// CountIn returns the cost counted in the window that begins at start, or in the
// key's latest window if that is later.
func (t *FixedWindows) CountIn(key int32, start int64) int64 {
	s := &t.state[key]
	if start > s.start {
		return 0
	}
	return s.count
}

// Copy sets the state of a key to that of a key in another table with the same
// limit.
func (t *FixedWindows) Copy(key int32, from *FixedWindows, fromKey int32) {
	t.state[key] = from.state[fromKey]
}

// Relimit changes the limit of all windows. Their length and their counts stay.
func (t *FixedWindows) Relimit(limit Limit) { t.rule.limit = limit.Count }
