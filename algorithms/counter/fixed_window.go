package counter

import (
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var fixedWindowKind = kind{
	entry: catalog.Entry{
		Name:    "fixed-window",
		Summary: "counts per calendar window; refuses what would exceed the limit until the window ends",
		Idea: "Time is cut into windows of the limit's period, at multiples of it from time 0. A request is admitted when the cost " +
			"admitted in its window plus its own stays within the limit. Nothing is remembered from one window to the next.",
		Bound:  "never more than the limit in a calendar window, but up to twice the limit in a sliding one (a burst that straddles a boundary)",
		Source: "envoyproxy/ratelimit (one Redis INCRBY per window); Databricks, High Performance Ratelimiting, 2025",
		Fields: []catalog.Field{countRejectedField},
	},
	table: func(limit Limit, v catalog.Values, keys int) (Table, error) {
		if err := limit.checkWindow(); err != nil {
			return nil, err
		}
		return NewFixedWindows(limit, WindowOptionsOf(v), keys), nil
	},
	changing: changingFixedWindows,
}

var countRejectedField = catalog.Field{Name: "count_rejected", Kind: catalog.Bool, Default: "false",
	Doc: "refused cost counts against the limit too, so a caller that keeps trying keeps being refused"}

// WindowOptions are what the window counters and the log have beside their limit.
type WindowOptions struct {
	CountRejected bool // refused cost counts too, up to 2^63-1 in a window
}

// WindowOptionsOf reads the options from bound fields.
func WindowOptionsOf(v catalog.Values) WindowOptions {
	return WindowOptions{CountRejected: v.Bool("count_rejected")}
}

// checkWindow is Check for counters that have no bucket.
func (l Limit) checkWindow() error { return l.withBurst(0).Check() }

// windowState is one key's count in the window that starts at start.
type windowState struct {
	start int64
	count int64
}

type windowRule struct {
	limit, width  int64
	countRejected bool
}

func newWindowRule(limit Limit, o WindowOptions) windowRule {
	must(limit.checkWindow())
	return windowRule{limit: limit.Count, width: limit.Window, countRejected: o.CountRejected}
}

// windowStart is the start of the calendar window that holds now.
func windowStart(now, width int64) int64 { return now - now%width }

// at is the count of the window that holds now; an earlier now belongs to the
// latest window seen.
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
	if r.countRejected {
		s.count = integers.Add(s.count, cost)
	}
	return Rejected
}

func (r *windowRule) level(s windowState, now int64) int64 {
	return max(r.limit-r.at(s, now).count, 0)
}

func (r *windowRule) retryAt(s windowState, now, cost int64) int64 {
	switch {
	case cost <= 0:
		return now
	case cost > r.limit:
		return Never
	}
	s = r.at(s, now)
	if cost <= r.limit-s.count {
		return now
	}
	return integers.Add(s.start, r.width)
}

func (r *windowRule) state(s windowState) []StateField {
	return []StateField{{"window_start_ns", s.start}, {"window_ns", r.width}, {"count", s.count}, {"limit", r.limit}}
}

// FixedWindow is one counter of calendar windows: window i is [i*w, (i+1)*w). A
// request is admitted when count + cost <= limit; cost 0 always is.
type FixedWindow struct {
	rule  windowRule
	state windowState
}

// NewFixedWindow panics unless Count and Window are within Limit.Check's bounds.
func NewFixedWindow(limit Limit, o WindowOptions) *FixedWindow {
	return &FixedWindow{rule: newWindowRule(limit, o)}
}

// Take decides one request.
func (w *FixedWindow) Take(now, cost int64) Verdict { return w.rule.take(&w.state, now, cost) }

// Level is what the window of now has left.
func (w *FixedWindow) Level(now int64) int64 { return w.rule.level(w.state, now) }

// RetryAt is now, the start of the next window, or Never.
func (w *FixedWindow) RetryAt(now, cost int64) int64 { return w.rule.retryAt(w.state, now, cost) }

// FixedWindows is a table of fixed windows, 16 bytes a key.
type FixedWindows struct {
	rule    windowRule
	state   []windowState
	touched int64
}

var _ Table = (*FixedWindows)(nil)

// NewFixedWindows panics unless Count and Window are within Limit.Check's bounds.
func NewFixedWindows(limit Limit, o WindowOptions, keys int) *FixedWindows {
	return &FixedWindows{rule: newWindowRule(limit, o), state: make([]windowState, keys)}
}

// TakeBlock is take in a loop that looks for the calendar window only when the
// time leaves it, and has no branch on the verdict.
func (t *FixedWindows) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	n := len(verdicts)
	keys, times, costs = keys[:n], times[:n], costs[:n]
	state := t.state
	if len(state) > perkey.Many {
		t.touched = perkey.Touch(keys, func(key int32) int64 { return state[key].start })
	}
	limit, width := t.rule.limit, t.rule.width
	recount := int64(0)
	if t.rule.countRejected {
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

func (t *FixedWindows) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}
func (t *FixedWindows) Level(key int32, now int64) int64 { return t.rule.level(t.state[key], now) }
func (t *FixedWindows) RetryAt(key int32, now, cost int64) int64 {
	return t.rule.retryAt(t.state[key], now, cost)
}
func (t *FixedWindows) State(key int32) []StateField { return t.rule.state(t.state[key]) }

// Add counts cost in the window of now, whether or not the limit allows it.
func (t *FixedWindows) Add(key int32, now, cost int64) {
	t.AddIn(key, windowStart(now, t.rule.width), cost)
}

// AddIn is Add for a time in the window that starts at an instant.
func (t *FixedWindows) AddIn(key int32, start, cost int64) {
	s := &t.state[key]
	if start > s.start {
		*s = windowState{start: start}
	}
	s.count = integers.Add(s.count, max(cost, 0))
}

// Count is the cost counted so far in the window of now, without changing it.
func (t *FixedWindows) Count(key int32, now int64) int64 {
	return t.CountIn(key, windowStart(now, t.rule.width))
}

// CountIn is Count for a time in the window that starts at an instant.
func (t *FixedWindows) CountIn(key int32, start int64) int64 {
	s := &t.state[key]
	if start > s.start {
		return 0
	}
	return s.count
}
