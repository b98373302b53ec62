package baseline

import (
	"math/rand/v2"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

var registry = []catalog.Metric{
	{Name: "over_limit_pct", Unit: "%", Better: -1},
	{Name: "burst_excess", Unit: "requests", Better: -1},
	{Name: "under_admission_pct", Unit: "%", Better: -1},
	{Name: "rejected_pct", Unit: "%"},
	{Name: "fairness_tenant_run_min", Unit: "ratio", Better: 1},
	{Name: "over_admission_pct", Unit: "%", Better: -1},
}

// document returns one scenario with a reference and the algorithm "a", which
// has the given metrics. Rows of one value are deterministic.
func document(metrics map[string]results.Summary) *results.Document {
	d := &results.Document{
		SchemaVersion: results.SchemaVersion,
		Stamp:         results.Stamp{Tool: "limitgauge", Version: "v1", Scenario: "version: 1", Seed: 1},
		Scenarios:     []results.Scenario{{Name: "s", Seed: 1}},
	}
	n := 0
	for _, s := range metrics {
		n = max(n, len(s.Values))
	}
	d.Scenarios[0].TrafficDigests = make([]string, n)
	d.Results = []results.Result{
		{Scenario: "s", Algorithm: "reference", Reference: true, Exact: true, Replications: 1, Metrics: map[string]results.Summary{"over_limit_pct": resultstest.Sample(0)}},
		{Scenario: "s", Algorithm: "a", Exact: n == 1, Replications: n, Metrics: metrics},
	}
	return d
}

// run returns a document of random metrics, whose means differ from cell to
// cell. Each replication of a scenario has its own noise, which all its metrics
// share, as they share traffic.
func run(r *rand.Rand, scenarios, replications int) *results.Document {
	d := &results.Document{
		SchemaVersion: results.SchemaVersion,
		Stamp:         results.Stamp{Tool: "limitgauge", Version: "v1", Scenario: "version: 1", Seed: 1},
	}
	for s := range scenarios {
		name := string(rune('a' + s))
		d.Scenarios = append(d.Scenarios, results.Scenario{Name: name, Seed: 1, TrafficDigests: make([]string, replications)})
		for _, algorithm := range []string{"x", "y", "z"} {
			row := results.Result{Scenario: name, Algorithm: algorithm, Replications: replications, Metrics: map[string]results.Summary{}}
			for m, metric := range registry[:3] {
				values := make([]float64, replications)
				for i := range values {
					values[i] = float64(10*(m+1)) + r.NormFloat64()
				}
				row.Metrics[metric.Name] = resultstest.Sample(values...)
			}
			d.Results = append(d.Results, row)
		}
	}
	return d
}
