package table

import (
	"maps"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// TestShort checks that rows with equal figures share a line unless they are references or
// their names get too long, and that no note is lost without a count.
func TestShort(t *testing.T) {
	long := "a-limiter-with-quite-a-long-name"
	full := Table{Apart: 1, Notes: []string{"a"}, More: []string{"b", "c"}, Rows: [][]string{
		{"reference", "1", "2"}, {"x", "1", "2"}, {"y", "1", "3"}, {"z", "1", "2"}, {long, "1", "2"},
	}}
	short := full.Short()
	want := [][]string{{"reference", "1", "2"}, {"x, z", "1", "2"}, {"y", "1", "3"}, {long, "1", "2"}}
	if !slices.EqualFunc(short.Rows, want, slices.Equal) {
		t.Errorf("rows %q, want %q", short.Rows, want)
	}
	if want := []string{"a", "2 notes more: --notes"}; !slices.Equal(short.Notes, want) || short.More != nil {
		t.Errorf("notes %q, want %q", short.Notes, want)
	}
	if whole := full.Full(); !slices.Equal(whole.Notes, []string{"a", "b", "c"}) || len(whole.Rows) != 5 || full.Rows[1][0] != "x" {
		t.Errorf("the whole table has the notes %q and %d rows", whole.Notes, len(whole.Rows))
	}
}

// TestSummary checks the line of each scenario, that a single comparison has none, and that
// no row is both the closest and the furthest.
func TestSummary(t *testing.T) {
	doc := resultstest.Document()
	if lines := Summary(doc, []string{"1 of 3", "-"}).Rows; lines != nil {
		t.Errorf("one comparison has a summary: %q", lines)
	}
	again := resultstest.Document().PerScenario()[0]
	again.Scenarios[0].Name = "again"
	doc.Scenarios = append(doc.Scenarios, again.Scenarios[0])
	for _, r := range again.Results {
		r.Scenario = "again"
		doc.Results = append(doc.Results, r)
	}
	want := [][]string{
		{"steady 3x", "batch-debt", "8.6", "batch-100ms", "12", "1 of 3"},
		{"boundary | straddle", "-", "-", "-", "-", "-"},
		{"again", "batch-debt", "8.6", "batch-100ms", "12", "1 of 3"},
	}
	held := []string{"1 of 3", "-", "1 of 3"}
	if got := Summary(doc, held).Rows; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	// In the last scenario all rows print as equally far from the reference: none is the furthest.
	rows := doc.Results[len(doc.Results)-len(again.Results):]
	for i := range rows {
		rows[i].Metrics = maps.Clone(rows[len(rows)-1].Metrics)
		rows[i].Metrics["over_admission_pct"] = resultstest.Point(8.6 + 1e-6*float64(i))
		rows[i].Metrics["under_admission_pct"] = resultstest.Point(0)
	}
	if got := Summary(doc, held).Rows[2]; got[1] == "-" || got[2] != "8.6" || got[3] != "-" || got[4] != "-" {
		t.Errorf("rows with equal figures have the line %q", got)
	}
}
