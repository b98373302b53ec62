package table

import (
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

func TestColumnSaysTheUnitOnce(t *testing.T) {
	registry := []catalog.Metric{
		{Name: "timed_out_requests", Unit: "requests"}, {Name: "fanout_max", Unit: "calls"},
		{Name: "over_limit_pct_max", Unit: "%"}, {Name: "window_error_sd_pct", Unit: "%"}, {Name: "over_limit_share_gt_1", Unit: "%"},
		{Name: "wait_mean_ms", Unit: "ms"}, {Name: "server_entries_per_s", Unit: "1/s"}, {Name: "burst_excess_s", Unit: "s"},
		{Name: "fill_at_2pct", Unit: "ratio"}, {Name: "lead_max", Unit: "requests"},
	}
	for i, want := range []string{
		"timed out requests", "fanout max calls",
		"over limit max %", "window error sd %", "over limit share gt 1 %",
		"wait mean ms", "server entries/s", "burst excess s",
		"fill at 2pct", "lead max requests",
	} {
		if got := ColumnOf(registry[i].Name, registry).Label(); got != want {
			t.Errorf("%s is headed %q, want %q", registry[i].Name, got, want)
		}
	}
	seen := map[string]string{}
	for _, m := range measure.Metrics() {
		label := ColumnOf(m.Name, measure.Metrics()).Label()
		words := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(label, "%", "pct"), "/s", " /s"))
		for i, w := range words {
			if i > 0 && w == words[i-1] || w == "pct" && i < len(words)-1 {
				t.Errorf("%s is headed %q", m.Name, label)
			}
		}
		if seen[label] != "" {
			t.Errorf("%s and %s are both headed %q", seen[label], m.Name, label)
		}
		seen[label] = m.Name
	}
}

// TestWorstKeyColumns checks that the worst key's over-limit, its name and what equal
// keys have are beside the pooled over-limit, and that other columns without a figure are left
// out.
func TestWorstKeyColumns(t *testing.T) {
	part := resultstest.Document().PerScenario()[0]
	for i := range part.Results {
		r := &part.Results[i]
		r.Metrics[WorstKey], r.WorstKey = resultstest.Point(102), "2001:db8::1"
		r.Metrics["over_limit_pct_equal_keys"], r.Metrics["guard_inflight_max"] = resultstest.Point(33), resultstest.Point(7)
		r.Metrics["server_calls_per_s"] = resultstest.NoData("decides in place", r.Replications)
	}
	table := Comparison(part, nil, measure.Metrics(), Verdicts{})
	var labels []string
	for _, c := range table.Columns {
		labels = append(labels, c.Label())
	}
	want := "algorithm, over-limit %, worst key %, worst key, equal keys %, burst excess req, over-admission %, under-admission %, rejected %, p99 ms, fairness min, backend max in flight"
	if got := strings.Join(labels, ", "); got != want {
		t.Errorf("columns %s, want %s", got, want)
	}
	for _, row := range table.Rows {
		if row[2] != "102" || row[3] != "2001:db8::1" || row[4] != "33" {
			t.Errorf("row %q", row)
		}
	}
	for i := range part.Results {
		part.Results[i].WorstKey = ""
	}
	if c := Comparison(part, nil, measure.Metrics(), Verdicts{}); len(c.Columns) != len(table.Columns)-1 || len(c.Rows[0]) != len(c.Columns) || c.Rows[0][3] != "33" {
		t.Errorf("without a name: %q under %v", c.Rows[0], c.Columns)
	}
}

// TestColumnsOfScenario checks that a comparison shows the metrics that its
// scenario names, instead of the default ones, then those that it has thresholds
// for, and names those without a figure in a note.
func TestColumnsOfScenario(t *testing.T) {
	part := resultstest.Document().PerScenario()[0]
	s := &part.Scenarios[0]
	for i := range part.Results {
		r := &part.Results[i]
		r.Metrics["calls_per_decision"], r.Metrics["fanout_max"] = resultstest.Point(2), resultstest.Point(3)
		r.Metrics["store_ops_per_s"] = resultstest.NoData("no store was asked", r.Replications)
	}
	heads := func() string {
		var labels []string
		for _, c := range Comparison(part, nil, measure.Metrics(), Verdicts{}).Columns[5:] {
			labels = append(labels, c.Label())
		}
		return strings.Join(labels, ", ")
	}
	s.Expectations = []results.Expectation{{Metric: "calls_per_decision"}, {Metric: "over_limit_pct"}}
	if got, want := heads(), "calls per decision, rejected %, p99 ms, fairness min, server calls/s"; got != want {
		t.Errorf("with an expectation: %s, want %s", got, want)
	}
	s.Columns = []string{"store_ops_per_s", "fanout_max", "rejected_pct"}
	if got, want := heads(), "fanout max calls, rejected %, calls per decision"; got != want {
		t.Errorf("with columns: %s, want %s", got, want)
	}
	note := "left out, no data in any row: store ops/s (no store was asked)"
	if table := Comparison(part, nil, measure.Metrics(), Verdicts{}); !slices.Contains(table.More, note) {
		t.Errorf("notes %q lack %q", table.More, note)
	}
}
