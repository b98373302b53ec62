package measure

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var refusedFittingMetrics = []catalog.Metric{
	{Name: "refused_fitting_cost", Unit: "tokens", Better: -1, Formula: "cost rejected in the span that an exact counter of the policy's kind, charged with the actual cost of everything that this limiter admitted until then, would have held",
		Doc: "Cost rejected although it would have fitted. Each request is judged alone, with its actual cost, at the instant of its rejection; all of them together need not fit. Only if costs become known with the answer."},
	{Name: "refused_fitting_pct", Unit: "%", Most: 100, Better: -1, Formula: "100 * refused_fitting_cost / cost offered in the span",
		Doc: "Share of the offered cost that was rejected although it would have fitted."},
	{Name: "refused_fitting_requests", Unit: "requests", Better: -1, Formula: "requests rejected in the span that this counter would have held",
		Doc: "Requests rejected although they would have fitted."},
}

// refusedFitting counts the requests that a limiter rejects although the policy would
// have held their actual costs. It charges an exact counter with what the limiter
// admits, also beyond the limit.
type refusedFitting struct {
	exact                   counting.Table
	offered, cost, requests int64
}

func newRefusedFitting(r *Recorder) Reporter {
	m := &refusedFitting{exact: r.cfg.Exact}
	if m.exact == nil { // costs are known on arrival
		return reportOnly{m}
	}
	return m
}

func (m *refusedFitting) Flow(f *Flow) {
	if !f.early {
		m.offered += f.Sum.Offered
	}
	for i, t := range f.Time {
		if cost := f.Admitted[i]; cost > 0 {
			for _, key := range f.keysOf(i) {
				m.exact.Correct(key, t, t, cost, true)
			}
		}
		if cost := f.rejected(i); cost > 0 && !f.early && m.fits(f.keysOf(i), t, cost) {
			m.cost += cost
			m.requests++
		}
	}
}

// fits reports whether the policies of all keys would hold a cost now.
func (m *refusedFitting) fits(keys []int32, now, cost int64) bool {
	for _, key := range keys {
		if m.exact.Level(key, now) < cost {
			return false
		}
	}
	return true
}

// keysOf returns the keys of row i.
func (f *Flow) keysOf(i int) []int32 {
	if f.First != nil {
		return f.Keys[f.First[i]:f.First[i+1]]
	}
	return f.Key[i : i+1]
}

// rejected returns the cost that row i rejects.
func (f *Flow) rejected(i int) int64 {
	if f.Rejected == nil {
		return f.Offered[i] - f.Admitted[i]
	}
	return f.Rejected[i]
}

func (m *refusedFitting) Figures(emit Emit) string {
	if m.exact == nil {
		return knownOnArrival
	}
	emit.count("refused_fitting_cost", m.cost)
	emit.count("refused_fitting_requests", m.requests)
	emit.ratio("refused_fitting_pct", 100, m.cost, m.offered)
	return noTraffic
}
