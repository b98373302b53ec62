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
	why := catalog.Reasons{
		{!c.CountRejected, "an estimate without rejected cost oscillates with a period of two seconds"},
		{c.Estimate.Kind != PreviousSecond, "the closed form holds for the estimate previous-second"},
		{s.varies(), "with varying latency a report counts in one second or the next"},
		{s.d+s.Latency > 0.3, "a rate is used long after its second: interval and latency exceed 0.3 s"},
		{s.Before < 2+s.d+s.Latency, "the measured span contains the first seconds, whose rates have no previous second"},
		{int64(1e9)%c.Interval != 0, "a second that is not a multiple of the interval holds a varying number of reports"},
		{c.Limit.Window%1e9 != 0 && 1e9%c.Limit.Window != 0, "the closed form holds for windows that divide a second or are whole seconds"},
		{!busy && requests < needed, "clients with few requests lose their rate before their next report"},
		{spare < 0, "clients lose their rate before the next answer"},
		{(c.Diffusion || !s.Poisson) && s.n > s.limit/50, "many clients with few requests each, which count in one second or the next together"},
		{s.Poisson && offered < 100, "fewer than 100 requests per second give a poor estimate"},
		{s.Poisson && (s.k-1)*perSecond < 3*math.Sqrt(offered), "some seconds are offered less than the limit"},
	}.First()
	if why != "" {
		return catalog.NoPrediction(why)
	}
	// The contributions of arrivals and estimate, and of the coin.
	drawn, coin := 0.0, s.limit*(1-1/s.k)
	if s.w < 1 {
		drawn = (1 + s.w) * s.limit / s.k
	} else {
		drawn = 2 * perSecond / s.k
	}
	var variance float64
	var formula string
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
