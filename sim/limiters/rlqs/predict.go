package rlqs

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/rlqs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// predict applies the closed forms to a scenario's first algorithm. They hold for
// steady traffic on one key, once every client has reported twice.
func predict(s *scenarios.Scenario) catalog.Prediction {
	a, traffic := &s.Algorithms[0], &s.Traffic[0]
	if why := (catalog.Reasons{
		{len(s.Faults) > 0 || s.Retries != nil, "given for traffic and networks without faults or retries"},
		{len(s.Further) > 0, "given for one policy"},
		{len(s.Traffic) != 1 || traffic.Pattern != "constant" && traffic.Pattern != "poisson" || traffic.From > 0 || traffic.To < s.Duration, "given for steady traffic of one entry"},
		{traffic.Keys.Name != "one" && !s.Policy.Shared, "given for one key"},
		{traffic.Spread.Name != "even" && traffic.Spread.Name != "random", "given for traffic spread evenly over clients"},
		{traffic.Cost.Name != "constant", "given for requests of one cost"},
	}).First(); why != "" {
		return catalog.NoPrediction(why)
	}
	limit := counter.Limit{Count: s.Policy.Limit.Count, Window: s.Policy.Limit.Per, Burst: s.Policy.Burst}
	config, err := rlqs.ConfigFrom(a.Options, limit)
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
