package batchreported

import (
	"math"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// predictRate adds up what makes a window's count random: the coin (or none),
// the thinned arrivals, and the estimate that the rate was computed from, the
// count of a whole second. A second that was busier than others lets more
// through itself and less in the next one: of all seconds in a window only the
// estimate of the first and the arrivals of the last are left.
func (c *Config) predictRate(s steadily) catalog.Prediction {
	perSecond := s.limit / s.w // requests
	offered := s.k * perSecond
	ttl := float64(c.RateTTL) / 1e9
	spare := ttl - s.d // for a client without requests
	requests := offered / s.n * spare
	busy, _ := s.busy()
	needed := 2.0
	if s.independent() {
		needed = 5
	}
	switch {
	case !c.CountRejected:
		return catalog.NoPrediction("an estimate without refused cost swings with a period of two seconds")
	case c.Estimate.Kind != PreviousSecond:
		return catalog.NoPrediction("given for the estimate previous-second")
	case s.varies():
		return catalog.NoPrediction("reports whose latency varies are counted in one second or the next")
	case s.d+s.Latency > 0.3:
		return catalog.NoPrediction("a rate is in use long after the second that it is for: interval and latency come to more than 0.3 s")
	case s.Before < 2+s.d+s.Latency:
		return catalog.NoPrediction("the rates of the first seconds, which know no second before, are among what is looked at")
	case int64(1e9)%c.Interval != 0:
		return catalog.NoPrediction("seconds that are no multiple of the interval hold more or fewer reports")
	case c.Limit.Window%1e9 != 0 && 1e9%c.Limit.Window != 0:
		return catalog.NoPrediction("given for windows that divide a second, or hold whole ones")
	case !busy && requests < needed:
		return catalog.NoPrediction("clients with few requests forget their rate before they have anything to report")
	case spare < 0:
		return catalog.NoPrediction("clients forget their rate before the next answer")
	case (c.Diffusion || !s.Poisson) && s.n > s.limit/50:
		return catalog.NoPrediction("few requests of many clients, which go to one second or the next together")
	case s.Poisson && offered < 100:
		return catalog.NoPrediction("fewer than 100 requests a second make a poor estimate")
	case s.Poisson && (s.k-1)*perSecond < 3*math.Sqrt(offered):
		return catalog.NoPrediction("some seconds are offered less than the limit")
	}
	// What arrivals and estimate, and the coin, add to a window's variance.
	drawn, coin := 0.0, s.limit*(1-1/s.k)
	if s.w < 1 {
		drawn = (1 + s.w) * s.limit / s.k
	} else {
		drawn = 2 * perSecond / s.k
	}
	var variance float64
	var formula, why string
	switch {
	case !c.Diffusion && s.Poisson:
		variance, formula, why = coin+drawn, "sqrt(L*(1-1/k)+2*L/(k*w))/L", "coin, thinned arrivals and estimate; w in s"
		switch {
		case s.w == 1:
			formula = "sqrt(L*(1+1/k))/L"
		case s.w < 1:
			formula = "sqrt(L*(1+w/k))/L"
		}
	case !c.Diffusion:
		variance, formula, why = coin, "sqrt(L*(1-1/k))/L", "the coin alone"
	case s.Poisson:
		variance, formula, why = drawn, "sqrt(2*L/(k*w))/L", "thinned arrivals and estimate; w in s"
		if s.w < 1 {
			formula = "sqrt((1+w)*L/k)/L"
		}
	default:
		formula, why = "0", "neither coin nor arrivals are random"
	}
	sd := math.Sqrt(variance) / s.limit
	return catalog.Prediction{
		OverLimit: catalog.Predicted{Value: sd / math.Sqrt(2*math.Pi), Formula: "noise/sqrt(2*pi)", Why: "the upper half of the noise"},
		LongRun:   catalog.Predicted{Value: 1, Formula: "1", Why: "rejecting (k-1)/k of k times the limit"},
		Noise:     catalog.Predicted{Value: sd, Formula: formula, Why: why},
	}
}
