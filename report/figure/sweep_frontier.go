package figure

import (
	"fmt"
	"math"
	"slices"
)

// frontier shows what accuracy costs: a point for each cell and algorithm, and a line
// through the points that no other beats on both axes.
func (v *swept) frontier() *Figure {
	if !v.has("server_calls_per_s", v.algorithms...) {
		return nil
	}
	f := &Figure{
		Name: "sweep-frontier", Title: "What accuracy costs", Width: 560, Height: 400,
		Note: "A point for each cell and algorithm; lower left is better. The line joins the points that no other is better than on both axes.",
	}
	for i, name := range v.algorithms {
		f.Legend = append(f.Legend, Entry{name, Series(i), SpotSample})
	}
	f.Legend = append(f.Legend, Entry{"best for their calls", ReferenceLine, LineSample})
	promised := false
	for _, m := range sweepMetrics[:4] {
		if p, ok := v.frontierPanel(m.metric, m.title, m.axis); ok {
			f.Panels = append(f.Panels, p)
			promised = promised || len(v.promises(m.metric, "")) > 0
		}
	}
	if len(f.Panels) == 0 {
		return nil
	}
	if promised {
		f.Legend = append(f.Legend, Entry{"promise", Limit, LineSample})
	}
	f.Columns = min(2, len(f.Panels))
	return f
}

func (v *swept) frontierPanel(metric, title, axis string) (p Panel, ok bool) {
	type point struct {
		Point
		series int
		title  string
	}
	var points []point
	var xs, ys []float64
	for _, c := range v.cells {
		for i, name := range v.algorithms {
			x, y := v.figure(c, name, "server_calls_per_s"), v.figure(c, name, metric)
			if x.Mean == nil || y.Mean == nil {
				continue
			}
			points = append(points, point{Point{*x.Mean, *y.Mean}, i, fmt.Sprintf("%s, %s: %s %s; server calls/s %s", name, v.coordinates(c), title, InWords(y), InWords(x))})
			xs, ys = append(xs, *x.Mean), append(ys, *y.Mean)
		}
	}
	if len(points) < 2 || slices.Max(ys) <= 0 {
		return p, false
	}
	for _, e := range v.promises(metric, "") {
		ys = append(ys, e.Threshold)
	}
	p = Panel{
		Title: title + " against server calls", Alt: title + " against calls to servers, a point for each cell and algorithm; the table has the figures",
		X: fitAxis("server calls per second", "", xs), Y: fitAxis(axis, "", ys),
	}
	p.X.Inset, p.Y.Inset = 12, 12
	slices.SortStableFunc(points, func(a, b point) int {
		if a.X != b.X {
			return compareFloats(a.X, b.X)
		}
		return compareFloats(a.Y, b.Y)
	})
	var best []Point
	lowest := math.Inf(1)
	for _, at := range points {
		if at.Y < lowest {
			lowest = at.Y
			best = append(best, at.Point)
		}
	}
	p.Marks = append(p.Marks, Mark{Shapes: []Shape{Line{ReferenceLine, best}}}, v.promiseLines(p, metric))
	for _, at := range points {
		p.Marks = append(p.Marks, Mark{Title: at.title, X: at.X, Y: at.Y, Shapes: []Shape{Spot{Series(at.series), at.X, at.Y, 3.5, ""}}})
	}
	return p, true
}

// promiseLines draws the thresholds of a metric across a panel.
func (v *swept) promiseLines(p Panel, metric string) (m Mark) {
	for _, e := range v.promises(metric, "") {
		m.Shapes = append(m.Shapes, Line{Limit, []Point{{p.X.Lo, e.Threshold}, {p.X.Hi, e.Threshold}}})
	}
	return m
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
