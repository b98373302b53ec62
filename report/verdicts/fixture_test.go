package verdicts

import (
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// compareWithBase adds comparisons with a baseline to verdicts, with every outcome.
func compareWithBase(v gate.Verdicts) gate.Verdicts {
	v.Metrics = resultstest.Metrics
	change := func(status gate.Status, algorithm, metric string, base, now, p float64) gate.Verdict {
		by, caught80, caught99 := now-base, 0.61, 0.95
		return gate.Verdict{
			Scenario: "steady 3x", Algorithm: algorithm, Metric: metric, Status: status, Seed: 1, File: "scenarios.yaml", Figure: &now,
			Change: &gate.Change{Base: &base, Change: &by, P: &p, MinEffect: 0.5, Caught80: &caught80, Caught99: &caught99, Compared: "paired", Replications: 10, LeastChanged: 5},
		}
	}
	exact := change(gate.Unchanged, "fixed-window", "burst_excess", 99.5, 99.5, 1)
	exact.Scenario, exact.Note, exact.Change.P = "boundary | straddle", "compared directly", nil
	exact.Change.MinEffect, exact.Change.Compared, exact.Change.Replications, exact.Change.LeastChanged = 0, gate.Directly, 1, 0
	exact.Change.Caught80, exact.Change.Caught99 = new(float64), new(float64)
	missing := gate.Verdict{
		Scenario: "steady 3x", Algorithm: "batch-debt", Metric: "rejected_pct", Seed: 1, Allowed: true,
		Reason: "the baseline has no such row", Change: &gate.Change{MinEffect: 0.5},
	}
	proven := change(gate.Passed, "batch-debt", "burst_excess", 20, 20.25, 0)
	margin, worst := 1.0, 0.75
	proven.Line, proven.Col, proven.Note = 29, 50, "paired over 10 replications, the change's 95 % interval is -0.25 to +0.75"
	proven.Change = &gate.Change{Base: proven.Change.Base, Change: proven.Change.Change, MinEffect: margin, NotWorse: "5 %", Margin: &margin, Worst: &worst, Compared: "paired", Replications: 10}
	v.List = append(v.List,
		change(gate.Failed, "batch-100ms", "over_limit_pct", 10.25, 12.34, 0.0004),
		change(gate.Improved, "batch-debt", "over_limit_pct", 4.5, 1.5, 0.0002),
		change(gate.Passed, "batch-debt", "under_admission_pct", 7.8, 7.9, 0.61),
		exact, missing, proven,
		gate.Verdict{
			Scenario: "steady 3x", Algorithm: "gcra", Metric: "over_limit_pct", Seed: 1, File: "scenarios.yaml", Line: 30, Col: 50,
			Reason: "there is no baseline: give one with --baseline", Change: &gate.Change{NotWorse: "0.5"},
		},
	)
	return v
}
