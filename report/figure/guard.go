package figure

import (
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// guard shows how many requests are in flight in the guarded backend over time, with a line
// for each algorithm, and above that the limits on them, if there are any. Scales are
// logarithmic where the loads differ by a large factor.
func guard(part *results.Document, m Medium) *Figure {
	series := seriesOf(part, m, func(one results.Series) bool { return len(one.Inflight) > 0 })
	if len(series.all) == 0 {
		return nil
	}
	of := func(title string, of func(results.Series) []int64) course {
		return course{
			title: title, unit: "requests", of: func(one results.Series) []float64 { return scaled(of(one), 1) }, line: steps, fitted: true,
			said: func(heights []float64) string { return format.Number(slices.Max(heights)) + " at most" },
		}
	}
	inFlight := of("In flight", func(one results.Series) []int64 { return one.Inflight })
	said := func(one results.Series) string { return fmt.Sprintf("at most %d in flight", slices.Max(one.Inflight)) }
	if !slices.ContainsFunc(series.all, func(one results.Series) bool { return len(one.Limit) > 0 }) {
		f := series.courses(part, "Load inside the guarded backend",
			"Requests in flight at the end of each bin, a line for each algorithm; those with the same load share one.", said, inFlight)
		f.Height = 300
		return f
	}
	title := "Limit"
	if part.Scenarios[0].Clients > 1 {
		title = "Limits of all clients together"
	}
	f := series.courses(part, "Limits and requests in flight",
		"Above: the limit on requests in flight, of all clients together, averaged over each bin. Below: requests in the backend at the end of each bin. "+
			"A line for each algorithm; those with the same course share one. The dashed line is the best fixed limit.",
		said, of(title, func(one results.Series) []int64 { return one.Limit }), inFlight)
	above := &f.Panels[0]
	for i, one := range series.all {
		if ticks := probeTicks(one, series.paint(part, i), above.Y); len(ticks) > 0 {
			above.Marks = append(above.Marks, Mark{Title: one.Algorithm + ": a probe begins", Shapes: ticks})
			f.Note += " Ticks at the top: a probe of " + one.Algorithm + " begins."
		}
	}
	return f
}

// probeTicks returns a short line at the top for each bin in which probes begin.
func probeTicks(one results.Series, paint Paint, y Axis) (ticks []Shape) {
	low := y.Hi - (y.Hi-y.Lo)/25
	if y.Log {
		low = y.Hi / math.Pow(y.Hi/y.Lo, 0.04)
	}
	for i, n := range one.Probes {
		if x := (float64(i) + 0.5) * one.BinSeconds(); n > 0 {
			ticks = append(ticks, Line{paint, []Point{{x, y.Hi}, {x, low}}})
		}
	}
	return ticks
}
