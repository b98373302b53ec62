package figure

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A label is inside the frame and overlaps no point and no other label, if
// there is space. Points at the same position share one label.
func TestLabelsDoNotOverlap(t *testing.T) {
	c := newPlain()
	r := rand.New(rand.NewPCG(3, 4))
	frame := Box{62, 16, 544, 330}
	for round := range 200 {
		var spots []labelled
		for i := range 8 {
			spots = append(spots, labelled{x: 80 + 440*r.Float64(), y: 40 + 260*r.Float64(), label: fmt.Sprintf("algorithm-%d", i)})
		}
		spots = append(spots, labelled{x: spots[0].x + 1, y: spots[0].y, label: "same place"})
		var boxes []Box
		lines := 0
		for _, l := range placeLabels(c, spots, frame, nil) {
			lines += len(l.lines)
			boxes = append(boxes, l.box)
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
				if b.Overlaps(Box{s.x, s.y, s.x, s.y}) {
					t.Errorf("round %d: %v covers the point %v", round, b, s)
				}
			}
		}
	}
}

// Labels of many points close together, as in a comparison of 27 rows, find free
// positions further away.
func TestManyLabelsDoNotOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	frame := Box{62, 16, 544, 330}
	for round := range 50 {
		var spots []labelled
		for i := range 27 {
			spots = append(spots, labelled{x: 90 + 150*r.Float64(), y: 200 + 110*r.Float64(), label: fmt.Sprintf("an-algorithm-%d", i)})
		}
		var boxes []Box
		for _, l := range placeLabels(newPlain(), spots, frame, nil) {
			if !l.box.within(frame) {
				t.Errorf("round %d: label outside: %v", round, l.box)
			}
			for _, o := range boxes {
				if l.box.Overlaps(o) {
					t.Errorf("round %d: %v overlaps %v", round, l.box, o)
				}
			}
			boxes = append(boxes, l.box)
		}
	}
}

// The lines of a label are in the order of their points, from the uppermost, and points at one
// height keep their order.
func TestLinesOfALabelAreInOrder(t *testing.T) {
	spots := []labelled{{x: 90, y: 207, label: "low"}, {x: 90, y: 200, label: "high"}, {x: 91, y: 207, label: "low, too"}}
	labels := placeLabels(newPlain(), spots, Box{62, 16, 544, 320}, nil)
	if len(labels) != 1 || !slices.Equal(labels[0].lines, []string{"high", "low", "low, too"}) {
		t.Errorf("labels %+v", labels)
	}
}

// A label of many lines does not take the place next to another point.
func TestHighLabelsGiveWay(t *testing.T) {
	var spots []labelled
	for i := range 5 {
		spots = append(spots, labelled{x: 90, y: 300, label: fmt.Sprintf("same-%d", i)})
	}
	spots = append(spots, labelled{x: 90, y: 251, label: "alone"}, labelled{x: 90, y: 235, label: "above"})
	for _, l := range placeLabels(newPlain(), spots, Box{62, 16, 544, 320}, nil) {
		if len(l.lines) == 1 && (l.leader || l.box.Left != 99) {
			t.Errorf("%s is at %v, not next to its point", l.lines[0], l.box)
		}
	}
}

// A label before its point is on its left, and no label covers a point without one.
func TestLabelsBesideOtherPoints(t *testing.T) {
	before := placeLabels(newPlain(), []labelled{{x: 300, y: 100, label: "before", before: true}}, Box{62, 16, 544, 320}, nil)[0]
	if before.leader || before.box.Right != 291 {
		t.Errorf("the label is at %v", before.box)
	}
	p := Panel{X: Axis{Hi: 100}, Y: Axis{Hi: 100}, Marks: []Mark{{Shapes: []Shape{Spot{X: 50, Y: 50, Radius: 3, Label: "label"}, Spot{X: 54, Y: 50, Radius: 3}}}}}
	c := newPlain()
	p.Draw(c, Box{0, 0, 540, 440}, Insets{20, 20, 20, 20}, Show{})
	at, ok := c.wrote("label")
	if middle := 20 + 0.54*500.0; !ok || at.X < middle && middle < at.X+30 && at.Y > 215 {
		t.Errorf("the label is at %v, on the other point at %v", at, middle)
	}
}

// A scale with room before its least value has it to the left of the label's width.
func TestRoomForLabels(t *testing.T) {
	for _, values := range [][]float64{{80, 20_000}, {80, 90}, {5, 400}} {
		a := fitAxis("", "", values)
		a.makeRoom(60, values[0])
		if at := a.At(values[0], 0, usualWidth); at < 60 || at > 90 && a.Log {
			t.Errorf("%v: the least value is at %v", values, at)
		}
	}
}
