package measure

import (
	"math/big"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var windowMetrics = []catalog.Metric{
	{Name: "over_limit_pct", Unit: "%", Better: -1, Formula: "mean over saturated windows of 100*max(0, A_j-L)/L",
		Doc: "Mean excess over the limit of saturated calendar windows, pooled over keys. Headline; it is 0 for every fixed window, so never read it alone. If the limit changes within a window, L is the largest limit of that window."},
	{Name: "over_limit_pct_p50", Unit: "%", Better: -1, Formula: "median over saturated windows of 100*max(0, A_j-L)/L", Doc: "Median excess of a saturated window, nearest rank."},
	{Name: "over_limit_pct_p95", Unit: "%", Better: -1, Formula: "95th percentile over saturated windows of 100*max(0, A_j-L)/L", Doc: "95th percentile of the excess of a saturated window, nearest rank."},
	{Name: "over_limit_pct_p99", Unit: "%", Better: -1, Formula: "99th percentile over saturated windows of 100*max(0, A_j-L)/L", Doc: "99th percentile of the excess of a saturated window, nearest rank."},
	{Name: "over_limit_pct_max", Unit: "%", Better: -1, Formula: "max over saturated windows of 100*max(0, A_j-L)/L", Doc: "Largest excess of a saturated window."},
	{Name: "over_limit_share_gt_0", Unit: "%", Most: 100, Better: -1, Formula: "100 * saturated windows with A_j > L / saturated windows", Doc: "Share of saturated windows over the limit."},
	{Name: "over_limit_share_gt_1", Unit: "%", Most: 100, Better: -1, Formula: "100 * saturated windows with A_j > 1.01 L / saturated windows", Doc: "Share of saturated windows more than 1 % over the limit."},
	{Name: "over_limit_share_gt_5", Unit: "%", Most: 100, Better: -1, Formula: "100 * saturated windows with A_j > 1.05 L / saturated windows", Doc: "Share of saturated windows more than 5 % over the limit."},
	{Name: "over_limit_share_gt_10", Unit: "%", Most: 100, Better: -1, Formula: "100 * saturated windows with A_j > 1.1 L / saturated windows", Doc: "Share of saturated windows more than 10 % over the limit."},
	{Name: "excess_share_pct", Unit: "%", Most: 100, Better: -1, Formula: "100 * sum_j max(0, A_j-L) / sum_j A_j", Doc: "Share of the cost admitted in all windows, saturated or not, that is beyond the limit of its window. Unlike over_limit_pct it averages over the same windows in every row."},
	{Name: "window_error_mean_pct", Unit: "%", Least: -100, Formula: "mean over saturated windows of 100*(A_j/L - 1)", Doc: "Mean signed error of saturated windows; negative is under the limit."},
	{Name: "window_error_sd_pct", Unit: "%", Better: -1, Formula: "population standard deviation over saturated windows of 100*(A_j/L - 1)", Doc: "Standard deviation of the error of saturated windows. They are the whole population, so the divisor is their number."},
	{Name: "over_limit_first_windows_pct", Unit: "%", Better: -1, Formula: "over_limit_pct over the first three calendar windows of the span", Doc: "over_limit_pct at the start of the measured span, pooled over keys: full buckets and no history, unless there is a warm-up."},
	{Name: "over_limit_rest_pct", Unit: "%", Better: -1, Formula: "over_limit_pct over the windows after the first three", Doc: "over_limit_pct after the start of the measured span, pooled over keys."},
	{Name: "over_limit_pct_worst_key", Unit: "%", Better: -1, Formula: "max over keys of over_limit_pct of that key's saturated windows", Doc: "Mean excess of the key whose mean is largest, over keys and policies. worst_key in the results document names it if it is the worst by more than chance. One key alone has no data."},
	{Name: "over_limit_pct_equal_keys", Unit: "%", Formula: "expected max over keys k of a mean with the pooled mean over_limit_pct, the variance v/n_k and the skewness g/sqrt(n_k); n_k: saturated windows of k; v, g: from the differences of keys between the halves", Doc: "What over_limit_pct_worst_key would be by chance if all keys of a policy were equal. A worst key that is not above it is chance."},
	{Name: "over_admission_pct", Unit: "%", Better: -1, Formula: "100 * sum_j max(0, A_j-R_j) / sum_j R_j", Doc: "Cost that the limiter admitted in a window and the reference did not, over all windows, as a share of what the reference admitted. Headline; the reference is of the policy's own kind."},
	{Name: "under_admission_pct", Unit: "%", Most: 100, Better: -1, Formula: "100 * sum_j max(0, R_j-A_j) / sum_j R_j", Doc: "Share of the cost that the reference admitted in a window and the limiter did not, over all windows. Headline."},
	{Name: "long_run_error_pct", Unit: "%", Least: -100, Formula: "100*(A/A_ref - 1)", Doc: "Cost admitted over the whole span relative to the reference."},
	{Name: "admitted_over_limit", Unit: "ratio", Formula: "A/(r*T), mean over keys", Doc: "Cost admitted per key over the span relative to the cost that the rate alone allows; if the rate changes, relative to its mean."},
	{Name: "false_reject_pct", Unit: "%", Most: 100, Full: true, Better: -1, Formula: "100 * cost rejected in (key, window) pairs in which the reference rejected nothing / cost offered in all windows", Doc: "Cost rejected in windows in which the exact limiter rejected nothing of that key."},
}

// Window is the cost of one key in a calendar window that has ended.
type Window struct {
	Key                                    int32
	StartNs                                int64
	Limit                                  int64 // the largest in the window
	Offered, Admitted, Rejected, Reference int64
	Saturated                              bool
}

// windowMeter measures calendar windows per key. The window of a key is closed
// when the key's next row is in a later window, or at the end, so that idle
// keys and empty spans cost nothing. The demand of a window is the cost offered
// in it and the cost waiting at its start. A window is saturated if its demand
// reaches the limit. keyMeter passes the rows on.
type windowMeter struct {
	cfg         *Config
	first, last int64 // whole windows in the span: first <= index < last
	halves      halves
	keys        *keyMeter // holds the counts
	backlogs    backlogs  // by key
	moved       []int64   // window of the last row of a key whose time was moved to a later window, which keyState.at then holds as ^at; nil until the limit changes

	refused      map[int32]int64 // the last window in which a shaping reference rejects requests of a key
	limits       windowLimits
	saturated    []*saturatedWindows // one for each limit
	worst        worstKey            // once closed
	spread       *keySpread          // once closed; nil without saturated windows
	summary      keySummary          // once closed
	onClose      func(Window)        // if not nil, receives each whole window of a key with rows
	sums         [spanParts]windowSums
	offered      int64 // sum of O_j
	admitted     int64 // sum of A_j
	falseRejects int64
}

// windowSums holds the sums of max(0, R_j-A_j), of max(0, A_j-R_j) and of R_j.
type windowSums struct{ lacking, surplus, reference int64 }

func (s *windowSums) add(o windowSums) {
	s.lacking += o.lacking
	s.surplus += o.surplus
	s.reference += o.reference
}

func newWindowMeter(r *Recorder) Reporter {
	c := &r.cfg
	r.keys = newKeyMeter(c)
	r.join(r.keys)
	r.windows = &windowMeter{
		cfg:    c,
		first:  (c.Start + c.Window - 1) / c.Window,
		last:   c.End / c.Window,
		halves: c.halves(),
		keys:   r.keys,
		limits: c.windowLimits(),
	}
	r.keys.windows = r.windows
	return r.windows
}

// windowOf returns the window of a key's last row.
func (m *windowMeter) windowOf(key int32) int64 {
	if at := m.keys.keys[key].at; at >= 0 {
		return at / m.cfg.Window
	}
	return m.moved[key]
}

// move sets the time of a key, which must not be before its last row.
func (m *windowMeter) move(key int32, at int64) {
	window := m.windowOf(key)
	if at/m.cfg.Window > window {
		if m.moved == nil {
			m.moved = make([]int64, len(m.keys.keys))
		}
		m.moved[key] = window
		at = ^at
	}
	m.keys.keys[key].at = at
}

// turn closes the key's window and opens a later one.
func (m *windowMeter) turn(key int32, window int64) {
	m.leave(key, window)
	k := &m.keys.keys[key]
	switch {
	case k.at == unseen:
		k.at = window * m.cfg.Window
	case k.at < 0:
		k.at = ^k.at
	}
	if m.backlogs != nil {
		m.backlogs[key].start = m.backlogs[key].now
	}
}

// leave closes the key's window and the following ones up to window, in which
// the key had no rows.
func (m *windowMeter) leave(key int32, window int64) {
	idle, b := m.first, m.backlogs.of(int(key))
	if m.keys.keys[key].at != unseen {
		own := m.windowOf(key)
		m.closeWindow(key, own, b)
		idle = own + 1
	} else if m.backlogs != nil {
		m.backlogs[key].carried = b.now
	}
	if b.now == 0 {
		return
	}
	idle, window = max(idle, m.first), min(window, m.last)
	for from := idle; from < window; {
		limit, to := m.limits.in(from), window
		for _, l := range m.limits {
			if l.window > from {
				to = min(to, l.window)
				break
			}
		}
		if b.now >= limit {
			m.addStarved(key, from, to, limit)
		}
		from = to
	}
}

// addStarved counts windows in which a key only waited, with a demand of at
// least the limit.
func (m *windowMeter) addStarved(key int32, from, to, limit int64) {
	for at := from; at < to; {
		part, next := m.halves.of(at)
		next = min(next, to)
		m.saturate(key, at, next-at, part, limit, 0)
		at = next
	}
	if m.cfg.OnWindow != nil {
		for ; from < to; from++ {
			m.cfg.OnWindow(Window{Key: key, StartNs: from * m.cfg.Window, Limit: limit, Saturated: true})
		}
	}
}

func (m *windowMeter) closeWindow(key int32, window int64, b backlog) {
	t := m.keys.shut(key)
	if window < m.first || window >= m.last {
		return
	}
	demand, limit := b.start+t.offered, m.limits.in(window)
	rejected, saturated := demand-t.admitted-b.now, demand >= limit
	part, _ := m.halves.of(window)
	if saturated {
		m.saturate(key, window, 1, part, limit, t.admitted)
	}
	sums := &m.sums[part]
	sums.lacking += max(0, t.reference-t.admitted)
	sums.surplus += max(0, t.admitted-t.reference)
	sums.reference += t.reference
	m.offered += t.offered
	m.admitted += t.admitted
	if m.referenceRejectsNothing(key, window, t) {
		m.falseRejects += rejected
	}
	if m.onClose != nil || m.cfg.OnWindow != nil {
		m.pass(Window{key, window * m.cfg.Window, limit, t.offered, t.admitted, rejected, t.reference, saturated})
	}
}

// pass passes a window that has ended to those who want it.
func (m *windowMeter) pass(w Window) {
	for _, receive := range [...]func(Window){m.onClose, m.cfg.OnWindow} {
		if receive != nil {
			receive(w)
		}
	}
}

// referenceRejectsNothing reports whether the reference rejects no request of a
// key in a window that is being closed.
func (m *windowMeter) referenceRejectsNothing(key int32, window int64, t keyTotals) bool {
	if m.cfg.ReferenceShapes {
		last, refused := m.refused[key]
		return !refused || last != window
	}
	return t.offered == t.reference
}

// refuse notes the keys of which a shaping reference rejects requests in rows
// [lo, hi), which are in one window.
func (m *windowMeter) refuse(f *Flow, lo, hi int, window int64) {
	if f.Refused == nil {
		return
	}
	if m.refused == nil {
		m.refused = map[int32]int64{}
	}
	for i, cost := range f.Refused[lo:hi] {
		if cost > 0 {
			m.refused[f.Key[lo+i]] = window
		}
	}
}

func (m *windowMeter) close(end int64) {
	m.last = end / m.cfg.Window
	for key := range int32(len(m.keys.keys)) {
		m.leave(key, m.last)
		t := m.keys.totals(key)
		m.summary.add(key, m.withWaiting(key, t), t.reference, m.keys.keys[key].at != unseen)
	}
	m.compareKeys()
}

func (m *windowMeter) Figures(emit Emit) string { return windowFigures([]*windowMeter{m}, emit) }

// windowFigures emits the figures of the windows of all policies, with one
// meter for each policy.
func windowFigures(meters []*windowMeter, emit Emit) (none string) {
	c := meters[0].cfg
	var all windowMeter
	var errors windowSums
	var sum keyTotals
	stampReason, seen := "", int64(0)
	earned := new(big.Rat) // sum over policies of A*w/L in ns, with the mean of L over the span
	for _, m := range meters {
		for _, part := range m.sums {
			errors.add(part)
		}
		all.offered += m.offered
		all.admitted += m.admitted
		all.falseRejects += m.falseRejects
		totals := m.summary.sum
		sum.admitted += totals.admitted
		sum.reference += totals.reference
		seen += m.summary.seen
		earned.Add(earned, new(big.Rat).SetFrac(product(totals.admitted, m.cfg.Window, c.End-c.Start), m.cfg.granted()))
		if stampReason == "" {
			stampReason = m.cfg.tooFineFor(m.cfg.Window)
		}
	}
	if sum.reference == 0 {
		emit("long_run_error_pct", NoData("the reference admitted nothing"))
	} else {
		emit("long_run_error_pct", Number(signedPct(sum.admitted, sum.reference)))
	}
	if seen == 0 {
		emit("admitted_over_limit", NoData(noTraffic))
	} else {
		emit("admitted_over_limit", numberOf(earned.Quo(earned, new(big.Rat).SetInt(product(c.End-c.Start, seen)))))
	}
	if stampReason != "" { // windows cannot be told apart
		return stampReason
	}
	emit("over_admission_pct", ratioOr("the reference admitted nothing in a whole window", 100, errors.surplus, errors.reference))
	emit("under_admission_pct", ratioOr("the reference admitted nothing in a whole window", 100, errors.lacking, errors.reference))
	emit("false_reject_pct", ratioOr("nothing offered in a whole window", 100, all.falseRejects, all.offered))
	emit("excess_share_pct", ratioOr("nothing admitted in a whole window", 100, saturatedFigures(meters, emit), all.admitted))
	return "no saturated window"
}

// totals returns a key's cost over the span, once that is closed.
func (m *windowMeter) totals(key int32) flowTotals { return m.withWaiting(key, m.keys.totals(key)) }

// withWaiting returns totals of a key with what waited before and after.
func (m *windowMeter) withWaiting(key int32, t keyTotals) flowTotals {
	b := m.backlogs.of(int(key))
	return flowTotals{t.offered, t.admitted, t.offered + b.carried - t.admitted - b.now, b.carried}
}

// signedPct returns 100*(a/b - 1).
func signedPct(a, b int64) float64 {
	if a < b {
		return -ratio(100, b-a, b)
	}
	return ratio(100, a-b, b)
}
