package settlement

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/settlement"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/theory"
)

// Settles reports whether costs of a scenario's requests become known with their answers.
func Settles(s *scenarios.Scenario) bool { return len(s.Traffic) > 0 && s.Traffic[0].Settles() }

// Predict applies the closed forms to the first algorithm of a scenario, which decides
// each request when it arrives.
func Predict(s *scenarios.Scenario) catalog.Prediction {
	a, traffic := &s.Algorithms[0], &s.Traffic[0]
	estimate, actual := traffic.Cost.Values.Choice("estimate"), traffic.Cost.Values.Choice("actual")
	e, eKnown := costOf(estimate)
	c, cKnown := costOf(actual)
	answer := theory.TimeOf(traffic.Answer)
	why := append(theory.Steady(s), catalog.Reasons{
		{!countsWindows(s), "given for fixed windows"},
		{!eKnown || !cKnown, "given for costs and estimates that are constant, uniform, or exponential with a mean of 100 or more"},
		{traffic.Answer.Name == "per_token", "given for answers whose time does not depend on their cost"},
	}...).First()
	if why != "" {
		return catalog.NoPrediction(why)
	}
	config, err := settlement.ConfigFrom(a.Options, 0)
	if err != nil {
		return catalog.NoPrediction(err.Error())
	}
	return config.Predict(settlement.Load{
		Requests: traffic.Options.Rate("rate").PerSecond(),
		Estimate: e.mean, Cost: c.mean, Refunds: c.least < e.most,
		Answer: answer.Mean, Tail: answer.P99,
		Limit: float64(s.Policy.Limit.Count), Window: float64(s.Policy.Limit.Per) / 1e9,
	})
}

// countsWindows reports whether what the first algorithm's counter takes just before the
// end of a window stops counting at that end.
func countsWindows(s *scenarios.Scenario) bool {
	a, limit := &s.Algorithms[0], theory.LimitOf(s)
	table, err := counting.New(a.Counter, limit, a.Options, 0)
	return err == nil && table.CountsUntil(limit.Window-1) == limit.Window
}

// cost describes a distribution of tokens.
type cost struct{ mean, least, most float64 }

func costOf(d catalog.Choice) (c cost, known bool) {
	number := func(field string) float64 { return float64(d.Values.Int(field)) }
	switch d.Name {
	case "constant":
		c.least = number("value")
		return cost{c.least, c.least, c.least}, true
	case "uniform":
		c.least, c.most = number("min"), number("max")
		c.mean = (c.least + c.most) / 2
		return c, true
	case "exponential":
		// Rounding to whole tokens changes the mean by less than 1/24 of a token, and
		// raising draws below 1/2 to 1 by less than 1/2.
		mean, most := number("mean"), number("max")
		return cost{mean * (1 - math.Exp(-most/mean)), 1, most}, mean >= 100
	}
	return c, false
}
