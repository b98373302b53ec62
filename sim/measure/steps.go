package measure

import (
	"math/big"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var stepMetrics = []catalog.Metric{
	{Name: "settle_s", Unit: "s", Better: -1, Formula: "time after t0 until calendar windows stay within max(5 %, 3/sqrt(L)) of target",
		Doc: "Time from a step to the end of the last window outside the tolerance, up to the next step; the largest over the steps. Windows that begin before the step do not count."},
	{Name: "overshoot", Unit: "tokens", Better: -1, Formula: "max over t of A(t0,t] - r(t-t0)",
		Doc: "Largest cost admitted after a step beyond the limit's rate, up to the next step; the largest over the steps."},
	{Name: "payback", Unit: "tokens", Formula: "the fall of A(t0,t] - r(t-t0) from its peak",
		Doc: "Part of the overshoot that is compensated before the next step or the end; the largest over the steps."},
}

// stepMeter measures the response to declared steps of a policy with one key.
// From each step to the next it computes A(t0,t] - r(t-t0) in 1/p of a request.
type stepMeter struct {
	cfg      *Config
	rate     rate
	next     int // index of the next step
	from     int64
	at       int64
	surplus  int64 // A(t0,t] - r(t-t0) for t = at
	peak     int64
	low      int64 // since the peak
	overflow bool
	open     bool // a step has begun

	tolerance int64 // of the current step, in cost per window
	window    int64 // index of the current calendar window
	admitted  int64 // in the current window
	lastBad   int64 // end of the last window outside the tolerance, or from
	checked   bool  // at least one whole window was examined
	ended     int64 // end of the last examined window

	settle, overshoot, payback int64
	unsettled                  bool
}

func newStepMeter(r *Recorder) Reporter {
	m := &stepMeter{cfg: &r.cfg, rate: rateOf(r.cfg.Limit, r.cfg.Window)}
	for m.next < len(r.cfg.Steps) && r.cfg.Steps[m.next].At < r.cfg.Start {
		m.next++
	}
	return m
}

func (m *stepMeter) Flow(f *Flow) {
	if f.early || len(m.cfg.Steps) == 0 || m.cfg.Keys != 1 {
		return
	}
	for i, t := range f.Time {
		m.advance(t)
		if cost := f.Admitted[i]; m.open && cost > 0 {
			m.admit(t, cost)
		}
	}
}

// advance ends and begins the steps up to t. A(t0,t] does not contain what is
// admitted at t0 itself, but windows do.
func (m *stepMeter) advance(t int64) {
	for m.next < len(m.cfg.Steps) && m.cfg.Steps[m.next].At <= t {
		s := m.cfg.Steps[m.next]
		m.end(s.At)
		m.next++
		m.begin(s)
	}
}

func (m *stepMeter) begin(s Step) {
	m.open = true
	m.from, m.at = s.At, s.At
	m.surplus, m.peak, m.low = 0, 0, 0
	m.tolerance = tolerance(s.Target, m.cfg.Limit)
	m.window, m.admitted = (s.At+m.cfg.Window-1)/m.cfg.Window, 0
	m.lastBad, m.checked, m.ended = s.At, false, s.At
}

func (m *stepMeter) admit(t, cost int64) {
	if w := t / m.cfg.Window; w >= m.window {
		m.closeWindows(w)
		m.admitted += cost
	}
	if t == m.from {
		return
	}
	m.fall(t)
	if cost > m.rate.maxCost || m.surplus > maxUnits {
		m.overflow = true
		return
	}
	m.surplus += cost * m.rate.p
	if m.surplus > m.peak {
		m.peak, m.low = m.surplus, m.surplus
	}
}

// fall drains the surplus until t.
func (m *stepMeter) fall(t int64) {
	dt := t - m.at
	m.at = t
	if m.overflow || dt > m.rate.maxDrain-2 || m.surplus < -maxUnits+1 {
		m.overflow = true
		return
	}
	m.surplus -= dt * m.rate.n
	m.low = min(m.low, m.surplus)
}

// closeWindows examines the windows before w: the current one and the following
// ones, in which nothing was admitted.
func (m *stepMeter) closeWindows(w int64) {
	if w <= m.window {
		return
	}
	target := m.cfg.Steps[m.next-1].Target
	m.checked, m.ended = true, w*m.cfg.Window
	if d := m.admitted - target; d > m.tolerance || -d > m.tolerance {
		m.lastBad = (m.window + 1) * m.cfg.Window
	}
	if w > m.window+1 && target > m.tolerance {
		m.lastBad = w * m.cfg.Window
	}
	m.window, m.admitted = w, 0
}

// end closes the current step at t.
func (m *stepMeter) end(t int64) {
	if !m.open {
		return
	}
	m.closeWindows(t / m.cfg.Window)
	m.fall(t)
	if !m.checked || m.lastBad == m.ended {
		m.unsettled = true
	}
	m.settle = max(m.settle, m.lastBad-m.from)
	m.overshoot = max(m.overshoot, m.peak)
	m.payback = max(m.payback, m.peak-m.low)
}

func (m *stepMeter) close(end int64) {
	if len(m.cfg.Steps) > 0 && m.cfg.Keys == 1 {
		m.advance(end - 1)
		m.end(end)
	}
}

// tolerance returns max(5 %, 3/sqrt(limit)) of target, rounded down. Deviations
// are integers, so the rounding changes nothing.
func tolerance(target, limit int64) int64 {
	root := new(big.Int).Div(product(9, target, target), big.NewInt(limit))
	return max(target/20, root.Sqrt(root).Int64())
}

func (m *stepMeter) Figures(emit Emit) string { return stepFigures([]*stepMeter{m}, emit) }

// stepFigures emits the figures of a single policy; several have none.
func stepFigures(meters []*stepMeter, emit Emit) (none string) {
	m := meters[0]
	switch {
	case len(m.cfg.Steps) == 0:
		return "no steps declared"
	case len(meters) > 1 || m.cfg.Keys != 1:
		return "a step is measured on one key"
	case len(m.cfg.Changes) > 0:
		return "the limit changes"
	case !m.open:
		return "no step inside the span"
	}
	switch stampReason := m.cfg.tooFineFor(m.cfg.Window); {
	case stampReason != "":
		emit("settle_s", NoData(stampReason))
	case m.unsettled:
		emit("settle_s", NoData("not settled when the step ended"))
	default:
		emit.rate("settle_s", 1, m.settle, second)
	}
	if !m.overflow {
		emit.rate("overshoot", 1, m.overshoot, m.rate.p)
		emit.rate("payback", 1, m.payback, m.rate.p)
	}
	return "the overshoot does not fit in 64 bits at this limit's resolution"
}
