package table

import (
	"testing"

	"github.com/limitgauge/limitgauge/internal/sampledoc"
	"github.com/limitgauge/limitgauge/results"
)

// The spread of an interval that is truncated on one side is the distance to
// its farther bound.
func TestCell(t *testing.T) {
	if got := Cell(sampledoc.Interval(1, 0.9, 3, 20)); got != "1.0 ±2.0" {
		t.Errorf("cell of 1 in [0.9, 3] = %q, want 1.0 ±2.0", got)
	}
	if got := Cell(results.Summary{Reason: "none"}); got != "-" {
		t.Errorf("cell without data = %q, want -", got)
	}
}
