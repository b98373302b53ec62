package batchreported

import (
	"math"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Load is steady traffic on one key, as closed forms take it. Nothing here is
// on the way to a decision: these are floats for people to read.
type Load struct {
	Offered  float64 // cost/s, all clients together, spread evenly
	Cost     float64 // of a request
	Poisson  bool    // arrivals are independent; else evenly spaced
	AtRandom bool    // each request goes to any client; else to the next in turn
	Latency  float64 // s, of a report and its answer, on average
	Tail     float64 // s, its 99th percentile; the mean where it does not vary
	Before   float64 // s that the load has lasted when it is looked at
	Span     float64 // s that it is looked at; 0 is without end
}

// varies reports whether latencies differ from call to call.
func (l *Load) varies() bool { return l.Tail != l.Latency }

// Predict applies the closed forms that hold for the configuration.
func (c *Config) Predict(load Load) catalog.Prediction {
	s := c.under(load)
	counted := c.Bucket != nil && c.RejectTil && !c.RejectionRate
	lossy := c.ReportLoss.Num > 0 || c.ReportDuplicate.Num > 0
	switch {
	case c.Local != nil:
		return catalog.NoPrediction("a local limiter decides together with the answers")
	case c.Sample.Num < c.Sample.Den:
		return catalog.NoPrediction("sampled requests add noise of their own")
	case c.stored:
		return catalog.NoPrediction("the way to the store adds to that of the answers")
	case c.SkewBy > 0 && c.SkewShare.Num > 0:
		return catalog.NoPrediction("clocks that are off have no closed form here")
	case lossy && (c.Resend || !counted):
		return catalog.NoPrediction("faults have no closed form here")
	case c.Timeout > 0 && load.Tail*1e9 >= float64(c.Timeout):
		return catalog.NoPrediction("answers come after their report was given up")
	case c.AsDuration && load.Latency > 0:
		return catalog.NoPrediction("a span ends after its window, by an answer's way")
	case s.k <= 1:
		return catalog.NoPrediction("the offered load does not exceed the limit")
	case c.RejectionRate && c.RejectTil:
		return catalog.NoPrediction("reject-until times and rejection rates act together")
	case c.RejectionRate:
		return c.predictRate(s)
	case counted:
		return c.predictDebt(s)
	case c.CountSent:
		return catalog.NoPrediction("hits that arrive after their window are dropped")
	case c.Offsets != nil:
		return catalog.NoPrediction("offsets of one's own")
	case s.unsaturated():
		return catalog.NoPrediction("some windows are offered less than the limit")
	}
	p := c.predictWindows(s)
	if rest := math.Mod(s.Span, s.w); p.LongRun.Formula != "" && min(rest, s.w-rest) > 1e-6 && s.left > 0.01*s.Span {
		p.LongRun = catalog.Predicted{Why: "what is looked at ends within a window, when its limit may have been reached already"}
	}
	return p
}

// steadily is a configuration under a load, in what the closed forms are made of.
type steadily struct {
	Load
	k     float64 // offered/limit
	w, d  float64 // s, the window and the interval
	n     float64 // clients
	limit float64 // requests per window
	each  float64 // requests per client and interval
	left  float64 // s of a window that are left when the limit has been offered
	sway  float64 // s, three standard deviations of that
}

func (c *Config) under(load Load) steadily {
	s := steadily{Load: load, w: float64(c.Limit.Window) / 1e9, d: float64(c.Interval) / 1e9, n: float64(c.Clients)}
	s.limit = float64(c.Limit.Count) / load.Cost
	s.k = load.Offered * s.w / float64(c.Limit.Count)
	s.each = load.Offered / load.Cost * s.d / s.n
	s.left = s.w - s.w/s.k
	if load.Poisson {
		s.sway = 3 * s.w / (s.k * math.Sqrt(s.limit))
	}
	return s
}

// unsaturated reports whether windows are offered less than the limit now and
// then, though the load exceeds it on average.
func (s *steadily) unsaturated() bool {
	return s.left < s.sway || (s.k-1)*s.limit < 1
}

// independent reports whether a client's requests come independently of each
// other, not at about the same distance.
func (s *steadily) independent() bool { return s.AtRandom && s.n > 1 || s.Poisson && s.n == 1 }

// busy says whether practically every client has a request in every interval,
// and so learns of a limit at its next tick; else it says what is missing.
func (s *steadily) busy() (bool, string) {
	switch {
	case s.independent():
		return s.each >= 5, "fewer than 5 requests per client and interval: who has nothing to report learns nothing"
	case s.Poisson: // the distance of a client's requests is a sum of n
		return s.each >= 2+8/s.n, "fewer than 2 requests per client and interval: who has nothing to report learns nothing"
	}
	return s.each >= 1, "less than one request per client and interval: who has nothing to report learns nothing"
}

// together says whether all clients are known to report at the same instants.
func (c *Config) together() bool {
	return c.Offsets == nil && (c.Clients == 1 || c.atOneTime())
}
