package batchreported

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// keyBytes estimates the memory of one key in bytes at the start. Clients and
// servers allocate the state of a key when they see it first.
func keyBytes(int) int64 { return 8 }

// predict applies the closed forms to a scenario's first algorithm. They hold
// for steady traffic on one key.
func predict(s *scenarios.Scenario) catalog.Prediction {
	a, traffic := &s.Algorithms[0], &s.Traffic[0]
	why := catalog.Reasons{
		{len(s.Faults) > 0 || s.Retries != nil, "given for traffic and networks without faults or retries"},
		{len(s.Further) > 0, "given for one policy"},
		{len(s.Traffic) != 1 || traffic.Pattern != "constant" && traffic.Pattern != "poisson" || traffic.From > 0 || traffic.To < s.Duration, "given for steady traffic of one entry"},
		{traffic.Keys.Name != "one" && !s.Policy.Shared, "given for one key"},
		{traffic.Spread.Name != "even" && traffic.Spread.Name != "random", "given for traffic spread evenly over clients"},
		{traffic.Cost.Name != "constant", "given for requests of one cost"},
		{a.Options.Duration("server_time") > 0, "reports wait for each other at a server that takes time"},
		{a.Options.Choice("sharding").Name == "slices" && s.Topology.Servers > 1, "slices that move leave their counts behind"},
	}.First()
	if why != "" {
		return catalog.NoPrediction(why)
	}
	limit := counter.Limit{Count: s.Policy.Limit.Count, Window: s.Policy.Limit.Per, Burst: s.Policy.Burst}
	config, err := batchreported.ConfigFrom(a.Options, limit, s.Topology.Clients)
	if err != nil {
		return catalog.NoPrediction(err.Error())
	}
	cost := float64(traffic.Cost.Values.Int("value"))
	load := batchreported.Load{
		Offered:  traffic.Options.Rate("rate").PerSecond() * cost,
		Cost:     cost,
		Poisson:  traffic.Pattern == "poisson",
		AtRandom: traffic.Spread.Name == "random",
		Before:   float64(s.Warmup) / 1e9,
		Span:     float64(s.Duration-s.Warmup) / 1e9,
	}
	load.Latency, load.Tail = Latency(s.Topology.Network)
	return config.Predict(load)
}

// Latency returns the mean and the 99th percentile of a call's latency in
// seconds. They are equal if the latency is constant.
func Latency(distribution catalog.Choice) (mean, tail float64) {
	const z99 = 2.3263478740408408 // quantile of the normal distribution
	seconds := func(field string) float64 { return float64(distribution.Values.Duration(field)) / 1e9 }
	switch distribution.Name {
	case "exponential":
		return seconds("p99") / math.Log(100), seconds("p99")
	case "lognormal":
		sigma := math.Log(seconds("p99")/seconds("p50")) / z99
		return seconds("p50") * math.Exp(sigma*sigma/2), seconds("p99")
	}
	return seconds("time"), seconds("time")
}
