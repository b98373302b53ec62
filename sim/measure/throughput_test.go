package measure

import "testing"

func init() { referenceModels = append(referenceModels, (*world).referenceThroughput) }

func (w *world) referenceThroughput(fig map[string]float64) {
	in := func(r row) bool { return w.inSpan(r.time) }
	left, requests, attempts := w.sum(admitted, in), int64(0), int64(0)
	for _, r := range w.rows {
		if in(r) && r.admitted > 0 {
			requests++
		}
	}
	for _, o := range append(append([]Outcome{}, w.immediate...), w.outcomes...) {
		if w.inSpan(o.Arrival) {
			attempts++
		}
	}
	fig["dispatched_cost"], fig["dispatched_requests"] = float64(left), float64(requests)
	if attempts == 0 && requests == 0 {
		return
	}
	perSecond := func(n int64) float64 { return asFloat(rat(n, 1).Mul(rat(n, 1), rat(1e9, w.cfg.End-w.cfg.Start))) }
	fig["offered_per_s"], fig["offered_requests_per_s"] = perSecond(w.sum(offered, in)), perSecond(attempts)
	fig["admitted_per_s"], fig["admitted_requests_per_s"] = perSecond(left), perSecond(requests)
}

// A request that arrives before the span and leaves within it counts as dispatched,
// one that leaves after it does not.
func TestThroughput(t *testing.T) {
	const s = int64(1e9)
	c := plain(10, s, 10, 3*s)
	c.Start = s
	v := measureRows(t, c,
		row{time: 0, offered: 4}, row{time: s, admitted: 4}, row{time: s, offered: 3}, row{time: 2 * s, offered: 2, admitted: 2}, row{time: 3*s - 1, admitted: 3},
		row{time: 3*s - 1, offered: 1}, row{time: 3 * s, admitted: 1})
	for name, want := range map[string]float64{"dispatched_cost": 9, "dispatched_requests": 3, "admitted_per_s": 4.5, "admitted_requests_per_s": 1.5, "offered_per_s": 3} {
		if v[name].X != want {
			t.Errorf("%s is %v, want %v", name, v[name].X, want)
		}
	}
}
