package figure

import (
	"math"
	"testing"
)

// A panel draws its grid, ticks, strips, labels and marks once each.
func TestDrawPanel(t *testing.T) {
	p := Panel{
		Title: "title",
		X:     Axis{Label: "x", Hi: 10, Missing: "none", Grid: true, Ticks: []Tick{{0, "0"}, {5, "5"}, {6, ""}}},
		Y:     Axis{Label: "y", Lo: 0.1, Hi: 10, Log: true, Zeros: true, Grid: true, Ticks: []Tick{{1, "1"}}},
		Marks: []Mark{
			{Title: "a point", X: 5, Y: 1, Shapes: []Shape{Whisker{X: 5, Y: 1, Lo: 0.5, Hi: 2, AlongY: true}, Spot{Paint: Algorithm, X: 5, Y: 1, Radius: 5, Label: "label"}}},
			{Title: "missing", X: math.NaN(), Y: 0, Shapes: []Shape{Spot{Paint: Reference, X: math.NaN(), Radius: 5, Label: "other"}}},
			{Shapes: []Shape{Steps{Offered, 5, []float64{1, 2}}, Line{Limit, []Point{{0, 1}, {10, 1}}}}},
		},
	}
	c := newPlain()
	show := Show{X: true, Y: true}
	p.Draw(c, Box{0, 0, 400, 300}, p.Insets(c, show), show)
	for paint, want := range map[Paint]int{Strip: 1, Reference: 1, Offered: 1} {
		if got := c.fills[paint]; got != want {
			t.Errorf("%d areas of paint %d, want %d", got, paint, want)
		}
	}
	// Grid: two values of x and one of y. Axis lines: the frame and four ticks.
	for paint, want := range map[Paint]int{Grid: 3, AxisLine: 5, Divider: 1, Interval: 3, Limit: 1} {
		if got := c.strokes[paint]; got != want {
			t.Errorf("%d lines of paint %d, want %d", got, paint, want)
		}
	}
	if len(c.circles) != 1 || len(c.titles) != 2 {
		t.Errorf("%d dots and titles %v, want one dot and two titles", len(c.circles), c.titles)
	}
	for _, words := range []string{"title", "x", "y", "0", "5", "1", "none", "label", "other"} {
		if _, ok := c.wrote(words); !ok {
			t.Errorf("%q is not written", words)
		}
	}
}

// Labels of ticks do not touch each other and stay in the box.
func TestTickLabels(t *testing.T) {
	p := Panel{X: Axis{Hi: 100, Ticks: niceTicks(100, 100)}, Y: Axis{Hi: 100, Ticks: niceTicks(100, 100)}}
	c := newPlain()
	in := p.Insets(c, Show{})
	p.Draw(c, Box{0, 0, 400, 300}, in, Show{})
	lastX, lastY := -100.0, 1000.0
	for _, one := range c.texts {
		switch {
		case one.Words == "":
		case one.Align == 0.5: // below the axis
			half := c.Width(one.Font, one.Words) / 2
			if one.At.X-half < lastX+6 || one.At.X+half > 400 {
				t.Errorf("label %s of x at %v, after %v", one.Words, one.At.X, lastX)
			}
			lastX = one.At.X + half
		default:
			if lastY-one.At.Y < 12 || one.At.X-c.Width(one.Font, one.Words) < 0 {
				t.Errorf("label %s of y at %v, after %v", one.Words, one.At, lastY)
			}
			lastY = one.At.Y
		}
	}
}
