package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

const mostCurveLines = 14 // that a panel shows readably

// Curves shows the curves of a document, one panel for each: a line for each
// algorithm through its figures in the curve's scenarios, on logarithmic axes, and
// a dashed line of slope 1 where one rises. It returns nil if no curve has a line above 0.
func Curves(doc *results.Document) *Figure {
	f := &Figure{
		Name: "curves", Title: "Growth from scenario to scenario", Setting: fmt.Sprintf("seed %d", doc.Stamp.Seed),
		Subtitle: "mean over replications, both axes logarithmic",
		Note:     "A line for each algorithm, with its slope: 1 grows in proportion, as the dashed line does, 0 not at all.",
		Width:    560, Height: 420,
	}
	paints := map[string]Paint{}
	var drawn []drawnLines
	next, proportional := 0, false
	for _, c := range doc.Curves {
		all := doc.CurveLines(c)
		for _, l := range all[:min(len(all), mostCurveLines)] {
			if _, known := paints[l.Algorithm]; known || len(drawnPoints(l)) < 2 {
				continue
			}
			if l.Reference {
				paints[l.Algorithm] = referenceLine(doc, l.Algorithm)
			} else {
				paints[l.Algorithm] = Series(next)
				next++
			}
			f.Legend = append(f.Legend, Entry{l.Algorithm, paints[l.Algorithm], LineSample})
		}
		if p, ok := curve(c, all, paints); ok {
			f.Panels = append(f.Panels, p)
			proportional = proportional || rises(all, paints)
			drawn = append(drawn, drawnLines{c.Name, lists.Map(all[:min(len(all), mostCurveLines)], func(l results.CurveLine) drawnLine { return drawnLine{l.Algorithm, drawnPoints(l)} })})
		}
		if left := len(all) - mostCurveLines; left > 0 {
			f.Subtitle += fmt.Sprintf(" · %d more %s of %s %s in the table", left, format.Plural(left, "algorithm"), c.Name, format.Verb(left, "is", "are"))
		}
	}
	if len(f.Panels) == 0 {
		return nil
	}
	f.Subtitle += onOneLine(drawn)
	if proportional {
		f.Legend = append(f.Legend, Entry{"in proportion", IdealLine, LineSample})
	}
	f.Columns = min(2, len(f.Panels))
	return f
}

// drawnPoints returns the points of a line that logarithmic axes have a place for.
func drawnPoints(l results.CurveLine) (points []Point) {
	for _, p := range l.Points {
		if p.X > 0 && p.Y > 0 {
			points = append(points, Point{min(p.X, largestDraw), min(p.Y, largestDraw)})
		}
	}
	return points
}

func curve(c results.Curve, lines []results.CurveLine, paints map[string]Paint) (p Panel, ok bool) {
	x, y := strings.ReplaceAll(c.X, "_", " "), strings.ReplaceAll(c.Y, "_", " ")
	left, right, low, high := math.Inf(1), 0.0, math.Inf(1), 0.0
	for _, l := range lines {
		if _, drawn := paints[l.Algorithm]; !drawn {
			continue
		}
		for _, at := range drawnPoints(l) {
			left, right, low, high = min(left, at.X), max(right, at.X), min(low, at.Y), max(high, at.Y)
		}
	}
	if right <= left {
		return p, false
	}
	p = Panel{
		Title: c.Name, Alt: fmt.Sprintf("%s: %s against %s, a line for each algorithm; the table has the figures", c.Name, y, x),
		X: Axis{Label: x, Log: true, Grid: true, Lo: left / 1.3, Hi: right * math.Pow(right/left, 0.75)}, // space for the labels
		Y: Axis{Label: y, Log: true, Grid: true, Lo: low / 1.6, Hi: high * 1.6},
	}
	p.X.tick(0)
	p.Y.tick(0)
	if rises(lines, paints) {
		proportion := Line{IdealLine, []Point{{left, high * (left / right)}, {right, high}}}
		if proportion.Points[0].Y < p.Y.Lo { // cut at the axis
			proportion.Points[0] = Point{p.Y.Lo * (right / high), p.Y.Lo}
		}
		p.Marks = append(p.Marks, Mark{Shapes: []Shape{proportion}})
	}
	return withLines(p, lines, paints), true
}

// rises reports whether a line of a curve ends higher than it begins, so that growth
// in proportion is something to compare it with.
func rises(lines []results.CurveLine, paints map[string]Paint) bool {
	return slices.ContainsFunc(lines, func(l results.CurveLine) bool {
		points := drawnPoints(l)
		_, drawn := paints[l.Algorithm]
		return drawn && len(points) > 1 && points[len(points)-1].Y > points[0].Y
	})
}

// withLines adds the lines of a curve to its panel.
func withLines(p Panel, lines []results.CurveLine, paints map[string]Paint) Panel {
	for _, l := range lines {
		points := drawnPoints(l)
		paint, drawn := paints[l.Algorithm]
		if !drawn || len(points) == 0 {
			continue
		}
		p.Marks = append(p.Marks, Mark{Shapes: []Shape{Line{paint, points}}})
		for i, at := range points {
			label := ""
			if i == len(points)-1 {
				label = fmt.Sprintf("%s: slope %s", l.Algorithm, l.SlopeText())
			}
			p.Marks = append(p.Marks, Mark{
				Title: fmt.Sprintf("%s: %s %s at %s %s", l.Algorithm, format.Number(at.Y), p.Y.Label, format.Number(at.X), p.X.Label),
				X:     at.X, Y: at.Y, Shapes: []Shape{Spot{Paint: paint, X: at.X, Y: at.Y, Radius: 4, Label: label}},
			})
		}
	}
	return p
}
