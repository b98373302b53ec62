package measure

import (
	"math/big"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var windowMetrics = []catalog.Metric{
	{Name: "over_limit_pct", Unit: "%", Better: -1, Formula: "mean over saturated windows of 100*max(0, A_j-L)/L",
		Doc: "How far over the limit a saturated calendar window is on average, pooled over keys. Headline; 0 for any fixed window, so never read alone. Of a window in which the limit changes, L is the largest that it sees."},
	{Name: "over_limit_pct_p50", Unit: "%", Better: -1, Formula: "median over saturated windows of 100*max(0, A_j-L)/L", Doc: "Median excess of a saturated window, nearest rank."},
	{Name: "over_limit_pct_p95", Unit: "%", Better: -1, Formula: "95th percentile over saturated windows of 100*max(0, A_j-L)/L", Doc: "95th percentile of the excess of a saturated window, nearest rank."},
	{Name: "over_limit_pct_p99", Unit: "%", Better: -1, Formula: "99th percentile over saturated windows of 100*max(0, A_j-L)/L", Doc: "99th percentile of the excess of a saturated window, nearest rank."},
	{Name: "over_limit_pct_max", Unit: "%", Better: -1, Formula: "max over saturated windows of 100*max(0, A_j-L)/L", Doc: "Largest excess of a saturated window."},
	{Name: "over_limit_share_gt_0", Unit: "%", Better: -1, Formula: "100 * saturated windows with A_j > L / saturated windows", Doc: "Share of saturated windows over the limit."},
	{Name: "over_limit_share_gt_1", Unit: "%", Better: -1, Formula: "100 * saturated windows with A_j > 1.01 L / saturated windows", Doc: "Share of saturated windows more than 1 % over the limit."},
	{Name: "over_limit_share_gt_5", Unit: "%", Better: -1, Formula: "100 * saturated windows with A_j > 1.05 L / saturated windows", Doc: "Share of saturated windows more than 5 % over the limit."},
	{Name: "over_limit_share_gt_10", Unit: "%", Better: -1, Formula: "100 * saturated windows with A_j > 1.1 L / saturated windows", Doc: "Share of saturated windows more than 10 % over the limit."},
	{Name: "window_error_mean_pct", Unit: "%", Formula: "mean over saturated windows of 100*(A_j/L - 1)", Doc: "Signed error of a saturated window on average: negative is under the limit."},
	{Name: "window_error_sd_pct", Unit: "%", Better: -1, Formula: "population standard deviation over saturated windows of 100*(A_j/L - 1)", Doc: "Spread of the error of saturated windows; they are the whole population, so the divisor is their number."},
	{Name: "under_admission_pct", Unit: "%", Better: -1, Formula: "100 * sum_j max(0, R_j-A_j) / sum_j R_j", Doc: "What the reference admitted in a window and the limiter did not, over all windows. Headline."},
	{Name: "long_run_error_pct", Unit: "%", Formula: "100*(A/A_ref - 1)", Doc: "Cost admitted over the whole span against the reference's."},
	{Name: "admitted_over_limit", Unit: "ratio", Formula: "A/(r*T), mean over keys", Doc: "Cost admitted per key over the span against what its rate alone is worth, with the mean of the rate where it changes."},
	{Name: "false_reject_pct", Unit: "%", Full: true, Better: -1, Formula: "100 * cost refused in (key, window)s where the reference refused nothing / cost offered in all windows", Doc: "Cost refused although the exact limiter refused nothing of that key in that window."},
}

// Totals is one key's cost over the measured span. Offered does not include
// what was waiting when the span began.
type Totals struct {
	Offered, Admitted, Rejected, Reference int64
}

// keyWindow is the calendar window that a key is in: 32 bytes, the only state
// touched for each row.
type keyWindow struct {
	window    int64 // index floor(t/w), or noWindow
	demand    int64 // cost offered in it and cost waiting at its start
	admitted  int64
	reference int64
}

const noWindow = int64(-1)

// closed is one key's cost in a calendar window that is over.
type closed struct{ window, limit, admitted, rejected, reference int64 }

// backlog is a key's waiting cost: now, and at its window's start.
type backlog struct{ now, start int64 }

// keyTotals also keeps what was waiting when the span began.
type keyTotals struct {
	Totals
	carried int64
}

// windowMeter measures calendar windows per key. A key's window is closed when
// the key's next row falls into a later one, or at the end, so that idle keys
// and empty spans cost nothing. Demand is cost offered in a window and cost
// waiting at its start; a window is saturated when demand reaches the limit.
type windowMeter struct {
	cfg         *Config
	first, last int64 // whole windows in the span: first <= index < last
	keys        []keyWindow
	backlogs    []backlog // per key; nil until a request waits
	totals      []keyTotals

	limits       []limitFrom
	saturated    []*distribution // A over saturated windows, one for each limit there is
	onClose      func(closed)    // told of each whole window of a key; nil unless set
	lacking      int64           // sum of max(0, R_j-A_j)
	reference    int64           // sum of R_j
	offered      int64           // sum of O_j
	falseRejects int64
}

func newWindowMeter(r *Recorder) Reporter {
	c := &r.cfg
	m := &windowMeter{
		cfg:    c,
		first:  (c.Start + c.Window - 1) / c.Window,
		last:   c.End / c.Window,
		keys:   make([]keyWindow, c.Keys),
		totals: make([]keyTotals, c.Keys),
		limits: c.windowLimits(),
	}
	for _, l := range m.limits {
		if m.under(l.limit) == nil {
			d := newDistribution(l.limit)
			m.saturated = append(m.saturated, &d)
		}
	}
	for i := range m.keys {
		m.keys[i].window = noWindow
	}
	r.windows = m
	return m
}

// under is the distribution of windows under a limit.
func (m *windowMeter) under(limit int64) *distribution {
	for _, d := range m.saturated {
		if d.limit == limit {
			return d
		}
	}
	return nil
}

// limitIn is the limit of a window.
func (m *windowMeter) limitIn(window int64) int64 {
	i := len(m.limits) - 1
	for i > 0 && m.limits[i].window > window {
		i--
	}
	return m.limits[i].limit
}

func (m *windowMeter) Early(f *Flow) {
	for i, key := range f.Key {
		if net := f.Offered[i] - f.Admitted[i] - f.Rejected[i]; net != 0 {
			m.wait(key, net)
		}
	}
}

// Flow cuts the block into runs of rows of one calendar window.
func (m *windowMeter) Flow(f *Flow) {
	w := m.cfg.Window
	for lo, n := 0, len(f.Time); lo < n; {
		window := f.Time[lo] / w
		hi := n
		if end := (window + 1) * w; f.Time[n-1] >= end {
			hi = lo + searchTime(f.Time[lo:], end)
		}
		if len(m.keys) == 1 {
			m.addOne(f, lo, hi, window)
		} else {
			m.add(f, lo, hi, window)
		}
		lo = hi
	}
}

func (m *windowMeter) add(f *Flow, lo, hi int, window int64) {
	keys := f.Key[lo:hi]
	n := len(keys)
	offered, admitted := f.Offered[lo:hi][:n], f.Admitted[lo:hi][:n]
	rejected, reference := f.Rejected[lo:hi][:n], f.Reference[lo:hi][:n]
	for i, key := range keys {
		k := &m.keys[key]
		if k.window != window {
			m.turn(key, window)
		}
		k.demand += offered[i]
		k.admitted += admitted[i]
		k.reference += reference[i]
		if net := offered[i] - admitted[i] - rejected[i]; net != 0 {
			m.wait(key, net)
		}
	}
}

// addOne is add for a single key, whose rows of one window are just summed.
func (m *windowMeter) addOne(f *Flow, lo, hi int, window int64) {
	offered := f.Offered[lo:hi]
	n := len(offered)
	admitted, rejected, reference := f.Admitted[lo:hi][:n], f.Rejected[lo:hi][:n], f.Reference[lo:hi][:n]
	var o, a, no, r int64
	for i := range offered {
		o += offered[i]
		a += admitted[i]
		no += rejected[i]
		r += reference[i]
	}
	k := &m.keys[0]
	if k.window != window {
		m.turn(0, window)
	}
	k.demand += o
	k.admitted += a
	k.reference += r
	if net := o - a - no; net != 0 {
		m.wait(0, net)
	}
}

// wait changes a key's waiting cost.
func (m *windowMeter) wait(key int32, net int64) {
	if m.backlogs == nil {
		m.backlogs = make([]backlog, len(m.keys))
	}
	m.backlogs[key].now += net
}

func (m *windowMeter) backlog(key int32) backlog {
	if m.backlogs == nil {
		return backlog{}
	}
	return m.backlogs[key]
}

// turn closes the key's window and opens a later one.
func (m *windowMeter) turn(key int32, window int64) {
	m.leave(key, window)
	b := m.backlog(key)
	m.keys[key] = keyWindow{window: window, demand: b.now}
	if m.backlogs != nil {
		m.backlogs[key].start = b.now
	}
}

// leave closes the key's window and those after it, before window, in which
// the key only waited.
func (m *windowMeter) leave(key int32, window int64) {
	k := &m.keys[key]
	b := m.backlog(key)
	idle := k.window + 1
	if k.window == noWindow {
		m.totals[key].carried = b.now
		idle = m.first
	} else {
		m.closeWindow(key, k, b)
	}
	idle, window = max(idle, m.first), min(window, m.last)
	for from := idle; from < window; {
		limit, to := m.limitIn(from), window
		for _, l := range m.limits {
			if l.window > from {
				to = min(to, l.window)
				break
			}
		}
		if b.now >= limit {
			m.starve(key, from, to, limit)
		}
		from = to
	}
}

// starve counts windows in which a key only waited, for the limit or more.
func (m *windowMeter) starve(key int32, from, to, limit int64) {
	m.under(limit).add(0, to-from)
	if m.cfg.OnWindow != nil {
		for ; from < to; from++ {
			m.cfg.OnWindow(key, from, 0, 0, 0, true)
		}
	}
}

func (m *windowMeter) closeWindow(key int32, k *keyWindow, b backlog) {
	offered := k.demand - b.start
	rejected := k.demand - k.admitted - b.now
	t := &m.totals[key]
	t.Offered += offered
	t.Admitted += k.admitted
	t.Rejected += rejected
	t.Reference += k.reference
	if k.window < m.first || k.window >= m.last {
		return
	}
	limit := m.limitIn(k.window)
	saturated := k.demand >= limit
	if saturated {
		m.under(limit).add(k.admitted, 1)
	}
	if m.onClose != nil {
		m.onClose(closed{k.window, limit, k.admitted, rejected, k.reference})
	}
	m.lacking += max(0, k.reference-k.admitted)
	m.reference += k.reference
	m.offered += offered
	if m.cfg.ReferenceShapes || offered == k.reference {
		m.falseRejects += rejected
	}
	if m.cfg.OnWindow != nil {
		m.cfg.OnWindow(key, k.window, offered, k.admitted, k.reference, saturated)
	}
}

func (m *windowMeter) close(end int64) {
	m.last = end / m.cfg.Window
	for key := range m.keys {
		m.leave(int32(key), max(m.last, m.keys[key].window))
	}
}

func (m *windowMeter) Figures(emit Emit) { windowFigures([]*windowMeter{m}, emit) }

// windowFigures pools the windows of one meter for each policy.
func windowFigures(meters []*windowMeter, emit Emit) {
	c := meters[0].cfg
	var all windowMeter
	var sum Totals
	fine, seen := "", int64(0)
	earned := new(big.Rat) // sum over policies of A*w/L, in ns, with the mean of L over the span
	var saturated []*distribution
	for _, m := range meters {
		saturated = append(saturated, m.saturated...)
		all.lacking += m.lacking
		all.reference += m.reference
		all.offered += m.offered
		all.falseRejects += m.falseRejects
		totals, keys := m.total()
		sum.Admitted += totals.Admitted
		sum.Reference += totals.Reference
		seen += keys
		earned.Add(earned, new(big.Rat).SetFrac(product(totals.Admitted, m.cfg.Window, c.End-c.Start), m.cfg.granted()))
		if fine == "" {
			fine = m.cfg.finer(m.cfg.Window)
		}
	}
	saturatedFigures(saturated, fine, emit)
	switch {
	case fine != "":
		emit("under_admission_pct", NoData(fine))
	case all.reference == 0:
		emit("under_admission_pct", NoData("the reference admitted nothing in a whole window"))
	default:
		emit("under_admission_pct", Number(ratio(100, all.lacking, all.reference)))
	}
	switch {
	case fine != "":
		emit("false_reject_pct", NoData(fine))
	case all.offered == 0:
		emit("false_reject_pct", NoData("nothing offered in a whole window"))
	default:
		emit("false_reject_pct", Number(ratio(100, all.falseRejects, all.offered)))
	}
	if sum.Reference == 0 {
		emit("long_run_error_pct", NoData("the reference admitted nothing"))
	} else {
		emit("long_run_error_pct", Number(signedPct(sum.Admitted, sum.Reference)))
	}
	if seen == 0 {
		emit("admitted_over_limit", NoData("no traffic"))
		return
	}
	x, _ := earned.Quo(earned, new(big.Rat).SetInt(product(c.End-c.Start, seen))).Float64()
	emit("admitted_over_limit", Number(x))
}

// total is the cost of all keys, and how many of them were seen.
func (m *windowMeter) total() (sum Totals, seen int64) {
	for key := range m.totals {
		t := &m.totals[key]
		sum.Admitted += t.Admitted
		sum.Reference += t.Reference
		if m.keys[key].window != noWindow || t.carried > 0 {
			seen++
		}
	}
	return sum, seen
}

// signedPct is 100*(a/b - 1).
func signedPct(a, b int64) float64 {
	if a < b {
		return -ratio(100, b-a, b)
	}
	return ratio(100, a-b, b)
}
