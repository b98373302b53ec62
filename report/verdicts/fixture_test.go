package verdicts

import (
	"github.com/limitgauge/limitgauge/gate"
	"github.com/limitgauge/limitgauge/internal/sampledoc"
)

// compareWithBase adds comparisons with a baseline to verdicts, with every outcome.
func compareWithBase(v gate.Verdicts) gate.Verdicts {
	v.Metrics = sampledoc.Metrics
	change := func(status gate.Status, algorithm, metric string, base, now, p float64) gate.Verdict {
		by, caught80, caught99 := now-base, 0.61, 0.95
		return gate.Verdict{
			Scenario: "steady 3x", Algorithm: algorithm, Metric: metric, Status: status, Seed: 1, File: "scenarios.yaml", Figure: &now,
			Change: &gate.Change{Base: &base, Change: &by, P: &p, MinEffect: 0.5, Caught80: &caught80, Caught99: &caught99},
		}
	}
	exact := change(gate.Unchanged, "fixed-window", "burst_excess", 99.5, 99.5, 1)
	exact.Scenario, exact.Note, exact.Change.P = "boundary | straddle", "compared exactly", nil
	missing := gate.Verdict{
		Scenario: "steady 3x", Algorithm: "batch-debt", Metric: "rejected_pct", Seed: 1, Allowed: true,
		Reason: "the baseline has no such row", Change: &gate.Change{MinEffect: 0.5},
	}
	v.List = append(v.List,
		change(gate.Failed, "batch-100ms", "over_limit_pct", 10.25, 12.34, 0.0004),
		change(gate.Improved, "batch-debt", "over_limit_pct", 4.5, 1.5, 0.0002),
		change(gate.Passed, "batch-debt", "under_admission_pct", 7.8, 7.9, 0.61),
		exact, missing,
	)
	return v
}
