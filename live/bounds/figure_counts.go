package bounds

import (
	"slices"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// exact returns a figure that is known.
func exact(name string, x float64) Figure { return Figure{Name: name, Lo: x, Hi: x, Seen: x} }

// countFigures returns the figures of counts. A failed request may have been admitted or
// rejected.
func countFigures(c *Counts) []Figure {
	figures := []Figure{
		exact("offered_requests", float64(c.Sent.Requests)), exact("offered_cost", float64(c.Sent.Cost)),
	}
	for _, x := range []struct {
		name string
		of   Amount
	}{{"admitted", c.Admitted}, {"rejected", c.Rejected}} {
		requests, cost := float64(x.of.Requests), float64(x.of.Cost)
		figures = append(figures,
			Figure{Name: x.name + "_requests", Lo: requests, Hi: float64(x.of.Requests + c.Failed.Requests), Seen: requests},
			Figure{Name: x.name + "_cost", Lo: cost, Hi: float64(x.of.Cost + c.Failed.Cost), Seen: cost})
	}
	rejected, failed := Figure{Name: "rejected_pct", None: noTraffic}, Figure{Name: "failed_pct", None: noTraffic}
	if n := c.Sent.Requests; n > 0 {
		least := ratio(100, c.Rejected.Requests, n)
		rejected = Figure{Name: "rejected_pct", Lo: least, Hi: ratio(100, c.Rejected.Requests+c.Failed.Requests, n), Seen: least}
		failed = exact("failed_pct", ratio(100, c.Failed.Requests, n))
	}
	return append(figures, rejected, exact("failed_requests", float64(c.Failed.Requests)), failed)
}

// latencyFigures returns the figures of latencies, which are exact: of the time from
// sending to the verdict, with the wait of an admitted request, and of that wait if
// there is any.
func latencyFigures(records []*record) []Figure {
	var decision, wait []int64
	waited := false
	for _, r := range records {
		for _, e := range r.asked {
			switch took := e.AnsweredNs - e.SentNs; e.Verdict {
			case exchange.Admitted:
				decision = append(decision, took+e.WaitNs)
				wait = append(wait, e.WaitNs)
				waited = waited || e.WaitNs > 0
			case exchange.Rejected:
				decision = append(decision, took)
			}
		}
	}
	figures := statistics("decision_latency", decision)
	if waited {
		figures = append(figures, statistics("wait", wait)...)
	}
	return figures
}

// statistics returns the mean, quantiles by nearest rank and the largest of durations
// in ns, which it sorts.
func statistics(name string, durations []int64) []Figure {
	slices.Sort(durations)
	var figures []Figure
	for _, q := range []struct {
		name     string
		permille int
	}{{"mean", 0}, {"p50", 500}, {"p90", 900}, {"p99", 990}, {"p999", 999}, {"max", 1000}} {
		f := Figure{Name: name + "_" + q.name + "_ms", None: "no decisions"}
		switch n := len(durations); {
		case n == 0:
		case q.permille == 0:
			sum := 0.0
			for _, d := range durations {
				sum += float64(d)
			}
			f = exact(f.Name, sum/float64(n)/1e6)
		default:
			f = exact(f.Name, float64(durations[(n*q.permille+999)/1000-1])/1e6)
		}
		figures = append(figures, f)
	}
	return figures
}
