package batchreported

import (
	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/theory"
)

// keyBytes estimates the memory of one key in bytes at the start. Clients and
// servers allocate the state of a key when they see it first.
func keyBytes(*scenarios.Algorithm, int) int64 { return 8 }

// predict applies the closed forms to a scenario's first algorithm. They hold
// for steady traffic on one key.
func predict(s *scenarios.Scenario) catalog.Prediction {
	a, traffic := &s.Algorithms[0], &s.Traffic[0]
	why := append(theory.SteadyAndEven(s), catalog.Reasons{
		{a.Options.Duration("server_time") > 0, "reports wait for each other at a server that takes time"},
		{a.Options.Choice("sharding").Name == "slices" && s.Topology.Servers > 1, "slices that move leave their counts behind"},
	}...).First()
	if why != "" {
		return catalog.NoPrediction(why)
	}
	limit := theory.LimitOf(s)
	config, err := batchreported.ConfigFrom(a.Options, limit, s.Topology.Clients, limit.Burst)
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

		Conditions: batchreported.ConditionsFrom(a.Options),
	}
	latency := theory.TimeOf(s.Topology.Network)
	load.Latency, load.Tail = latency.Mean, latency.P99
	return config.Predict(load)
}
