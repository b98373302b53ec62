package figure

import (
	"slices"
	"testing"
)

// strokes is a canvas that records lines.
type strokes struct {
	plain
	lines [][]Point
}

func (c *strokes) Stroke(_ Paint, lines ...[]Point) { c.lines = append(c.lines, lines...) }

// TestWhiskers checks that an interval has a cap across each end, with the end in its middle,
// and that all of it but half of the caps is inside its box.
func TestWhiskers(t *testing.T) {
	for _, w := range []struct {
		from, to Point
		alongY   bool
		want     [][]Point
		box      Box
	}{
		{Point{10, 50}, Point{30, 50}, false, [][]Point{{{10, 50}, {30, 50}}, {{10, 46}, {10, 54}}, {{30, 46}, {30, 54}}}, Box{7, 47, 33, 53}},
		{Point{30, 50}, Point{10, 50}, false, [][]Point{{{30, 50}, {10, 50}}, {{30, 46}, {30, 54}}, {{10, 46}, {10, 54}}}, Box{7, 47, 33, 53}},
		{Point{20, 90}, Point{20, 40}, true, [][]Point{{{20, 90}, {20, 40}}, {{16, 90}, {24, 90}}, {{16, 40}, {24, 40}}}, Box{17, 37, 23, 93}},
	} {
		c := &strokes{}
		box := drawWhisker(c, w.from, w.to, w.alongY)
		if !slices.EqualFunc(c.lines, w.want, slices.Equal[[]Point]) || box != w.box {
			t.Errorf("from %v to %v: lines %v in %v, want %v in %v", w.from, w.to, c.lines, box, w.want, w.box)
		}
	}
}
