// Package resultstest makes results documents for tests of gates and reports. Only
// tests import it.
//
// The package makes no promise: it can change at any time.
package resultstest

import (
	"bytes"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Metrics declares the metrics of Document, except settle_s and
// server_calls_per_s, so that tests meet metrics that the program does not know.
var Metrics = []catalog.Metric{
	{Name: "over_limit_pct", Unit: "%", Better: -1},
	{Name: "burst_excess", Unit: "requests", Better: -1},
	{Name: "over_admission_pct", Unit: "%", Better: -1},
	{Name: "under_admission_pct", Unit: "%", Better: -1},
	{Name: "rejected_pct", Unit: "%"},
	{Name: "decision_latency_p99_ms", Unit: "ms", Better: -1},
	{Name: "fairness_tenant_run_min", Unit: "ratio", Better: 1},
}

// Point returns the summary of one deterministic value.
func Point(x float64) results.Summary {
	return results.Summary{Mean: &x, Lo: &x, Hi: &x, Values: []*float64{&x}}
}

// Interval returns a summary of n equal values, with this mean and interval.
func Interval(mean, lo, hi float64, n int) results.Summary {
	s := results.Summary{Mean: &mean, Lo: &lo, Hi: &hi}
	for range n {
		s.Values = append(s.Values, &mean)
	}
	return s
}

// NoData returns the summary of n replications without data.
func NoData(reason string, n int) results.Summary {
	return results.Summary{Values: make([]*float64, n), Reason: reason}
}

// Sample returns the summary that a run gives these values.
func Sample(values ...float64) results.Summary { return results.Summarize(values) }

// Decode reads a document, and ends the test if it is invalid.
func Decode(t interface{ Fatal(...any) }, text []byte) *results.Document {
	d, err := results.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Document returns two scenarios: one with random rows and a threshold of every
// outcome, one with deterministic rows and a metric without data.
func Document() *results.Document {
	metrics := func(n int, over, burst, under, rejected, p99, fair, calls float64) map[string]results.Summary {
		spread := func(x float64) results.Summary {
			if n == 1 || x == 0 {
				return Interval(x, x, x, n)
			}
			return Interval(x, x-x/32, x+x/32, n)
		}
		return map[string]results.Summary{
			"over_limit_pct": spread(over), "burst_excess": spread(burst),
			"over_admission_pct": spread(max(0, over-0.8)), "under_admission_pct": spread(under),
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
		m["over_limit_pct"] = NoData("no window was saturated", 1)
	}
	late := metrics(20, 1.5, 12, 7.9, 66.1, 2.5, 0.92, 200)
	late["settle_s"] = NoData("traffic declares no step", 20)
	return &results.Document{
		SchemaVersion: results.SchemaVersion,
		Stamp: results.Stamp{Tool: "limitgauge", Version: "v0.1.0", Commit: "0123456789abcdef", ScenarioFile: "scenarios.yaml",
			ScenarioSHA256: "aa11bb22cc33dd44", Scenario: "version: 1\n", Seed: 1, Rerun: "limitgauge run scenarios.yaml"},
		Input: []results.Input{{
			Scenario: "boundary | straddle", Traffic: "traffic[0]", Files: []string{"access.log"}, Format: "combined", Rows: 12345, Malformed: 2,
			FirstNs: 1700000000e9, LastNs: 1700777777e9, Keys: 321, PeakPerS: 44, MeanPerS: 0.0159, ResolutionNs: 1e9, Cost: 12345,
			Problems: []results.InputProblem{{File: "access.log", Line: 17, Message: "no closing bracket after the time"}},
			Choices: []results.InputChoice{{
				File: "access.log", Format: "combined", Wrappers: []string{"docker"}, Time: "time_local", Notation: "Common Log", Key: "remote_addr", Cost: "1",
				Others: []results.Candidate{{Of: "key", Field: "user", Flag: "--per user"}}, Rows: 12345, Malformed: 2,
				Text: "format: combined in docker  time: time_local (Common Log)  key: remote_addr  cost: 1",
			}},
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
