package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var overspendMetrics = []catalog.Metric{
	{Name: "overspend_cost", Unit: "tokens", Better: -1, Formula: "sum over admissions in the span of the part of their cost that is above the limit of their calendar window: sum over keys and j of max(0, A_j-L)",
		Doc: "Actual cost admitted beyond the limit. A request counts with its actual cost in the calendar window of its dispatch. The part of it that the requests before it have left no room for is overspent. Only if costs become known with the answer; the policy's own burst counts, as the reference row shows."},
	{Name: "overspend_pct", Unit: "%", Most: 100, Better: -1, Formula: "100 * overspend_cost / cost admitted in the span",
		Doc: "Share of the admitted cost that is beyond the limit of its calendar window."},
	{Name: "overspend_window_max", Unit: "tokens", Better: -1, Formula: "max over keys and j of the overspend in window j",
		Doc: "Largest overspend of one key in one calendar window."},
	{Name: "overspend_requests", Unit: "requests", Better: -1, Formula: "admissions in the span whose cost, with what was admitted before them in their calendar window, is above L",
		Doc: "Requests admitted that are beyond the limit, in whole or in part."},
}

// knownOnArrival is the reason if a metric of settled costs has no figure.
const knownOnArrival = "costs are known on arrival"

// overspend holds what a limiter admitted beyond the limit.
type overspend struct {
	cfg                               *Config
	admitted, cost, requests, largest int64
	bins                              binned // cost; empty if costs are known on arrival
}

// overspendMeter measures the overspend. It receives the flow only if costs become
// known with the answer.
type overspendMeter struct {
	*overspend
	limits windowLimits
	keys   []spentWindow
}

// spentWindow is what one key was admitted in its latest calendar window with any
// admission, and the part of it that was overspent in the span.
type spentWindow struct{ index, spent, over int64 }

func newOverspend(r *Recorder) Reporter {
	r.overspend = &overspend{cfg: &r.cfg}
	if r.cfg.Settles {
		r.overspend.bins = newBinned(&r.cfg)
		r.join(&overspendMeter{r.overspend, r.cfg.windowLimits(), make([]spentWindow, r.cfg.Keys)})
	}
	return r.overspend
}

func (m *overspendMeter) Flow(f *Flow) {
	times, costs, keys := f.admitted()
	for i, t := range times {
		k, cost, window := &m.keys[keys[i]], costs[i], t/m.cfg.Window
		if window != k.index {
			*k = spentWindow{index: window}
		}
		k.spent += cost
		over := min(cost, max(0, k.spent-m.limits.in(window)))
		if f.early {
			continue
		}
		m.admitted += cost
		if over > 0 {
			k.over += over
			m.cost += over
			m.requests++
			m.largest = max(m.largest, k.over)
			m.bins.add(t, over)
		}
	}
}

func (m *overspend) Figures(emit Emit) string { return overspendFigures([]*overspend{m}, emit) }

// overspendFigures emits the overspend of all policies. A request counts for each
// policy that it exceeds.
func overspendFigures(policies []*overspend, emit Emit) (none string) {
	var all overspend
	for _, m := range policies {
		if !m.cfg.Settles {
			return knownOnArrival
		}
		if none := m.cfg.tooFineFor(m.cfg.Window); none != "" {
			return none
		}
		all.admitted += m.admitted
		all.cost += m.cost
		all.requests += m.requests
		all.largest = max(all.largest, m.largest)
	}
	emit.count("overspend_cost", all.cost)
	emit.count("overspend_requests", all.requests)
	if all.admitted > 0 {
		emit.count("overspend_window_max", all.largest)
	}
	emit.ratio("overspend_pct", 100, all.cost, all.admitted)
	return "nothing admitted"
}
