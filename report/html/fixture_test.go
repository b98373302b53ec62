package html

import (
	"bytes"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// registry defines the metrics of the tests. settle_s is unknown on purpose.
var registry = []catalog.Metric{
	{Name: "over_limit_pct", Unit: "%", Better: -1, Formula: "mean of 100*max(0, A_j-L)/L", Doc: "How far over the limit saturated windows go."},
	{Name: "burst_excess", Unit: "requests", Better: -1, Formula: "sup of A(s,t] - r(t-s) - B", Doc: "The most beyond rate and burst."},
	{Name: "over_admission_pct", Unit: "%", Better: -1, Formula: "100 * sum max(0, A_j-R_j) / sum R_j", Doc: "What the limiter admits and the reference refuses."},
	{Name: "under_admission_pct", Unit: "%", Better: -1, Formula: "100 * sum max(0, R_j-A_j) / sum R_j", Doc: "What the reference admits and the limiter refuses."},
	{Name: "rejected_pct", Unit: "%", Formula: "100 * rejected / offered", Doc: "Share refused."},
	{Name: "decision_latency_p99_ms", Unit: "ms", Better: -1, Formula: "nearest rank", Doc: "Time to a decision."},
	{Name: "fairness_tenant_run_min", Unit: "ratio", Better: 1, Formula: "min of A_g/F_g", Doc: "What the worst served tenant got."},
	{Name: "server_calls_per_s", Unit: "1/s", Better: -1, Formula: "calls / T", Doc: "Calls to the limiter's servers."},
	{Name: "long_run_error_pct", Unit: "%", Formula: "100*(A/A_ref - 1)", Doc: "The long run against the reference."},
	{Name: "staleness_p99_ms", Unit: "ms", Better: -1, Formula: "nearest rank", Doc: "Age of what a decision knew."},
}

func sample(values ...float64) results.Summary {
	s := results.Summary{}
	lo, hi, sum := math.Inf(1), math.Inf(-1), 0.0
	for _, v := range values {
		s.Values = append(s.Values, &v)
		lo, hi, sum = min(lo, v), max(hi, v), sum+v
	}
	mean := sum / float64(len(values))
	s.Mean, s.Lo, s.Hi = &mean, &lo, &hi
	return s
}

// small returns the document of most tests: one random scenario with a check of
// every status and data for every plot, and a deterministic scenario without
// data in one column.
func small() *results.Document {
	fleet := results.Scenario{
		Name: "fleet", About: "three times the limit", Seed: 7, MetricSet: "basic", EndNs: 4e9, Keys: 2, Tenants: 2, Clients: 20, Servers: 4,
		Policy: results.Policy{Name: "search", Limit: 100, WindowNs: 1e9, Text: "100/s, burst 50", Burst: 50, RatePerS: 100, Per: "workspace"},
		Expectations: []results.Expectation{
			{Algorithm: "batch", Metric: "over_limit_pct", Op: "<=", Threshold: 10, Line: 20, Col: 22},
			{Algorithm: "debt", Metric: "under_admission_pct", Op: "<=", Threshold: 9, Line: 21, Col: 22},
			{Algorithm: "debt", Metric: "settle_s", Op: "<", Threshold: 2, Line: 22, Col: 22},
		},
		Warnings: []string{"the network is slow"},
	}
	exact := results.Scenario{
		Name: "straddle", Seed: 7, MetricSet: "basic", EndNs: 180e9, Keys: 1, Tenants: 1, Clients: 1, Servers: 1,
		Policy: results.Policy{Name: "pages", Limit: 100, WindowNs: 60e9, Text: "100/min", Burst: 100, RatePerS: 100.0 / 60},
	}
	row := func(over, burst, under, calls results.Summary) map[string]results.Summary {
		return map[string]results.Summary{
			"over_limit_pct": over, "burst_excess": burst, "over_admission_pct": over, "under_admission_pct": under, "rejected_pct": sample(60, 62, 61),
			"decision_latency_p99_ms": sample(0), "fairness_tenant_run_min": sample(0.9), "server_calls_per_s": calls,
			"long_run_error_pct": sample(1, 2, 3), "staleness_p99_ms": resultstest.NoData("decides in place", 1),
		}
	}
	inPlace, still := resultstest.NoData("decides in place", 1), sample(0, 0, 0)
	doc := &results.Document{
		SchemaVersion: results.SchemaVersion,
		Stamp: results.Stamp{Tool: "limitgauge", Version: "v0.1.0", Commit: "0123456789abcdef", ScenarioFile: "scenarios.yaml",
			ScenarioSHA256: "aa11bb22cc33dd44", Scenario: "version: 1\nseed: 7\n", Seed: 7, Rerun: "limitgauge run scenarios.yaml"},
		Input: []results.Input{{
			Scenario: "straddle", Traffic: "traffic[0]", Files: []string{"access.log"}, Format: "combined", Rows: 12345, Malformed: 2,
			FirstNs: 1700000000e9, LastNs: 1700777777e9, Keys: 321, PeakPerS: 44, MeanPerS: 0.0159, ResolutionNs: 1e9, Cost: 12345,
			Problems: []results.InputProblem{{File: "access.log", Line: 17, Message: "no closing bracket"}},
		}},
		Scenarios: []results.Scenario{fleet, exact},
		Results: []results.Result{
			{Scenario: "fleet", Policy: "search", Algorithm: "batch", Replications: 3, Metrics: row(sample(29, 31, 30), sample(900, 940, 920), still, sample(200))},
			{Scenario: "fleet", Policy: "search", Algorithm: "reference", Reference: true, Replications: 3, Metrics: row(sample(0.1, 0.2, 0.3), still, still, inPlace)},
			{Scenario: "fleet", Policy: "search", Algorithm: "debt", Replications: 3, Metrics: row(sample(3, 4, 5), sample(70, 80, 75), sample(8, 7, 8.5), sample(200))},
			{Scenario: "fleet", Policy: "search", Algorithm: "window", Replications: 3, Metrics: row(still, sample(60, 65, 64), still, inPlace)},
			{Scenario: "straddle", Policy: "pages", Algorithm: "reference", Reference: true, Exact: true, Replications: 1, Metrics: row(resultstest.NoData("no saturated window", 1), sample(0), sample(0), inPlace)},
			{Scenario: "straddle", Policy: "pages", Algorithm: "window", Exact: true, Replications: 1, Metrics: row(resultstest.NoData("no saturated window", 1), sample(99.5), sample(0), inPlace)},
		},
	}
	for i, r := range doc.Results {
		series := results.Series{Scenario: r.Scenario, Algorithm: r.Algorithm, BinNs: 1e9, LimitPerBin: 100,
			Offered: []int64{300, 310, 290, 305}, Admitted: []int64{100, int64(90 + i), 110, 100}}
		if r.Scenario == "fleet" {
			series.Inflight = []int64{0, 5, 9, 2}
			doc.Shares = append(doc.Shares, results.Shares{Scenario: r.Scenario, Algorithm: r.Algorithm, Tenants: []results.Share{
				{Tenant: "loud", Offered: 900, Admitted: 250, Rejected: 650, Fair: 200}, {Tenant: "quiet", Offered: 300, Admitted: 150, Rejected: 150, Fair: 200},
			}})
			doc.Rejections = append(doc.Rejections, results.Rejections{Scenario: r.Scenario, Algorithm: r.Algorithm, Keys: []results.KeyTotals{
				{Key: "loud", Offered: 900, Admitted: 250, Rejected: 650, Reference: 200},
			}})
		}
		if r.Algorithm == "batch" {
			doc.Histograms = append(doc.Histograms, results.Histogram{Scenario: r.Scenario, Algorithm: r.Algorithm, Name: "report_latency", Unit: "ns",
				Buckets: []results.Bucket{{Lo: 1e6, Hi: 2e6, Count: 900}, {Lo: 2e6, Hi: 4e6, Count: 90}, {Lo: 8e6, Hi: 9e6, Count: 10}}})
		}
		doc.Series = append(doc.Series, series)
	}
	return doc
}

// render returns the page of a document as text.
func render(t testing.TB, doc *results.Document) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, doc, registry); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
