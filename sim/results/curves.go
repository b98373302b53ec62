package results

import (
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// Curve shows one figure of several scenarios against another.
type Curve struct {
	Name      string   `json:"name"`
	About     string   `json:"about"`
	X         string   `json:"x"` // a metric, clients or servers
	Y         string   `json:"y"` // a metric
	Scenarios []string `json:"scenarios"`
}

// CurveLine is the line of one algorithm.
type CurveLine struct {
	Algorithm string
	Reference bool
	Points    []CurvePoint // by scenario of the curve
}

// CurvePoint is the figure of one row. X and Y are NaN if there is none, and
// Reason then states why.
type CurvePoint struct {
	X, Y   float64
	Reason string
}

// CurveLines returns the lines of a curve, the reference first: the algorithms
// that have a figure in at least two of its scenarios.
func (d *Document) CurveLines(c Curve) []CurveLine {
	var lines []CurveLine
	for i, name := range c.Scenarios {
		at := slices.IndexFunc(d.Scenarios, func(s Scenario) bool { return s.Name == name })
		if at < 0 {
			continue
		}
		for _, r := range d.Rows(name) {
			k := slices.IndexFunc(lines, func(l CurveLine) bool { return l.Algorithm == r.Algorithm })
			if k < 0 {
				k = len(lines)
				lines = append(lines, CurveLine{Algorithm: r.Algorithm, Reference: r.Reference, Points: make([]CurvePoint, len(c.Scenarios))})
				for j := range c.Scenarios {
					lines[k].Points[j] = CurvePoint{math.NaN(), math.NaN(), "not among the scenario's algorithms"}
				}
			}
			lines[k].Points[i] = pointOf(d.Scenarios[at], r, c)
		}
	}
	return slices.DeleteFunc(lines, func(l CurveLine) bool { return len(l.known(math.Inf(-1))) < 2 })
}

func pointOf(s Scenario, r Result, c Curve) CurvePoint {
	p := CurvePoint{X: math.NaN(), Y: math.NaN()}
	x, y := curveX(s, r, c.X), r.Summary(c.Y)
	switch {
	case x.Mean == nil:
		p.Reason = x.Reason
	case y.Mean == nil:
		p.Reason = y.Reason
	default:
		p.X, p.Y = *x.Mean, *y.Mean
	}
	return p
}

// curveX returns the x of a row, a metric or a number of its scenario.
func curveX(s Scenario, r Result, x string) Summary {
	number := func(v float64) Summary { return Summary{Mean: &v} }
	switch x {
	case "clients":
		return number(float64(s.Clients))
	case "servers":
		return number(float64(s.Servers))
	}
	return r.Summary(x)
}

// known returns the points whose x and y are above least.
func (l CurveLine) known(least float64) []CurvePoint {
	return lists.Where(l.Points, func(p CurvePoint) bool { return p.X > least && p.Y > least })
}

// Slope returns the slope of the least-squares line through the logarithms of a
// line's points above 0: 1 if y grows in proportion to x, 0 if it does not grow.
// ok is false if fewer than two points with different x are above 0.
func (l CurveLine) Slope() (slope float64, ok bool) {
	points := l.known(0)
	var meanX, meanY, xx, xy float64
	for _, p := range points {
		meanX += math.Log(p.X) / float64(len(points))
		meanY += math.Log(p.Y) / float64(len(points))
	}
	for _, p := range points {
		x, y := math.Log(p.X)-meanX, math.Log(p.Y)-meanY
		xx += x * x
		xy += x * y
	}
	return xy / xx, xx > 1e-12
}

// SlopeText writes the slope of a line, or "-" if it has none.
func (l CurveLine) SlopeText() string {
	slope, ok := l.Slope()
	if !ok {
		return "-"
	}
	if slope = math.Round(100*slope) / 100; slope == 0 {
		slope = 0 // without the sign of -0
	}
	return fmt.Sprintf("%.2f", slope)
}
