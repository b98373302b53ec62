package measure

import (
	"cmp"
	"math/bits"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var faultMetrics = []catalog.Metric{
	{Name: "fault_extra_admitted", Unit: "tokens", Better: -1, Formula: "sum over keys and windows of max(0, A_j-L), during and after faults",
		Doc: "Cost admitted above the limit in the calendar windows that overlap a fault and in those after it, up to the first window that is within the limit again."},
	{Name: "fault_false_rejected", Unit: "tokens", Better: -1, Formula: "sum over keys and windows of min(rejected in j, max(0, R_j-A_j)), during and after faults",
		Doc: "Cost rejected although the reference admitted it, in the same windows."},
	{Name: "reenforce_s", Unit: "s", Better: -1, Formula: "from a fault's end to the start of the first window that is within the limit: every key has A_j <= L + max(5 %, 3/sqrt(L)), or exceeds L by no more than some key did in a window before the first fault",
		Doc: "Time until the limits are enforced again as well as before the fault; 0 if the window that contains the fault's end is within the limit; the resolution is one window. The largest value over the faults; overlapping faults count as one."},
}

var failOpenMetrics = []catalog.Metric{
	{Name: "fail_open_share", Unit: "share", Most: 1, Formula: "attempts admitted without a response / attempts, of those that arrive while a fault is in force",
		Doc: "Share of attempts during faults that are admitted because no response arrived."},
}

// episodes returns the time spans in which at least one fault is in force. It
// merges faults that overlap or touch.
func (c *Config) episodes() []Span {
	var list []Span
	for _, f := range c.Faults {
		if n := len(list); n > 0 && f.From <= list[n-1].To {
			list[n-1].To = max(list[n-1].To, f.To)
			continue
		}
		list = append(list, f)
	}
	return list
}

// faultWindow holds the sums of one calendar window over all keys.
type faultWindow struct {
	extra, refused int64
	worst          excess // the largest excess of any key beyond the tolerance
}

// excess is the cost of a key above its limit.
type excess struct{ over, limit int64 }

// compare compares the fractions that a and b are of their limits. The zero
// excess is the least.
func (a excess) compare(b excess) int {
	if a.over == 0 || b.over == 0 {
		return cmp.Compare(a.over, b.over)
	}
	hi1, lo1 := bits.Mul64(uint64(a.over), uint64(b.limit))
	hi2, lo2 := bits.Mul64(uint64(b.over), uint64(a.limit))
	return cmp.Or(cmp.Compare(hi1, hi2), cmp.Compare(lo1, lo2))
}

// faultMeter measures the calendar windows during and after faults.
type faultMeter struct {
	cfg     *Config
	first   int64 // index of the window in which the first fault begins
	windows map[int64]faultWindow
	before  excess // the largest excess before the first fault
	tallies *windowMeter
}

func newFaultMeter(r *Recorder) Reporter {
	m := &faultMeter{cfg: &r.cfg, windows: map[int64]faultWindow{}, tallies: r.windows}
	if len(r.cfg.Faults) > 0 {
		m.first = r.cfg.Faults[0].From / r.cfg.Window
		r.windows.onClose = m.close
	}
	return m
}

// close processes a closed window of a key. Windows without an excess or a
// false rejection need not be stored.
func (m *faultMeter) close(c Window) {
	extra, refused := max(0, c.Admitted-c.Limit), min(c.Rejected, max(0, c.Reference-c.Admitted))
	var worst excess
	if extra > tolerance(c.Limit, c.Limit) {
		worst = excess{extra, c.Limit}
	}
	window := c.StartNs / m.cfg.Window
	if window < m.first {
		if worst.compare(m.before) > 0 {
			m.before = worst
		}
		return
	}
	if extra == 0 && refused == 0 {
		return
	}
	w := m.windows[window]
	w.extra += extra
	w.refused += refused
	if worst.compare(w.worst) > 0 {
		w.worst = worst
	}
	m.windows[window] = w
}

// faultTotals holds the sums over all policies.
type faultTotals struct {
	overlaps       bool // a fault overlaps a whole window of the span
	extra, refused int64
	reenforce      int64 // ns; the largest over the faults
	open           bool  // after one fault the limit was not enforced again
	healed         int   // faults that end before the run does
}

// over reports whether a window exceeds the largest excess before the faults.
func (m *faultMeter) over(window int64) bool {
	w := m.windows[window]
	return w.worst.compare(m.before) > 0
}

// total adds the sums over the episodes inside the span to t.
func (m *faultMeter) total(episodes []Span, t *faultTotals) {
	c := m.cfg
	first, last := m.tallies.first, m.tallies.last
	counted := first // earlier windows are already counted
	for i, e := range episodes {
		// Windows that overlap [from, to), or the one that contains a single
		// instant.
		end := (max(e.To, e.From+1) + c.Window - 1) / c.Window
		w := max(e.From/c.Window, counted)
		for ; w < min(end, last); w++ {
			t.add(m.windows[w])
		}
		counted = w
		if e.To >= last*c.Window || e.To < first*c.Window {
			continue
		}
		t.healed++
		bound := last
		if i+1 < len(episodes) {
			bound = min(bound, episodes[i+1].From/c.Window)
		}
		// The window that contains the end may already be within its limit.
		back := e.To / c.Window
		for ; back < bound && m.over(back); back++ {
			if back >= counted {
				t.add(m.windows[back])
				counted = back + 1
			}
		}
		if back >= bound && (bound == last || m.over(back)) {
			t.open = true
			continue
		}
		t.reenforce = max(t.reenforce, back*c.Window-e.To)
	}
}

func (t *faultTotals) add(w faultWindow) {
	t.overlaps = true
	t.extra += w.extra
	t.refused += w.refused
}

func (m *faultMeter) Figures(emit Emit) string { return faultFigures([]*faultMeter{m}, emit) }

// faultFigures emits the sums over policies. The limits are enforced again when
// those of the last policy are.
func faultFigures(policies []*faultMeter, emit Emit) (none string) {
	c := policies[0].cfg
	episodes := c.episodes()
	var sum faultTotals
	for _, m := range policies {
		m.total(episodes, &sum)
	}
	switch {
	case len(episodes) == 0:
		return "no faults"
	case !sum.overlaps:
		return "no fault in a whole window of the span"
	}
	if stampReason := c.tooFineFor(c.Window); stampReason != "" {
		return stampReason
	}
	emit.count("fault_extra_admitted", sum.extra)
	emit.count("fault_false_rejected", sum.refused)
	switch {
	case sum.open:
		return "not re-enforced when the next fault began, or at the end"
	case sum.healed == 0:
		return "no fault ends before the span does"
	}
	emit.rate("reenforce_s", 1, sum.reenforce, second)
	return ""
}
