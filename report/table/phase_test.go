package table

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// The note on rows without random draws says whether they show one phase alone.
func TestOnePhaseNotes(t *testing.T) {
	for phase, want := range map[bool]string{
		false: "exact (no random draws, one run says all): reference, a",
		true:  "no random draws, one phase: reference, a",
	} {
		rows := []results.Result{{Algorithm: "reference", Exact: true, OnePhase: phase}, {Algorithm: "a", Exact: true, OnePhase: phase}, {Algorithm: "b", Live: &results.Live{}}}
		if got := intervalNotes(results.Scenario{}, rows, results.Labels(rows), nil, nil); !slices.Equal(got, []string{want}) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
