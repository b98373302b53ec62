package batchreported

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Load is steady traffic on one key, the input of the closed forms. The closed
// forms are floating-point figures for display; no decision depends on them.
type Load struct {
	Offered  float64 // cost/s of all clients together, spread evenly
	Cost     float64 // of a request
	Poisson  bool    // arrivals are independent; otherwise evenly spaced
	AtRandom bool    // each request goes to a random client; otherwise to the next one in turn
	Latency  float64 // s, mean of a report and its answer
	Tail     float64 // s, its 99th percentile; equal to Latency if it is constant
	Before   float64 // s of load before the measured span
	Span     float64 // s, the measured span; 0 means without end
	Conditions
}

// varies reports whether the latency is not constant.
func (l *Load) varies() bool { return l.Tail != l.Latency }

// Predict returns the closed forms that hold for the configuration under load.
func (c *Config) Predict(load Load) catalog.Prediction {
	s := c.under(load)
	counted := c.Bucket != nil && c.RejectTil && !c.RejectionRate
	byWindow := !counted && !c.RejectionRate
	lossy := load.ReportLoss.Num > 0
	why := catalog.Reasons{
		{c.Local != nil, "a local limiter also rejects requests"},
		{c.Sample.Num < c.Sample.Den, "sampling adds noise"},
		{load.stored, "the network between servers and store adds to the latency"},
		{load.SkewBy > 0 && load.SkewShare.Num > 0, "there is no closed form for clock errors"},
		{lossy && (load.Resend || !counted), "there is no closed form for lost or duplicated reports"},
		{c.AsDuration && load.Latency > 0, "a duration from the answer's arrival ends after its window"},
		{s.k <= 1, "the offered load does not exceed the limit"},
		{c.RejectionRate && c.RejectTil, "reject-until times and rejection rates act together"},
		{byWindow && c.CountSent, "hits that arrive after their window are dropped"},
		{byWindow && c.Offsets != nil, "there is no closed form for given offsets"},
		{byWindow && s.unsaturated(), "some windows are offered less than the limit"},
	}.First()
	switch {
	case why != "":
		return catalog.NoPrediction(why)
	case c.RejectionRate:
		return c.predictRate(s)
	case counted:
		return c.predictDebt(s)
	}
	p := c.predictApart(s)
	if c.synchronized() {
		p = c.predictTogether(s)
	}
	if rest := math.Mod(s.Span, s.w); p.LongRun.Formula != "" && min(rest, s.w-rest) > 1e-6 && s.left > 0.01*s.Span {
		p.LongRun = catalog.Predicted{Why: "the measured span ends within a window, whose limit may already have been reached"}
	}
	return p
}

// steadyLoad is a configuration under a load, in the terms of the closed forms.
type steadyLoad struct {
	Load
	k     float64 // offered/limit
	w, d  float64 // s, the window and the interval
	n     float64 // clients
	limit float64 // requests per window
	each  float64 // requests per client and interval
	left  float64 // s from when the limit has been offered to the window's end
	sway  float64 // s, three standard deviations of left
}

func (c *Config) under(load Load) steadyLoad {
	s := steadyLoad{Load: load, w: float64(c.Limit.Window) / 1e9, d: float64(c.Interval) / 1e9, n: float64(c.Clients)}
	s.limit = float64(c.Limit.Count) / load.Cost
	s.k = load.Offered * s.w / float64(c.Limit.Count)
	s.each = load.Offered / load.Cost * s.d / s.n
	s.left = s.w - s.w/s.k
	if load.Poisson {
		s.sway = 3 * s.w / (s.k * math.Sqrt(s.limit))
	}
	return s
}

// unsaturated reports whether some windows are offered less than the limit,
// although the load exceeds it on average.
func (s *steadyLoad) unsaturated() bool {
	return s.left < s.sway || (s.k-1)*s.limit < 1
}

// independent reports whether the requests of one client arrive independently of
// each other, not at nearly constant distances.
func (s *steadyLoad) independent() bool { return s.AtRandom && s.n > 1 || s.Poisson && s.n == 1 }

// busy reports whether almost every client has a request in every interval, and
// therefore learns of a limit at its next tick. If not, it returns the reason.
func (s *steadyLoad) busy() (bool, string) {
	switch {
	case s.independent():
		return s.each >= 5, "fewer than 5 requests per client and interval: a client without a report gets no answer"
	case s.Poisson: // the distance of a client's requests is a sum of n exponential ones
		return s.each >= 2+8/s.n, "fewer than 2 requests per client and interval: a client without a report gets no answer"
	}
	return s.each >= 1, "less than one request per client and interval: a client without a report gets no answer"
}

// synchronized reports whether all clients are known to report at the same times.
func (c *Config) synchronized() bool {
	return c.Offsets == nil && (c.Clients == 1 || c.Phase == ticks.Aligned || c.Phase == ticks.CommonRandom)
}
