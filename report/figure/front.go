package figure

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"
)

// Tuned is what limitgauge tune saw of a scenario.
type Tuned struct {
	Title, Setting string
	Cost, Metric   string // metrics
	Threshold      float64
	Points         []TunedPoint // from the cheapest
}

// TunedPoint is a setting with its means over replications of the search.
type TunedPoint struct {
	Name         string
	Label        string // a short name
	Cost, Figure float64
	Front        bool // no other is better in both
	Answer       bool
	Kept, Broken bool // on fresh seeds
}

// Front shows what keeping a promise costs: a point for each setting, a line through those
// that no other beats in both figures, and the promise. It returns nil for fewer than two
// settings.
func Front(t Tuned) *Figure {
	if len(t.Points) < 2 {
		return nil
	}
	f := &Figure{
		Name: "tune", Title: "What the promise costs", Scenario: t.Title, Setting: t.Setting, Width: 640, Height: 440,
		Subtitle: fmt.Sprintf("%s that the search saw; the large point is the answer", format.Count(len(t.Points), "setting")), Columns: 1,
		Note: "The line joins the settings that no other is better than in both figures. Figures are means over replications of the search, of which settings far from the answer have few.",
	}
	kinds := []struct {
		name  string
		paint Paint
		is    func(TunedPoint) bool
	}{
		{"tried on one seed", Series(0), func(p TunedPoint) bool { return !p.Kept && !p.Broken }},
		{"kept on fresh seeds", Series(2), func(p TunedPoint) bool { return p.Kept }},
		{"broken on fresh seeds", Series(1), func(p TunedPoint) bool { return p.Broken }},
	}
	xs, ys := make([]float64, len(t.Points)), []float64{t.Threshold}
	var front []Point
	for i, p := range t.Points {
		xs[i], ys = p.Cost, append(ys, p.Figure)
		if p.Front {
			front = append(front, Point{p.Cost, p.Figure})
		}
	}
	panel := Panel{Title: t.Metric + " against " + t.Cost, Alt: t.Metric + " against " + t.Cost + ", a point for each setting; the table has the figures",
		X: fitAxis(t.Cost, "", xs), Y: fitAxis(t.Metric, "", ys)}
	panel.X.Inset, panel.Y.Inset = 12, 12
	panel.Marks = append(panel.Marks, Mark{Shapes: []Shape{Line{ReferenceLine, front}}},
		Mark{Shapes: []Shape{Line{Limit, []Point{{panel.X.Lo, t.Threshold}, {panel.X.Hi, t.Threshold}}}}})
	for _, kind := range kinds {
		shown := false
		for _, p := range t.Points {
			if !kind.is(p) {
				continue
			}
			shown = true
			spot := Spot{Paint: kind.paint, X: p.Cost, Y: p.Figure, Radius: 3}
			if p.Answer {
				spot.Radius, spot.Label = 7, p.Label
			}
			panel.Marks = append(panel.Marks, Mark{
				Title: fmt.Sprintf("%s: %s %s, %s %s", p.Name, t.Metric, format.Number(p.Figure), t.Cost, format.Number(p.Cost)),
				X:     p.Cost, Y: p.Figure, Shapes: []Shape{spot},
			})
		}
		if shown {
			f.Legend = append(f.Legend, Entry{kind.name, kind.paint, SpotSample})
		}
	}
	f.Legend = append(f.Legend, Entry{"best for their cost", ReferenceLine, LineSample}, Entry{"promise", Limit, LineSample})
	f.Panels = []Panel{panel}
	return f
}
