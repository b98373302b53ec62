package table

import (
	"bytes"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// underTwo returns the small document's first scenario under two policies.
func underTwo() *results.Document {
	d := resultstest.Document().PerScenario()[0]
	s := &d.Scenarios[0]
	second := results.Policy{Name: "20/min", Limit: 20, WindowNs: 60e9, Text: "20/min, burst 20", RatePerS: 1.0 / 3, Per: "report"}
	s.Policies = []results.Policy{s.Policy, second}
	for _, r := range d.Results {
		for i, over := range []float64{1, 0} {
			r.Policy = s.Policies[i].Name
			r.Metrics = map[string]results.Summary{
				"over_limit_pct": resultstest.Interval(over, over, over, r.Replications), "burst_excess": resultstest.Interval(7, 7, 7, r.Replications),
				"under_admission_pct": resultstest.NoData("the reference admitted nothing in a whole window", r.Replications),
			}
			d.ByPolicy = append(d.ByPolicy, r)
		}
	}
	return d
}

func TestByPolicy(t *testing.T) {
	d := underTwo()
	var out bytes.Buffer
	if err := Text(&out, ByPolicy(d, nil, resultstest.Metrics).Full()); err != nil {
		t.Fatal(err)
	}
	want := `
steady 3x, each policy by itself

policy  algorithm    over-limit %  burst excess req
───────────────────────────────────────────────────
search  reference               1                 7
search  batch-100ms             1                 7
search  batch-debt              1                 7
20/min  reference               0                 7
20/min  batch-100ms             0                 7
20/min  batch-debt              0                 7

left out, no data in any row: under-admission % (the reference admitted nothing in a whole window)
`
	if got := out.String(); strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	d.Results[0].Metrics["offered_cost"], d.Results[0].Metrics["offered_requests"] = resultstest.Interval(25, 25, 25, 1), resultstest.Interval(10, 10, 10, 1)
	if unit := ByPolicy(d, []string{"burst_excess"}, []catalog.Metric{{Name: "burst_excess", Unit: "tokens"}}).Columns[2].Unit; unit != "tokens" {
		t.Errorf("the burst excess of requests with costs is in %s", unit)
	}
	title := Comparison(d, nil, resultstest.Metrics, Verdicts{}).Title
	if want := "steady 3x: search 1000/s, burst 50 per workspace; 20/min, burst 20 per report"; title != want {
		t.Errorf("title %q, want %q", title, want)
	}
	if rows := ByPolicy(resultstest.Document().PerScenario()[0], nil, resultstest.Metrics).Rows; len(rows) > 0 {
		t.Errorf("one policy has a table by policy: %v", rows)
	}
	out.Reset()
	if err := CSV(&out, d, nil, resultstest.Metrics); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\nsteady 3x,20/min,"); n != 9 {
		t.Errorf("%d lines of CSV for the second policy, want 3 figures of 3 rows:\n%s", n, out.String())
	}
}

// Figures against a limit of requests count these, and costs are tokens. Beside a limit of
// costs, a figure can be of either.
func TestUnitsUnderALimitOfRequests(t *testing.T) {
	rows := []results.Result{{Metrics: map[string]results.Summary{
		"offered_cost": resultstest.Interval(25, 25, 25, 1), "offered_requests": resultstest.Interval(10, 10, 10, 1),
	}}}
	registry := []catalog.Metric{{Name: "burst_excess", Unit: "tokens"}, {Name: "offered_cost", Unit: "tokens"}, {Name: "offered_per_s", Unit: "tokens/s"}}
	requests := results.Policy{Counts: "requests"}
	for _, c := range []struct {
		s    results.Scenario
		want string
	}{
		{results.Scenario{Policy: requests}, "requests"},
		{results.Scenario{Policies: []results.Policy{requests, {}}}, "tokens or requests"},
		{results.Scenario{Policies: []results.Policy{{}, {}}}, "tokens"},
	} {
		for i, want := range []string{c.want, "tokens", "tokens/s"} {
			if m := InUnitsOf(c.s.LimitUnit(rows), rows, registry)[i]; m.Unit != want {
				t.Errorf("%s is in %s, want %s", m.Name, m.Unit, want)
			}
		}
	}
}
