package html

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// The worst replication that a page names is the one with the largest value,
// and its command ends with it.
func TestWorstIsNamed(t *testing.T) {
	doc := small()
	parts := doc.PerScenario()
	rows := doc.Rows(doc.Scenarios[0].Name)
	w := newWorst(parts[0], rows, results.Labels(rows), newGlossary(registry))
	got := map[string][]worstCell{}
	for _, r := range w.Rows {
		got[r.Label] = r.Cells
	}
	want := map[string][]worstCell{
		"batch":  {{"31", 2}, {"940", 2}, {"31", 2}, {"0", 0}},
		"debt":   {{"5", 3}, {"80", 2}, {"5", 3}, {"8.5", 3}},
		"window": {{"0", 0}, {"65", 2}, {"0", 0}, {"0", 0}},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("worst: %v, want %v", got, want)
	}
	if want := "limitgauge run scenarios.yaml --scenario fleet --seed 7 --replication 2"; w.Rerun != want || w.Of != "batch in over-limit" {
		t.Errorf("rerun %q of %q, want %q", w.Rerun, w.Of, want)
	}
	parts[0].Scenarios[0].BestFixed = &results.BestFixedLimit{Limit: 3}
	if w := newWorst(parts[0], rows, results.Labels(rows), newGlossary(registry)); w.Columns[0].Name != "goodput_lost_pct" {
		t.Errorf("in front of a backend with a deadline the worst is of %v", w.Columns)
	}
	if newWorst(parts[1], doc.Rows(doc.Scenarios[1].Name), nil, newGlossary(registry)) != nil {
		t.Error("an exact scenario has a worst replication")
	}
}
