package bounds

import "github.com/limitgauge/limitgauge/live/exchange"

// Figure is one metric of a real limiter. The truth is from Lo to Hi.
type Figure struct {
	Name   string
	Lo, Hi float64
	Seen   float64 // with each request counted when it was answered: from Lo to Hi
	None   string  // why there is no figure, or ""
}

// Figures returns the metrics of a real limiter, and the key that is furthest over its
// limit, or "".
func Figures(exchanges []exchange.Exchange, s Settings, rep *Report) (figures []Figure, worstKey string, err error) {
	c := rep.Counts
	if c.Sent.Requests == 0 {
		return nil, "", nil
	}
	share := func(n int64) float64 { return 100 * float64(n) / float64(c.Sent.Requests) }
	exact := func(name string, x float64) Figure { return Figure{Name: name, Lo: x, Hi: x, Seen: x} }
	rejected, failed := c.Rejected.Requests, c.Failed.Requests
	return []Figure{
		exact("offered_requests", float64(c.Sent.Requests)), exact("offered_cost", float64(c.Sent.Cost)),
		{Name: "rejected_pct", Lo: share(rejected), Hi: share(rejected + failed), Seen: share(rejected)},
		exact("failed_requests", float64(failed)), exact("failed_pct", share(failed)),
	}, "", nil
}
