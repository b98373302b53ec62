package readthenwrite

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/readthenwrite"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// predict applies the closed forms to a scenario's first algorithm. They hold for
// Poisson traffic on one key.
func predict(s *scenarios.Scenario) catalog.Prediction {
	a, traffic := &s.Algorithms[0], &s.Traffic[0]
	why := catalog.Reasons{
		{len(s.Faults) > 0 || s.Retries != nil, "given for traffic and networks without faults or retries"},
		{len(s.Further) > 0, "given for one policy"},
		{len(s.Traffic) != 1 || traffic.Pattern != "poisson" || traffic.From > 0 || traffic.To < s.Duration, "given for Poisson traffic of one entry"},
		{traffic.Keys.Name != "one" && !s.Policy.Shared, "given for one key"},
		{traffic.Cost.Name != "constant", "given for requests of one cost"},
	}.First()
	if why != "" {
		return catalog.NoPrediction(why)
	}
	limit := counter.Limit{Count: s.Policy.Limit.Count, Window: s.Policy.Limit.Per, Burst: s.Policy.Burst}
	config, err := readthenwrite.ConfigFrom(a.Options, limit, a.Counter)
	if err != nil {
		return catalog.NoPrediction(err.Error())
	}
	load := readthenwrite.Load{Offered: traffic.Options.Rate("rate").PerSecond(), Cost: traffic.Cost.Values.Int("value")}
	load.Latency, load.LatencyVar = moments(s.Topology.Network)
	return config.Predict(limit, load)
}

// moments returns the mean and the variance of a call's latency, in s and s^2.
func moments(distribution catalog.Choice) (mean, variance float64) {
	const z99 = 2.3263478740408408 // quantile of the normal distribution
	seconds := func(field string) float64 { return float64(distribution.Values.Duration(field)) / 1e9 }
	switch distribution.Name {
	case "exponential":
		mean = seconds("p99") / math.Log(100)
		return mean, mean * mean
	case "lognormal":
		sigma := math.Log(seconds("p99")/seconds("p50")) / z99
		mean = seconds("p50") * math.Exp(sigma*sigma/2)
		return mean, mean * mean * (math.Exp(sigma*sigma) - 1)
	}
	return seconds("time"), 0
}
