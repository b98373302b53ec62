package gate

import (
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// small returns a document of one scenario with a threshold on each of two
// random rows.
func small() *results.Document {
	row := func(algorithm string, reference bool, over float64) results.Result {
		return results.Result{Scenario: "s", Algorithm: algorithm, Reference: reference, Replications: 20,
			Metrics: map[string]results.Summary{"over_limit_pct": resultstest.Interval(over, over-1, over+1, 20)}}
	}
	return &results.Document{
		Scenarios: []results.Scenario{{Name: "s", Expectations: []results.Expectation{
			{Algorithm: "a", Metric: "over_limit_pct", Op: "<=", Threshold: 10},
			{Algorithm: "b", Metric: "over_limit_pct", Op: "<=", Threshold: 10},
		}}},
		Results: []results.Result{row("reference", true, 0), row("a", false, 12.5), row("b", false, 7)},
	}
}
