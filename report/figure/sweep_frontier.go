package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// mostLabels limits the labels of a panel of the frontier. Points without one have
// their name under the pointer.
const mostLabels = 10

// frontier shows what accuracy costs: a point for each cell and algorithm, and a line
// through the points that no other beats on both axes. Only cells that meet the same
// conditions are compared, such as the same demand: each combination has its line. All
// algorithms that call servers have points, and those that curves show have names and the
// paint of their curve.
func (v *swept) frontier() *Figure {
	f := &Figure{
		Name: "sweep-frontier", Title: "What accuracy costs", Width: 560, Height: 400,
		Note: "A point for each cell and algorithm; lower left is better. A line joins the points that no other is better than on both axes" + v.conditions() + ".",
	}
	for i, name := range v.algorithms {
		if v.callsServers(name) {
			f.Legend = append(f.Legend, Entry{name, frontierPaint(i), SpotSample})
		}
	}
	if more := lists.Count(v.all[len(v.algorithms):], v.callsServers); more > 0 {
		f.Legend = append(f.Legend, Entry{format.Count(more, "more algorithm"), ReferenceLine, SpotSample})
	}
	if lists.Count(v.all, v.callsServers) < len(v.all) {
		f.Note += " Algorithms that call no servers have no point."
	}
	f.Legend = append(f.Legend, Entry{"best for their calls" + v.conditions(), ReferenceLine, LineSample})
	promised := false
	for _, m := range v.metrics[:4] {
		if p, ok := v.frontierPanel(m); ok {
			f.Panels = append(f.Panels, p)
			promised = promised || len(v.promises(m.metric, "")) > 0
		}
	}
	if promised {
		f.Legend = append(f.Legend, Entry{"promise", Limit, LineSample})
	}
	f.Columns = min(2, len(f.Panels))
	return f
}

// conditions names the axes whose values cells must share to be compared, "" without any.
func (v *swept) conditions() string {
	axes := lists.Where(v.Axes, results.Axis.Condition)
	if len(axes) == 0 {
		return ""
	}
	return ", for each " + format.List(lists.Map(axes, func(a results.Axis) string { return a.Name }), "and")
}

// frontPoint is a cell with an algorithm in a panel of the frontier.
type frontPoint struct {
	Point
	paint              Paint
	title              string
	condition, setting string // values of the axes, and the algorithm if there are several
	label              string
}

// frontierPaint returns the paint of the points of the algorithm with this number: those
// that curves do not show share one.
func frontierPaint(i int) Paint {
	if i < mostSweepRows {
		return Series(i)
	}
	return ReferenceLine
}

func (v *swept) frontierPanel(m sweptMetric) (p Panel, ok bool) {
	var points []frontPoint
	var xs, ys []float64
	for _, c := range v.cells {
		for i, name := range v.all {
			x, y := v.figure(c, name, "server_calls_per_s"), v.figure(c, name, m.metric)
			if x.Mean == nil || y.Mean == nil {
				continue
			}
			at := frontPoint{Point: Point{*x.Mean, *y.Mean}, paint: frontierPaint(i), title: fmt.Sprintf("%s, %s: %s %s; server calls/s %s", name, v.coordinates(c), m.title, InWords(y), InWords(x))}
			at.condition, at.setting = v.divided(c, name)
			points = append(points, at)
			xs, ys = append(xs, *x.Mean), append(ys, *y.Mean)
		}
	}
	if len(points) < 2 || slices.Max(ys) <= 0 {
		return p, false
	}
	for _, e := range v.promises(m.metric, "") {
		ys = append(ys, e.Threshold)
	}
	p = Panel{
		Title: m.title + " against server calls", Alt: m.title + " against calls to servers, a point for each cell and algorithm; the table has the figures",
		X: fitAxis("server calls per second", "", xs), Y: fitAxis(m.axis, "", ys),
	}
	p.X.Inset, p.Y.Inset = 12, 12
	slices.SortStableFunc(points, func(a, b frontPoint) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	})
	lines, before := fronts(points)
	p.Marks = lists.Map(lines, func(line []Point) Mark { return Mark{Shapes: []Shape{Line{ReferenceLine, line}}} })
	if before > 0 {
		p.X.makeRoom(float64(before)*letter, slices.Min(xs))
	}
	p.Marks = append(p.Marks, v.promiseLines(p, m.metric))
	for _, at := range points {
		p.Marks = append(p.Marks, Mark{Title: at.title, X: at.X, Y: at.Y, Shapes: []Shape{Spot{Paint: at.paint, X: at.X, Y: at.Y, Radius: 3.5, Label: at.label, Before: before > 0}}})
	}
	return p, true
}

// divided returns the values of a cell on axes that are conditions and on the other ones.
// Settings have their algorithm in front if there are several, and leave out those of
// other algorithms.
func (v *swept) divided(c results.Cell, algorithm string) (condition, setting string) {
	var conditions, settings []string
	if len(v.algorithms) > 1 {
		settings = append(settings, algorithm)
	}
	for i, a := range v.Axes {
		switch {
		case a.Condition():
			conditions = append(conditions, c.At[i])
		case a.Concerns(algorithm):
			settings = append(settings, c.At[i])
		}
	}
	return strings.Join(conditions, " "), strings.Join(settings, " ")
}

// fronts returns a line for each condition, through its points that no other beats, from
// points in order. It labels them: with their settings if there is one condition, and
// otherwise the first point of each line with the condition, unless it is at 0, where
// those of all conditions can be. before is the number of characters of the longest
// label of a condition, 0 without any.
func fronts(points []frontPoint) (lines [][]Point, before int) {
	var best groups.Groups[string, int] // numbers of points by condition
	for i, at := range points {
		if front := best.Of[at.condition]; len(front) == 0 || at.Y < points[front[len(front)-1]].Y {
			best.Add(at.condition, i)
		}
	}
	conditions := len(best.Keys)
	for _, condition := range best.Keys {
		var line []Point
		for n, i := range best.Of[condition] {
			at := &points[i]
			line = append(line, at.Point)
			if conditions == 1 && len(best.Of[condition]) <= mostLabels {
				at.label = at.setting
			} else if n == 0 && conditions > 1 && conditions <= mostLabels && at.Y > 0 {
				at.label = condition
				before = max(before, format.Width(condition))
			}
		}
		lines = append(lines, line)
	}
	return lines, before
}

// promiseLines draws the thresholds of a metric across a panel.
func (v *swept) promiseLines(p Panel, metric string) Mark {
	return Mark{Shapes: lists.Map(v.promises(metric, ""), func(e results.Expectation) Shape {
		return Line{Limit, []Point{{p.X.Lo, e.Threshold}, {p.X.Hi, e.Threshold}}}
	})}
}
