package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// guard shows how many requests are in flight in the guarded backend over time: one
// panel with a line for each algorithm. Algorithms with the same load share a line.
// The scale is logarithmic where the loads differ by a large factor.
func guard(part *results.Document, m Medium) *Figure {
	series := seriesOf(part, m, func(one results.Series) bool { return len(one.Inflight) > 0 })
	if len(series.all) == 0 {
		return nil
	}
	if limited := slices.ContainsFunc(series.all, func(one results.Series) bool { return len(one.Limit) > 0 }); limited {
		return limits(part, series)
	}
	series.columns, series.rows = 1, 1
	loads := series.loads(part)
	f := series.figure("Load inside the guarded backend", "at the end of each bin", "Requests in flight")
	f.Note = "Requests in flight, a line for each algorithm; algorithms with exactly the same load share one."
	f.Shared, f.Width, f.Height = false, 720, 300
	var all []float64
	for _, l := range loads {
		all = append(all, scaled(l.Inflight, 1)...)
	}
	p := series.panel(loads[0].Series, "requests in flight", slices.Max(all))
	p.Title, p.Y = "requests in flight", fitAxis("requests in flight", "", all)
	var alt, formats []string
	for _, l := range loads {
		name := fmt.Sprintf("%s: at most %d", strings.Join(l.names, ", "), slices.Max(l.Inflight))
		f.Legend = append(f.Legend, Entry{name, l.paint, LineSample})
		heights := scaled(l.Inflight, 1)
		p.Marks = append(p.Marks, Mark{Title: name, Shapes: []Shape{Line{l.paint, steps(heights, l.BinSeconds())}}})
		p.Readout.Values = append(p.Readout.Values, heights)
		alt, formats = append(alt, name), append(formats, l.names[0]+" %s")
	}
	p.Readout.Name, p.Readout.Format = "in flight", strings.Join(formats, ", ")
	p.Alt = "requests in flight in the backend: " + strings.Join(alt, "; ")
	f.Panels = []Panel{p}
	return f
}

// limits shows limits on requests in flight over time, above the requests in flight.
func limits(part *results.Document, series overTime) *Figure {
	series.columns, series.rows = 1, 2
	f := series.figure("Limits and requests in flight", "bins", "")
	f.Note = "Above: the limit on requests in flight, of all clients together, averaged over each bin. Below: requests in the backend at the end of each bin. " +
		"A line for each algorithm; those with the same course share one. The dashed line is the best fixed limit."
	f.Shared, f.Width, f.Height = false, 720, 220
	most := func(course []float64) string { return format.Number(slices.Max(course)) + " at most" }
	title := "Limit"
	if part.Scenarios[0].Clients > 1 {
		title = "Limits of all clients together"
	}
	above := series.lines(part, title, "requests", func(one results.Series) []float64 { return scaled(one.Limit, 1) }, steps, most)
	below := series.lines(part, "In flight", "requests", func(one results.Series) []float64 { return scaled(one.Inflight, 1) }, steps, most)
	for p, of := range map[*Panel]func(results.Series) []int64{
		&above: func(one results.Series) []int64 { return one.Limit }, &below: func(one results.Series) []int64 { return one.Inflight },
	} {
		var all []float64
		for _, one := range series.all {
			all = append(all, scaled(of(one), 1)...)
		}
		p.Y = fitAxis("requests", "", all)
	}
	for i, one := range series.all {
		if ticks := probeTicks(one, series.paint(part, i), above.Y); len(ticks) > 0 {
			above.Marks = append(above.Marks, Mark{Title: one.Algorithm + ": a probe begins", Shapes: ticks})
			f.Note += " Ticks at the top: a probe of " + one.Algorithm + " begins."
		}
	}
	f.Panels = []Panel{above, below}
	f.Legend = series.entries(part, func(one results.Series) [][]int64 { return [][]int64{one.Limit, one.Inflight} }, func(one results.Series) string {
		return fmt.Sprintf("at most %d in flight", slices.Max(one.Inflight))
	})
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

// load is the load of one or more algorithms, which have exactly the same.
type load struct {
	results.Series
	names []string
	paint Paint
}

func (t overTime) loads(part *results.Document) (loads []load) {
	for k, one := range t.all {
		i := slices.IndexFunc(loads, func(l load) bool { return slices.Equal(l.Inflight, one.Inflight) })
		if i < 0 {
			loads = append(loads, load{Series: one, paint: t.paint(part, k)})
			i = len(loads) - 1
		}
		loads[i].names = append(loads[i].names, one.Algorithm)
	}
	return loads
}

// steps returns a line that keeps each bin's height for its whole width.
func steps(heights []float64, width float64) (line []Point) {
	for i, h := range heights {
		line = append(line, Point{float64(i) * width, h}, Point{float64(i+1) * width, h})
	}
	return line
}
