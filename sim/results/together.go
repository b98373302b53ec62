package results

import (
	"cmp"
	"fmt"
	"math"
)

// checkTogether returns an error for the first figures of a simulated row that contradict
// each other: counts that are not the sum of their parts, rates that do not follow from
// counts, and what the document holds of the first replication beside its figures.
func (d *Document) checkTogether() error {
	scenarios := map[string]*Scenario{}
	for i := range d.Scenarios {
		scenarios[d.Scenarios[i].Name] = &d.Scenarios[i]
	}
	rows := map[rowKey]*wholeRow{}
	for _, r := range d.Results {
		if r.Live == nil {
			rows[rowKey{r.Scenario, r.Algorithm, "", false}] = &wholeRow{result: r, scenario: scenarios[r.Scenario]}
		}
	}
	hand(rows, d.Series, func(w *wholeRow, s Series) { w.series = s })
	hand(rows, d.Shares, func(w *wholeRow, s Shares) { w.shares = s })
	hand(rows, d.ClientShares, func(w *wholeRow, s ClientShares) { w.clients = s.Clients })
	hand(rows, d.ServerLoads, func(w *wholeRow, s ServerLoads) { w.loads = s })
	hand(rows, d.Rejections, func(w *wholeRow, r Rejections) { w.rejections = r })
	hand(rows, d.Histograms, func(w *wholeRow, h Histogram) { w.histograms = append(w.histograms, h) })
	hand(rows, d.KeySeries, func(w *wholeRow, s KeySeries) { w.keys = append(w.keys, s) })
	for _, r := range d.Results {
		w := rows[rowKey{r.Scenario, r.Algorithm, "", false}]
		if w == nil {
			continue
		}
		if err := cmp.Or(w.checkReplications(), w.checkFirst()); err != nil {
			return fmt.Errorf("scenario %q, %s: %w", r.Scenario, r.Label(), err)
		}
	}
	return nil
}

// hand gives each entry of a list to its row.
func hand[T interface{ key() rowKey }](rows map[rowKey]*wholeRow, list []T, to func(*wholeRow, T)) {
	for _, x := range list {
		k := x.key()
		if w := rows[rowKey{k.scenario, k.algorithm, "", false}]; w != nil {
			to(w, x)
		}
	}
}

// wholeRow is a row with what the document holds of its first replication.
type wholeRow struct {
	result     Result
	scenario   *Scenario
	series     Series
	shares     Shares
	clients    []ClientShare
	loads      ServerLoads
	rejections Rejections
	histograms []Histogram
	keys       []KeySeries
}

// value returns a metric in a replication.
func (w *wholeRow) value(metric string, replication int) (x float64, ok bool) {
	if values := w.result.Metrics[metric].Values; replication < len(values) && values[replication] != nil {
		return *values[replication], true
	}
	return 0, false
}

// sums are figures that others add up to, of requests and of their cost.
var sums = []struct {
	total string
	parts []string
}{
	{"offered_", []string{"admitted_", "rejected_", "waiting_"}},
	{"admitted_", []string{"admitted_limiter_", "admitted_local_", "admitted_cache_", "admitted_fail_open_"}},
	{"rejected_", []string{"rejected_limiter_", "rejected_local_", "rejected_cache_", "rejected_fail_closed_", "rejected_max_wait_"}},
}

// quotients are figures that others give, times a factor: one over another, or over the
// seconds of the span if by is "".
var quotients = []struct {
	figure, of, by string
	times          float64
}{
	{"rejected_pct", "rejected_requests", "offered_requests", 100},
	{"timed_out_pct", "timed_out_requests", "offered_requests", 100},
	{"overspend_pct", "overspend_cost", "dispatched_cost", 100},
	{"refused_fitting_pct", "refused_fitting_cost", "offered_cost", 100},
	{"retry_amplification", "offered_requests", "fresh_requests", 1},
	{"client_share_max_over_min", "client_share_max_pct", "client_share_min_pct", 1},
	{"offered_per_s", "offered_cost", "", 1},
	{"offered_requests_per_s", "offered_requests", "", 1},
	{"admitted_per_s", "dispatched_cost", "", 1},
	{"admitted_requests_per_s", "dispatched_requests", "", 1},
}

// checkReplications compares the figures of each replication with each other.
func (w *wholeRow) checkReplications() error {
	for i := range w.result.Replications {
		for _, s := range sums {
			for _, of := range []string{"requests", "cost"} {
				sum, whole := 0.0, true
				for _, part := range s.parts {
					x, ok := w.value(part+of, i)
					sum, whole = sum+x, whole && ok
				}
				if err := w.gives("the sum of its parts", s.total+of, i, sum); whole && err != nil {
					return err
				}
			}
		}
		for _, q := range quotients {
			x, ok := w.value(q.of, i)
			y, known := w.value(q.by, i)
			if q.by == "" {
				y, known = w.seconds(), true
			}
			if !ok || !known || y <= 0 {
				continue
			}
			if err := w.gives(q.of, q.figure, i, q.times*x/y); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *wholeRow) seconds() float64 { return float64(w.scenario.EndNs-w.scenario.StartNs) / 1e9 }

// gives returns an error unless a figure, if there is one, is what follows from something.
func (w *wholeRow) gives(from, figure string, replication int, want float64) error {
	if has, ok := w.value(figure, replication); ok && !near(has, want) {
		return fmt.Errorf("%s is %v in replication %d, but %s gives %v", figure, has, replication+1, from, want)
	}
	return nil
}

// near reports whether two numbers are equal but for rounding.
func near(x, y float64) bool { return math.Abs(x-y) <= 1e-12*max(math.Abs(x), math.Abs(y)) }
