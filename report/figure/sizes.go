package figure

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// Size is a setting that limitgauge size found.
type Size struct {
	Name      string  // 300/min, burst 60
	X         float64 // rate per second, or window in seconds
	Allowance float64 // burst, or count
	Most      float64 // in any minute
	Passes    float64 // % of the requests of abusers; NaN without any
	Best      bool
}

// Sizes shows the settings that keep a goal, with logarithmic axes: the allowance, what a
// key can take in any minute and, with abusers, what of theirs passes. It returns nil for
// fewer than two settings.
func Sizes(title, goal, x, allowance string, list []Size) *Figure {
	if len(list) < 2 {
		return nil
	}
	f := &Figure{
		Name: "size", Title: title, Setting: goal, Subtitle: "each point keeps the goal",
		Note:    "A smaller burst or count, at the same rate or window, refuses more than the goal allows.",
		Columns: 2, Width: 560, Height: 400,
	}
	panel := func(label string, of func(Size) float64) {
		p := Panel{Title: label, Alt: fmt.Sprintf("%s against %s; the table has the figures", label, x)}
		p.X = logAxis(x, list, func(s Size) float64 { return s.X })
		p.Y = logAxis("", list, of)
		line := lists.Map(list, func(s Size) Point { return Point{s.X, max(of(s), p.Y.Lo)} })
		p.Marks = append(p.Marks, Mark{Shapes: []Shape{Line{Series(0), line}}})
		for i, s := range list {
			spot := Spot{Paint: Series(0), X: line[i].X, Y: line[i].Y, Radius: 4}
			if s.Best {
				spot.Paint, spot.Radius = Series(1), 7
				f.Subtitle = "each point keeps the goal; the large one, " + s.Name + ", is recommended"
			}
			p.Marks = append(p.Marks, Mark{Title: fmt.Sprintf("%s: %s %s", s.Name, format.Number(of(s)), label), X: spot.X, Y: spot.Y, Shapes: []Shape{spot}})
		}
		f.Panels = append(f.Panels, p)
	}
	panel(allowance, func(s Size) float64 { return s.Allowance })
	panel("most a key can take in a minute", func(s Size) float64 { return s.Most })
	if !math.IsNaN(list[0].Passes) {
		f.Columns, f.Width = 3, 430
		panel("requests of abusers that pass, %", func(s Size) float64 { return s.Passes })
	}
	return f
}

// logAxis returns a logarithmic axis with space beside the values above 0.
func logAxis(label string, list []Size, of func(Size) float64) Axis {
	lo, hi := math.Inf(1), 0.0
	for _, s := range list {
		if v := of(s); v > 0 {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if hi == 0 {
		lo, hi = 1, 1
	}
	a := Axis{Label: label, Log: true, Grid: true, Lo: lo / 1.3, Hi: hi * 1.3}
	a.tick(0)
	return a
}
