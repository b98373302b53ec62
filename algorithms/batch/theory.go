package batch

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/ticks"
)

// Load is steady traffic on one key, as closed forms take it. Nothing here is
// on the way to a decision: these are floats for people to read.
type Load struct {
	Offered float64 // cost/s, all clients together, spread evenly
	Poisson bool    // arrivals are independent; else evenly spaced
	Latency float64 // s, of a report and its answer, on average
	Varies  bool    // it differs from call to call
}

// Prediction is what theory says of a setting under steady load. A part whose
// Formula is empty has no closed form.
type Prediction struct {
	OverLimit Predicted // mean excess of a saturated window, share of the limit
	LongRun   Predicted // admitted over the limit's rate
	Noise     Predicted // standard deviation of a window's admitted cost, share of the limit
}

// Predicted is one figure of a Prediction.
type Predicted struct {
	Value   float64
	Formula string
	Why     string // where the formula comes from, or why there is none
}

// Predict applies the closed forms that fit the configuration.
//
// Fixed windows, k = offered/limit, d = interval, l = latency, w = window, N
// clients: the window is full when the count that the server knows reaches L.
// Then reports of the other clients are on average d/2 old and those clients
// learn of it d/2 later, each client but one, and half of the report that
// crossed the line is too much: with a call's latency on top the fleet is
// k*(d*(1-1/(2N))+l)/w ahead. Clients that report together cross the line at
// the first tick at which k*n*d >= w, and learn of it l later.
func (c *Config) Predict(load Load) Prediction {
	limit, window := float64(c.Limit.Count), float64(c.Limit.Window)/1e9
	k := load.Offered * window / limit
	switch {
	case c.Local != nil:
		return without("a local limiter decides together with the answers")
	case c.Sample.Num < c.Sample.Den:
		return without("sampled requests add noise of their own")
	case c.stored:
		return without("the way to the store adds to that of the answers")
	case c.Bucket != nil && !c.Resend && c.SkewBy == 0 && k > 1 && !c.RejectionRate:
		return c.predictDebt()
	case c.ReportLoss.Num > 0 || c.ReportDuplicate.Num > 0 || c.SkewBy > 0 && c.SkewShare.Num > 0:
		return without("faults have no closed form here")
	case k <= 1:
		return without("the offered load does not exceed the limit")
	case c.RejectionRate && c.RejectTil:
		return without("reject-until times and rejection rates act together")
	case c.RejectionRate:
		return c.predictRate(k, limit, load)
	case c.Bucket != nil:
		return c.predictDebt()
	case c.CountSent:
		return without("hits that arrive after their window are dropped")
	}
	return c.predictWindow(k, window, load)
}

func without(why string) Prediction {
	none := Predicted{Why: why}
	return Prediction{none, none, none}
}

func (c *Config) predictWindow(k, window float64, load Load) Prediction {
	d, n := float64(c.Interval)/1e9, float64(c.Clients)
	var over float64
	var formula string
	switch {
	case c.Offsets != nil:
		return without("offsets of one's own")
	case c.together() && c.Phase != ticks.Aligned:
		over, formula = k*(d/2+load.Latency)/window, "k*(d/2+l)/w"
	case c.together() && load.Varies:
		return without("latencies that vary scatter aligned reports")
	case c.together():
		if c.Limit.Window%c.Interval != 0 {
			return without("windows that are no multiple of the interval drift through it")
		}
		intervals := math.Ceil(window/(k*d) - 1e-9)
		over, formula = k*(intervals*d+load.Latency)/window-1, "k*(ceil(w/(k*d))*d+l)/w - 1"
	default:
		over, formula = k*(d*(1-1/(2*n))+load.Latency)/window, "k*(d*(1-1/(2N))+l)/w"
	}
	over = min(over, k-1)
	return Prediction{
		OverLimit: Predicted{Value: over, Formula: formula},
		LongRun:   Predicted{Value: 1 + over, Formula: "1 + over-limit", Why: "every window starts anew"},
		Noise:     Predicted{Why: "depends on where in a report the limit falls"},
	}
}

// together says whether all clients are known to report at the same instants.
func (c *Config) together() bool {
	return c.Clients == 1 || c.Offsets == nil && (c.Phase == ticks.Aligned || c.Phase == ticks.CommonRandom)
}

func (c *Config) predictDebt() Prediction {
	p := without("windows hold whole bursts of one interval")
	p.Noise.Why = "bursts of one interval come and go with their own period"
	switch {
	case c.RefillFirst:
		p.LongRun.Why = "a refill before the debit is cut at the burst"
	case !c.together():
		p.LongRun.Why = "clients that report apart are told of debt that is already paid"
	case c.ReportLoss.Num > 0 || c.ReportDuplicate.Num > 0:
		lost := float64(c.ReportLoss.Num) / float64(c.ReportLoss.Den)
		twice := float64(c.ReportDuplicate.Num) / float64(c.ReportDuplicate.Den)
		p.LongRun = Predicted{Value: 1 / ((1 - lost) * (1 + twice)), Formula: "1/((1-p)*(1+q))",
			Why: "debt counts a share p of lost reports not at all, and a share q of the others twice"}
	default:
		p.LongRun = Predicted{Value: 1, Formula: "1", Why: "debt is paid before anything is let through"}
	}
	return p
}

// predictRate adds up what makes a window's count random: the coin (or none),
// the thinned arrivals, and the estimate that the rate was computed from.
func (c *Config) predictRate(k, limit float64, load Load) Prediction {
	if !c.CountRejected {
		return without("an estimate without refused cost swings with a period of two seconds")
	}
	if c.Estimate.Kind != PreviousSecond {
		return without("given for the estimate previous-second")
	}
	variance, formula, why := 0.0, "0", "neither coin nor arrivals are random"
	switch {
	case !c.Diffusion && load.Poisson:
		variance, formula, why = limit*(1+1/k), "sqrt(L*(1+1/k))/L", "coin, thinned arrivals and estimate"
	case !c.Diffusion:
		variance, formula, why = limit*(1-1/k), "sqrt(L*(1-1/k))/L", "the coin alone"
	case load.Poisson:
		variance, formula, why = limit*2/k, "sqrt(2*L/k)/L", "thinned arrivals and estimate"
	}
	sd := math.Sqrt(variance) / limit
	return Prediction{
		OverLimit: Predicted{Value: sd / math.Sqrt(2*math.Pi), Formula: "noise/sqrt(2*pi)", Why: "the upper half of the noise"},
		LongRun:   Predicted{Value: 1, Formula: "1", Why: "rejecting (k-1)/k of k times the limit"},
		Noise:     Predicted{Value: sd, Formula: formula, Why: why},
	}
}
