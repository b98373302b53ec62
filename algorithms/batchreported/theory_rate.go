package batchreported

import (
	"math"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// predictRate adds the variances of a window's count: of the coin (if there is
// one), of the thinned arrivals, and of the estimate behind the rate, which is
// the count of a whole second. A second with more arrivals admits more itself and
// less in the next one, so of all seconds in a window only the estimate of the
// first and the arrivals of the last contribute.
func (c *Config) predictRate(s steadyLoad) catalog.Prediction {
	perSecond := s.limit / s.w // requests
	offered := s.k * perSecond
	ttl := float64(c.RateTTL) / 1e9
	spare := ttl - s.d // s for which a rate outlives its interval
	requests := offered / s.n * spare
	busy, _ := s.busy()
	needed := 2.0
	if s.independent() {
		needed = 5
	}
	switch {
	case !c.CountRejected:
		return catalog.NoPrediction("an estimate without rejected cost oscillates with a period of two seconds")
	case c.Estimate.Kind != PreviousSecond:
		return catalog.NoPrediction("the closed form holds for the estimate previous-second")
	case s.varies():
		return catalog.NoPrediction("with varying latency a report counts in one second or the next")
	case s.d+s.Latency > 0.3:
		return catalog.NoPrediction("a rate is used long after its second: interval and latency exceed 0.3 s")
	case s.Before < 2+s.d+s.Latency:
		return catalog.NoPrediction("the measured span contains the first seconds, whose rates have no previous second")
	case int64(1e9)%c.Interval != 0:
		return catalog.NoPrediction("a second that is not a multiple of the interval holds a varying number of reports")
	case c.Limit.Window%1e9 != 0 && 1e9%c.Limit.Window != 0:
		return catalog.NoPrediction("the closed form holds for windows that divide a second or are whole seconds")
	case !busy && requests < needed:
		return catalog.NoPrediction("clients with few requests lose their rate before their next report")
	case spare < 0:
		return catalog.NoPrediction("clients lose their rate before the next answer")
	case (c.Diffusion || !s.Poisson) && s.n > s.limit/50:
		return catalog.NoPrediction("many clients with few requests each, which count in one second or the next together")
	case s.Poisson && offered < 100:
		return catalog.NoPrediction("fewer than 100 requests per second give a poor estimate")
	case s.Poisson && (s.k-1)*perSecond < 3*math.Sqrt(offered):
		return catalog.NoPrediction("some seconds are offered less than the limit")
	}
	// The contributions of arrivals and estimate, and of the coin.
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
		variance, formula, why = coin, "sqrt(L*(1-1/k))/L", "only the coin"
	case s.Poisson:
		variance, formula, why = drawn, "sqrt(2*L/(k*w))/L", "thinned arrivals and estimate; w in s"
		if s.w < 1 {
			formula = "sqrt((1+w)*L/k)/L"
		}
	default:
		formula, why = "0", "neither the coin nor the arrivals are random"
	}
	sd := math.Sqrt(variance) / s.limit
	return catalog.Prediction{
		OverLimit: catalog.Predicted{Value: sd / math.Sqrt(2*math.Pi), Formula: "noise/sqrt(2*pi)", Why: "the upper half of the noise"},
		LongRun:   catalog.Predicted{Value: 1, Formula: "1", Why: "a share of (k-1)/k of k times the limit is rejected"},
		Noise:     catalog.Predicted{Value: sd, Formula: formula, Why: why},
	}
}
