package report

import (
	"gonum.org/v1/plot"

	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/report/layout"
)

// Tick is a mark on an axis; small marks have no label.
type Tick struct {
	Value float64
	Label string
}

// NiceTicks marks an axis from 0 to top at multiples of 1, 2 or 5 times a power
// of ten, about want of them.
func NiceTicks(top float64, want int) []Tick { return ticksOf(niceTicks(top, want)) }

// ScaleTicks are the labelled marks of the part after a scale's strips, about
// want of them on a linear one.
func ScaleTicks(s layout.Scale, want int) []Tick {
	all := niceTicks(s.Hi, want)
	if s.Log {
		all = decadeTicks(s.Lo, s.Hi, format.Number)
	}
	var kept []Tick
	for _, t := range ticksOf(all) {
		if t.Label != "" {
			kept = append(kept, t)
		}
	}
	return kept
}

// TimeTicks marks the span of instants from start to end, in ns, about want
// times: values are seconds after start, labels are in the unit that suits the
// span, or dates where the instants are Unix times. The second result is the
// axis' label.
func TimeTicks(start, end int64, want int) ([]Tick, string) {
	ticks, label := timeTicks(start, end, want)
	return ticksOf(ticks), label
}

// IsDate reports whether an instant in ns is taken for a date: simulated times
// start at 0 and do not come that far.
func IsDate(ns int64) bool { return format.IsDate(ns) }

func ticksOf(ticks plot.ConstantTicks) []Tick {
	out := make([]Tick, len(ticks))
	for i, t := range ticks {
		out[i] = Tick{t.Value, t.Label}
	}
	return out
}
