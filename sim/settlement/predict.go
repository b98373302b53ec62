package settlement

import (
	"cmp"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/settlement"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
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
	answer, tail, answerKnown := timeOf(traffic.Answer)
	why := catalog.Reasons{
		{len(s.Faults) > 0 || s.Retries != nil, "given for traffic and networks without faults or retries"},
		{len(s.Further) > 0, "given for one policy"},
		{len(s.Traffic) != 1 || traffic.Pattern != "constant" && traffic.Pattern != "poisson" || traffic.From > 0 || traffic.To < s.Duration, "given for steady traffic of one entry"},
		{traffic.Keys.Name != "one" && !s.Policy.Shared, "given for one key"},
		{!countsWindows(s), "given for fixed windows"},
		{!eKnown || !cKnown, "given for costs and estimates that are constant, uniform, or exponential with a mean of 100 or more"},
		{!answerKnown, "given for answers whose time does not depend on their cost"},
	}.First()
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
		Answer: answer, Tail: tail,
		Limit: float64(s.Policy.Limit.Count), Window: float64(s.Policy.Limit.Per) / 1e9,
	})
}

// countsWindows reports whether what the first algorithm's counter takes just before the
// end of a window stops counting at that end.
func countsWindows(s *scenarios.Scenario) bool {
	a, limit := &s.Algorithms[0], counter.Limit{Count: s.Policy.Limit.Count, Window: s.Policy.Limit.Per, Burst: s.Policy.Burst}
	table, err := counter.New(a.Counter, limit, a.Options, 0)
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

// timeOf returns the mean of a distribution of answer times in seconds, and a time
// within which almost all are.
func timeOf(d catalog.Choice) (mean, tail float64, known bool) {
	seconds := func(field string) float64 { return float64(d.Values.Duration(field)) / 1e9 }
	switch cmp.Or(d.Name, "constant") {
	case "constant":
		return seconds("time"), seconds("time"), true
	case "exponential":
		return seconds("p99") / math.Log(100), seconds("p99"), true
	case "lognormal":
		const z99 = 2.3263478740408408 // quantile of the normal distribution
		sigma := math.Log(seconds("p99")/seconds("p50")) / z99
		return seconds("p50") * math.Exp(sigma*sigma/2), seconds("p99"), true
	}
	return 0, 0, false
}
