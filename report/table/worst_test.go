package table

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// The command that runs the worst replication selects one scenario and one
// replication, for any selection in the command of the document.
func TestRerunAlone(t *testing.T) {
	for _, c := range []struct{ rerun, scenario, want string }{
		{"limitgauge run basic", "light load", "limitgauge run basic --scenario 'light load' --seed 7 --replication 3"},
		{"limitgauge run basic", "partition", "limitgauge run basic --scenario partition --seed 7 --replication 3"},
		{"limitgauge run a.yaml --scenario 'light load' --scenario other --seed 1", "light load", "limitgauge run a.yaml --scenario 'light load' --seed 7 --replication 3"},
		{`limitgauge run a.yaml --scenario 'it'\''s all' --tier full`, "it's all", `limitgauge run a.yaml --tier full --scenario 'it'\''s all' --seed 7 --replication 3`},
		{"limitgauge run a.yaml --replications 40 --until over_limit_pct=1%", "x", "limitgauge run a.yaml --scenario x --seed 7 --replication 3"},
		{"limitgauge replay access.log --limit 1/s --seed 4", "access.log", "limitgauge replay access.log --limit 1/s --seed 7 --replication 3"},
		{"", "x", ""},
	} {
		if got := rerunAlone(c.rerun, results.Scenario{Name: c.scenario, Seed: 7}, 3); got != c.want {
			t.Errorf("%s, scenario %s: %s, want %s", c.rerun, c.scenario, got, c.want)
		}
	}
}

// TestWorstNote checks that the note names the largest value of all rows that draw, of the
// first figure that has one above 0, and ends with the command that repeats it.
func TestWorstNote(t *testing.T) {
	row := func(name string, over, burst results.Summary) results.Result {
		return results.Result{Scenario: "s", Algorithm: name, Replications: len(over.Values), Metrics: map[string]results.Summary{
			"over_limit_pct": over, "burst_excess": burst, "goodput_lost_pct": burst,
		}}
	}
	doc := &results.Document{
		Stamp: results.Stamp{Rerun: "limitgauge run a.yaml"}, Scenarios: []results.Scenario{{Name: "s", Seed: 7}},
		Results: []results.Result{
			row("one run", resultstest.Sample(90), resultstest.Sample(90)),
			row("a", resultstest.Sample(1, 31, 2), resultstest.Sample(5, 5, 5)),
			row("b", resultstest.Sample(3, 2, 1), resultstest.Sample(5, 6, 80)),
			row("reference", resultstest.Sample(70, 80, 90), resultstest.Sample(70, 80, 90)),
		},
	}
	doc.Results[3].Reference = true
	note := func(want string) {
		t.Helper()
		if got := strings.Join(WorstNote(doc, measure.Metrics()), "\n"); got != want {
			t.Errorf("note %q, want %q", got, want)
		}
	}
	note("worst of all replications: a, over-limit 31 % in replication 2; alone: limitgauge run a.yaml --scenario s --seed 7 --replication 2")
	doc.Scenarios[0].BestFixed = &results.BestFixedLimit{Limit: 3}
	note("worst of all replications: b, goodput lost 80 % in replication 3; alone: limitgauge run a.yaml --scenario s --seed 7 --replication 3")
	doc.Scenarios[0].BestFixed, doc.Stamp.Rerun = nil, ""
	doc.Results = doc.Results[2:]
	doc.Results[0].Metrics["over_limit_pct"] = resultstest.Sample(3, 3, 3)
	note("worst of all replications: b, burst excess 80 tokens in replication 3")
	doc.Results = doc.Results[1:]
	note("")
}
