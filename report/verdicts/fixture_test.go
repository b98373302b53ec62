package verdicts

import (
	"github.com/limitgauge/limitgauge/gate"
	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// registry is what tests know of the metrics; one of them on purpose unknown.
var registry = []catalog.Metric{
	{Name: "over_limit_pct", Unit: "%", Better: -1},
	{Name: "burst_excess", Unit: "requests", Better: -1},
	{Name: "under_admission_pct", Unit: "%", Better: -1},
	{Name: "rejected_pct", Unit: "%"},
	{Name: "decision_latency_p99_ms", Unit: "ms", Better: -1},
	{Name: "fairness_tenant_run_min", Unit: "ratio", Better: 1},
}

func interval(mean, lo, hi float64, n int) results.Summary {
	s := results.Summary{Mean: &mean, Lo: &lo, Hi: &hi}
	for range n {
		s.Values = append(s.Values, &mean)
	}
	return s
}

func without(reason string, n int) results.Summary {
	return results.Summary{Values: make([]*float64, n), Reason: reason}
}

// small is the fixed document of the golden files: two scenarios, one random
// with thresholds of every outcome, one deterministic without data in one column.
func small() *results.Document {
	metrics := func(n int, over, burst, under, rejected, p99, fair, calls float64) map[string]results.Summary {
		spread := func(x float64) results.Summary {
			if n == 1 || x == 0 {
				return interval(x, x, x, n)
			}
			return interval(x, x-x/32, x+x/32, n)
		}
		return map[string]results.Summary{
			"over_limit_pct": spread(over), "burst_excess": spread(burst), "under_admission_pct": spread(under),
			"rejected_pct":            spread(rejected),
			"decision_latency_p99_ms": spread(p99), "fairness_tenant_run_min": spread(fair),
			"server_calls_per_s": spread(calls),
		}
	}
	steady := results.Scenario{
		Name: "steady 3x", About: "three times the limit", Seed: 1, MetricSet: "basic", EndNs: 60e9, Keys: 1, Tenants: 1, Clients: 20, Servers: 4,
		Policy: results.Policy{Name: "search", Limit: 1000, WindowNs: 1e9, Text: "1000/s, burst 50", Burst: 50, RatePerS: 1000, Per: "workspace"},
		Expectations: []results.Expectation{
			{Algorithm: "batch-100ms", Metric: "over_limit_pct", Op: "<=", Threshold: 10, Text: "<= 10", Line: 20, Col: 22},
			{Algorithm: "batch-debt", Metric: "under_admission_pct", Op: "<=", Threshold: 8, Text: "<= 8", Line: 21, Col: 22},
			{Algorithm: "batch-debt", Metric: "settle_s", Op: "<", Threshold: 2, Text: "< 2", Line: 22, Col: 22},
		},
		Warnings: []string{"the network's p99 is longer than the report interval"},
	}
	straddle := results.Scenario{
		Name: "boundary | straddle", Seed: 1, MetricSet: "basic", EndNs: 180e9, Keys: 1, Tenants: 1, Clients: 1, Servers: 1,
		Policy: results.Policy{Name: "pages", Limit: 100, WindowNs: 60e9, Text: "100/min", Burst: 100, RatePerS: 100.0 / 60, Per: "remote_addr"},
	}
	fixed := metrics(1, 0, 99.5, 0, 33.3, 0, 1, 0)
	token := metrics(1, 0, 0, 0, 50, 0, 1, 0)
	for _, m := range []map[string]results.Summary{fixed, token} {
		m["over_limit_pct"] = without("no window was saturated", 1)
	}
	late := metrics(20, 1.5, 12, 7.9, 66.1, 2.5, 0.92, 200)
	late["settle_s"] = without("traffic declares no step", 20)
	return &results.Document{
		SchemaVersion: results.SchemaVersion,
		Stamp: results.Stamp{Tool: "limitgauge", Version: "v0.1.0", Commit: "0123456789abcdef", ScenarioFile: "scenarios.yaml",
			ScenarioSHA256: "aa11bb22cc33dd44", Scenario: "version: 1\n", Seed: 1, Rerun: "limitgauge run scenarios.yaml"},
		Input: []results.Input{{
			Scenario: "boundary | straddle", Traffic: "traffic[0]", Files: []string{"access.log"}, Format: "combined", Rows: 12345, Malformed: 2,
			FirstNs: 1700000000e9, LastNs: 1700777777e9, Keys: 321, PeakPerS: 44, MeanPerS: 0.0159, ResolutionNs: 1e9, Cost: 12345,
			Problems: []results.InputProblem{{File: "access.log", Line: 17, Message: "no closing bracket after the time"}},
		}},
		Scenarios: []results.Scenario{steady, straddle},
		Results: []results.Result{
			{Scenario: "steady 3x", Policy: "search", Algorithm: "batch-100ms", Replications: 20, Metrics: metrics(20, 12.34, 120, 0.5, 62.2, 0, 0.98, 201.5)},
			{Scenario: "steady 3x", Policy: "search", Algorithm: "reference", Reference: true, Replications: 20, Metrics: metrics(20, 0.8, 0, 0, 66.7, 0, 1, 0)},
			{Scenario: "steady 3x", Policy: "search", Algorithm: "batch-debt", Replications: 20, Metrics: late},
			{Scenario: "boundary | straddle", Policy: "pages", Algorithm: "reference", Reference: true, Exact: true, Replications: 1, Metrics: token},
			{Scenario: "boundary | straddle", Policy: "pages", Algorithm: "fixed-window", Exact: true, Replications: 1, Metrics: fixed},
		},
		Rejections: []results.Rejections{
			{Scenario: "boundary | straddle", Algorithm: "fixed-window", Keys: []results.KeyTotals{
				{Key: "203.0.113.9", Offered: 300, Admitted: 200, Rejected: 100, Reference: 150},
				{Key: "2001:db8::1\x1b[31m", Offered: 40, Admitted: 39, Rejected: 1, Reference: 40},
				{Key: "198.51.100.1", Offered: 4, Admitted: 4, Reference: 4},
			}},
		},
	}
}

// compareWithBase adds comparisons with a baseline to verdicts, with every outcome.
func compareWithBase(v gate.Verdicts) gate.Verdicts {
	v.Metrics = registry
	change := func(status gate.Status, algorithm, metric string, base, now, p float64) gate.Verdict {
		by := now - base
		return gate.Verdict{
			Scenario: "steady 3x", Algorithm: algorithm, Metric: metric, Status: status, Seed: 1, File: "scenarios.yaml", Figure: &now,
			Change: &gate.Change{Base: &base, Change: &by, P: &p, MinEffect: 0.5},
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
