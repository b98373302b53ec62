package rlqs

import (
	"github.com/limitgauge/limitgauge/algorithms/rlqs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/theory"
)

// predict applies the closed forms to a scenario's first algorithm. They hold for
// steady traffic on one key, once every client has reported twice.
func predict(s *scenarios.Scenario) catalog.Prediction {
	a, traffic := &s.Algorithms[0], &s.Traffic[0]
	if why := theory.SteadyAndEven(s).First(); why != "" {
		return catalog.NoPrediction(why)
	}
	config, err := rlqs.ConfigFrom(a.Options, theory.LimitOf(s))
	if err != nil {
		return catalog.NoPrediction(err.Error())
	}
	cost := traffic.Cost.Values.Int("value")
	return config.Predict(rlqs.Load{
		Offered: traffic.Options.Rate("rate").PerSecond() * float64(cost),
		Cost:    float64(cost),
		Clients: s.Topology.Clients,
		Varies:  traffic.Pattern == "poisson" || traffic.Spread.Name == "random",
		Before:  s.Warmup,
	})
}
