package table

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// TestDifferenceNotes says of calls that take time when they are compared: their figures may
// differ from those of the counter although no verdict does.
func TestDifferenceNotes(t *testing.T) {
	row := func(name string, latencyMs, delayed float64) results.Result {
		none := 0.0
		return results.Result{Algorithm: name, As: "a", Metrics: map[string]results.Summary{
			"differing_verdicts": {Mean: &none}, "tolerated_verdicts": {Mean: &none}, "decision_latency_max_ms": {Mean: &latencyMs}, "delayed_requests": {Mean: &delayed}}}
	}
	want := []string{"fast decides every request as a does", "slow decides every request as a does at the start or the end of its call", "queue decides every request as a does"}
	if got := differenceNotes([]results.Result{row("fast", 0, 0), row("slow", 9, 0), row("queue", 9, 1)}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
