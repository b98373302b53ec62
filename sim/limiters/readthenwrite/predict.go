package readthenwrite

import (
	"github.com/limitgauge/limitgauge/algorithms/readthenwrite"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/theory"
)

// predict applies the closed forms to a scenario's first algorithm. They hold for
// Poisson traffic on one key.
func predict(s *scenarios.Scenario) catalog.Prediction {
	a, traffic := &s.Algorithms[0], &s.Traffic[0]
	why := catalog.Reasons{
		{len(s.Faults) > 0 || s.Retry(), "given for traffic and networks without faults or retries"},
		{len(s.Further) > 0, "given for one policy"},
		{len(s.Traffic) != 1 || traffic.Pattern != "poisson" || traffic.From > 0 || traffic.To < s.Duration, "given for Poisson traffic of one entry"},
		{traffic.Keys.Name != "one" && !s.Policy.Shared, "given for one key"},
		{traffic.Cost.Name != "constant", "given for requests of one cost"},
	}.First()
	if why != "" {
		return catalog.NoPrediction(why)
	}
	limit := theory.LimitOf(s)
	config, err := readthenwrite.ConfigFrom(a.Options, limit, a.Counter)
	if err != nil {
		return catalog.NoPrediction(err.Error())
	}
	load := readthenwrite.Load{Offered: traffic.Options.Rate("rate").PerSecond(), Cost: traffic.Cost.Values.Int("value")}
	latency := theory.TimeOf(s.Topology.Network)
	load.Latency, load.LatencyVar = latency.Mean, latency.Variance
	return config.Predict(limit, load)
}
