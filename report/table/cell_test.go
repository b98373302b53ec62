package table

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// The spread of an interval that is truncated on one side is the distance to
// its farther bound.
func TestCell(t *testing.T) {
	if got := Cell(resultstest.Interval(1, 0.9, 3, 20)); got != "1.0 ±2.0" {
		t.Errorf("cell of 1 in [0.9, 3] = %q, want 1.0 ±2.0", got)
	}
	if got := Cell(results.Summary{Reason: "none"}); got != "-" {
		t.Errorf("cell without data = %q, want -", got)
	}
}
