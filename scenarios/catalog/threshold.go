package catalog

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// NotWorse is the comparison of an expectation that is judged against a baseline:
// its number is by how much the figure may be worse.
const NotWorse = "not_worse"

// Beyond returns the possible value of the metric that is nearest to a threshold
// and fails it. If every possible value satisfies the threshold, or if op is none
// of <=, <, >=, > and ==, it returns the reason instead.
func (m Metric) Beyond(op string, threshold float64) (x float64, reason string) {
	lo, hi := m.Range()
	up, down := math.Nextafter(threshold, math.Inf(1)), math.Nextafter(threshold, math.Inf(-1))
	x = threshold // of < and >
	switch op {
	case "<=":
		x = up
	case ">=":
		x = down
	case "==":
		if x = up; x > hi {
			x = down
		}
	case "<", ">":
	default:
		return 0, fmt.Sprintf("unknown comparison %q", op)
	}
	cannot := func(way string, end float64) string {
		return fmt.Sprintf("%s cannot go %s %s, so %s %s rules nothing out", m.Name, way, units.FormatDecimal(end), op, units.FormatDecimal(threshold))
	}
	switch {
	case x > hi && (op == "<=" || op == "<"):
		return 0, cannot("above", hi)
	case x < lo && (op == ">=" || op == ">"):
		return 0, cannot("below", lo)
	}
	// Any value in the range fails a threshold far outside it.
	return min(max(x, lo), hi), ""
}
