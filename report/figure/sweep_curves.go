package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// curves shows the headline metrics along the only axis: a line through the means of
// each algorithm, with a band of the 95 % intervals, and the promises.
func (v *swept) curves() *Figure {
	a := v.Axes[0]
	f := &Figure{
		Name: "sweep-curves", Title: "Along " + a.Name, Subtitle: v.more, Width: 430, Height: 310,
		Note: "A line for each algorithm, of few with the 95 % interval of the mean. All cells have the same random draws, so cells side by side compare well.",
	}
	if slices.Contains(v.algorithms, results.BestFixed) {
		f.Title = "Good answers and their time along " + a.Name
		f.Note += " The dashed line is the best fixed limit on requests in flight, found for each cell."
	}
	drawn := map[int]bool{}
	promised, banded := false, false
	var lines []drawnLines
	for _, m := range v.metrics {
		var ys, means []float64
		for _, c := range v.cells {
			for _, name := range v.algorithms {
				if s := v.figure(c, name, m.metric); s.Mean != nil {
					ys, means = append(ys, *s.Mean), append(means, *s.Mean)
					if hasWidth(s) && v.bands() {
						ys = append(ys, *s.Hi)
						banded = true
					}
				}
			}
		}
		if len(ys) == 0 {
			continue
		}
		for _, e := range v.promises(m.metric, "") {
			ys = append(ys, e.Threshold)
			promised = true
		}
		p := Panel{Title: m.title, Alt: fmt.Sprintf("%s against %s, a line for each algorithm; the table has the figures", m.title, a.Name), Y: fitAxis(m.axis, "", ys)}
		if m.metric == "goodput_per_s" { // a row that falls to almost nothing would make the scale logarithmic
			p.Y = linearAxis(m.axis, ys)
		}
		if v.metrics[0] == sweepMetrics[0] {
			p.Title += upTo(means, shortUnit(m.axis))
		}
		if p.X = steppedAxis(a); len(a.Numbers) > 0 {
			p.X = fitAxis(axisLabel(a), "", a.Numbers)
		}
		p.Marks = append(p.Marks, v.promiseLines(p, m.metric))
		named := drawnLines{panel: m.title}
		for i, name := range v.algorithms {
			points := v.withCurve(&p, i, name, m.metric, m.title)
			drawn[i] = len(points) > 0 || drawn[i]
			named.lines = append(named.lines, drawnLine{name, points})
		}
		if all := named.allOnOneLine(); all != "" {
			p.Title += all
		} else {
			lines = append(lines, named)
		}
		f.Panels = append(f.Panels, p)
	}
	for i, name := range v.algorithms {
		if drawn[i] {
			f.Legend = append(f.Legend, Entry{name, v.paint(i), LineSample})
		}
	}
	if banded {
		f.Legend = append(f.Legend, Entry{"95 % interval", BandOf(0), Area})
	}
	if promised {
		f.Legend = append(f.Legend, Entry{"promise", Limit, LineSample})
	}
	f.Subtitle += onOneLine(lines)
	f.Columns = min(3, len(f.Panels))
	return f
}

// bands reports whether lines have bands of their intervals: those of many would hide the
// lines.
func (v *swept) bands() bool { return len(v.algorithms) <= mostSweepRows }

// upTo says the largest of some figures, if it is above 0.
func upTo(figures []float64, unit string) string {
	most := slices.Max(figures)
	if most <= 0 {
		return ""
	}
	return fmt.Sprintf(": up to %s %s", format.Number(most), unit)
}

// withCurve adds the line of an algorithm to a panel, and returns its points. It has gaps
// where cells have no figure.
func (v *swept) withCurve(p *Panel, series int, algorithm, metric, title string) (drawn []Point) {
	var line, above, below []Point
	var spots []Mark
	flush := func() {
		if len(line) > 1 {
			slices.Reverse(below)
			var shapes []Shape
			if n := v.series(series); n >= 0 && v.bands() {
				shapes = append(shapes, Polygon{BandOf(n), slices.Concat(above, below)})
			}
			p.Marks = append(p.Marks, Mark{Shapes: append(shapes, Line{v.paint(series), line})})
		}
		p.Marks = append(p.Marks, spots...)
		line, above, below, spots = nil, nil, nil, nil
	}
	cells := slices.Clone(v.cells)
	if numbers := v.Axes[0].Numbers; len(numbers) > 0 {
		slices.SortStableFunc(cells, func(a, b results.Cell) int {
			return cmp.Compare(numbers[v.place(a, 0)], numbers[v.place(b, 0)])
		})
	}
	for _, c := range cells {
		s := v.figure(c, algorithm, metric)
		if s.Mean == nil {
			flush()
			continue
		}
		x := float64(v.place(c, 0))
		if numbers := v.Axes[0].Numbers; len(numbers) > 0 {
			x = numbers[v.place(c, 0)]
		}
		y, low, high := max(0, *s.Mean), max(0, *s.Mean), max(0, *s.Mean)
		if hasWidth(s) {
			low, high = max(0, *s.Lo), max(0, *s.Hi)
		}
		if p.Y.Log && y > 0 {
			low = math.Max(low, p.Y.Lo) // a band does not leave the logarithmic scale
		}
		line, above, below = append(line, Point{x, y}), append(above, Point{x, high}), append(below, Point{x, low})
		spots = append(spots, Mark{
			Title: fmt.Sprintf("%s, %s: %s %s", algorithm, v.coordinates(c), title, InWords(s)),
			X:     x, Y: y, Shapes: []Shape{Spot{Paint: v.paint(series), X: x, Y: y, Radius: 3.5}},
		})
		drawn = append(drawn, Point{x, y})
	}
	flush()
	return drawn
}
