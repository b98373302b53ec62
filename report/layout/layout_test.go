package layout

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var text = Text{
	Pitch: 13,
	Width: func(words string) float64 { return 6 * float64(len(words)) },
	Fit:   func(words string) string { return words },
}

// A label lies inside the frame, on no point and on no other label, as long as
// there is room; points that lie on each other share one.
func TestLabelsDoNotOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	frame := Box{62, 16, 544, 330}
	for round := range 200 {
		var spots []Spot
		for i := range 8 {
			spots = append(spots, Spot{80 + 440*r.Float64(), 40 + 260*r.Float64(), fmt.Sprintf("algorithm-%d", i)})
		}
		spots = append(spots, Spot{spots[0].X + 1, spots[0].Y, "twin"})
		var boxes []Box
		lines := 0
		for _, l := range Place(spots, frame, nil, text) {
			lines += len(l.Lines)
			width := 0.0
			for _, words := range l.Lines {
				width = max(width, text.Width(words))
			}
			boxes = append(boxes, Box{l.X, l.Y, l.X + width, l.Y + text.Pitch*float64(len(l.Lines))})
		}
		if lines != len(spots) || len(boxes) >= len(spots) {
			t.Fatalf("%d labels with %d lines for %d points of which two coincide", len(boxes), lines, len(spots))
		}
		for i, b := range boxes {
			if !b.within(frame) {
				t.Errorf("round %d: label outside: %v", round, b)
			}
			for _, o := range boxes[:i] {
				if b.Overlaps(o) {
					t.Errorf("round %d: %v overlaps %v", round, b, o)
				}
			}
			for _, s := range spots {
				if b.Overlaps(Box{s.X, s.Y, s.X, s.Y}) {
					t.Errorf("round %d: %v covers the point %v", round, b, s)
				}
			}
		}
	}
}

func TestScale(t *testing.T) {
	x := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		name    string
		figures []*float64
		log     bool
		order   []*float64 // from left to right, all at different places
	}{
		{"linear", []*float64{x(0), x(5), x(10)}, false, []*float64{x(0), x(5), x(10)}},
		{"linear with none", []*float64{nil, x(5), x(10)}, false, []*float64{nil, x(5), x(10)}},
		{"log", []*float64{x(0.1), x(5), x(300)}, true, []*float64{x(0.1), x(5), x(300)}},
		{"log with zero and none", []*float64{x(0), nil, x(0.1), x(300)}, true, []*float64{nil, x(0), x(0.1), x(300)}},
	} {
		s := NewScale(c.figures, 50, 450)
		if s.Log != c.log {
			t.Errorf("%s: log = %v", c.name, s.Log)
		}
		last := 49.0
		for _, f := range c.order {
			at := s.At(f)
			if at <= last || at > 450 {
				t.Errorf("%s: %v is at %v, after %v", c.name, f, at, last)
			}
			last = at
		}
		upside := NewScale(c.figures, 450, 50)
		if a, b := upside.At(c.order[0]), upside.At(c.order[len(c.order)-1]); a <= b || b < 50 {
			t.Errorf("%s: upwards from %v to %v", c.name, a, b)
		}
	}
}
