package table

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/sim/results"
)

// TestFaults checks what notes show of one fault: equal counts together, the range where
// replications differ, and no row that the fault cannot affect.
func TestFaults(t *testing.T) {
	row := func(name string, touched results.Touched) results.Result {
		return results.Result{Scenario: "s", Algorithm: name, Replications: 5, Touched: []results.Touched{touched}}
	}
	same := results.Touched{Affects: true, Mean: 7, Min: 7, Max: 7}
	doc := &results.Document{
		Scenarios: []results.Scenario{{Name: "s", Faults: []results.Fault{{Kind: "store-down", Text: "store-down 10s-20s", Unit: "calls"}}}},
		Results: []results.Result{
			row("none", results.Touched{Missed: 5}), row("a", same), row("b", same),
			row("c", results.Touched{Affects: true, Mean: 12.5, Min: 9, Max: 14}),
			row("d", results.Touched{Affects: true, Mean: 2.4, Max: 4, Missed: 2}),
			row("e", results.Touched{Affects: true, Missed: 5}),
		},
	}
	want := []string{"store-down 10s-20s: touched 7 calls in a, b, 12.5 (9 to 14) in c, 2.4 (0 in 2 of 5 replications, up to 4) in d, 0 in e"}
	rows := doc.Rows("s")
	if diff := cmp.Diff(want, faultNotes(doc.Scenarios[0], rows, results.Labels(rows))); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	one := results.Scenario{Name: "s", Faults: []results.Fault{{Text: "server-restart 150s", Unit: "calls and keys"}}}
	single := []results.Result{row("f", results.Touched{Affects: true, Mean: 1, Min: 1, Max: 1})}
	if got := faultNotes(one, single, []string{"f", "g"}); got[0] != "server-restart 150s: touched 1 call or key in f" {
		t.Errorf("note of one: %s", got[0])
	}
}
