package figure

import (
	"strings"
	"testing"
)

// TestPaintsAreTold checks that the paints of series, shades and bands say which one they
// are, and that every paint is of one kind alone.
func TestPaintsAreTold(t *testing.T) {
	kinds := func(p Paint) (n int) {
		for _, of := range []func() (int, bool){p.IsSeries, p.IsHeat, p.IsBand} {
			if _, ok := of(); ok {
				n++
			}
		}
		return n
	}
	for p := range firstSeries {
		if kinds(p) != 0 {
			t.Errorf("paint %d of a meaning of its own is that of a line, a shade or a band", p)
		}
	}
	for i := range 300 {
		for kind, told := range map[string]func() (p Paint, number int, ok bool){
			"series": func() (p Paint, number int, ok bool) { p = Series(i); number, ok = p.IsSeries(); return },
			"shade":  func() (p Paint, number int, ok bool) { p = Heat(i % HeatLevels); number, ok = p.IsHeat(); return },
			"band":   func() (p Paint, number int, ok bool) { p = BandOf(i); number, ok = p.IsBand(); return },
		} {
			want := i
			if kind == "shade" {
				want %= HeatLevels
			}
			if p, number, ok := told(); !ok || number != want || kinds(p) != 1 {
				t.Errorf("%s %d: %d, %v, of %d kinds", kind, want, number, ok, kinds(p))
			}
		}
	}
}

// TestBoxes compares what is said of two boxes with the points of a grid that they hold. A
// box holds no point of its right and lower edges.
func TestBoxes(t *testing.T) {
	var boxes []Box
	for left := range 3 {
		for top := range 3 {
			for right := left + 1; right <= 3; right++ {
				for bottom := top + 1; bottom <= 3; bottom++ {
					boxes = append(boxes, Box{float64(left), float64(top), float64(right), float64(bottom)})
				}
			}
		}
	}
	holds := func(b Box, x, y float64) bool { return b.Left <= x && x < b.Right && b.Top <= y && y < b.Bottom }
	for _, a := range boxes {
		for _, b := range boxes {
			both, within := false, true
			for x := range 3 {
				for y := range 3 {
					in, there := holds(a, float64(x), float64(y)), holds(b, float64(x), float64(y))
					both, within = both || in && there, within && (there || !in)
				}
			}
			if a.Overlaps(b) != both || a.within(b) != within {
				t.Errorf("%v and %v: overlap %v, within %v", a, b, a.Overlaps(b), a.within(b))
			}
		}
	}
}

// TestFit checks that as much of a text is left as fits: its beginning and its end, and in
// any case the sign of what is missing.
func TestFit(t *testing.T) {
	const words = "abcdefghijklmnopqrstuvwxyz"
	for limit := -10; limit < 200; limit++ {
		got := Fit(newPlain(), LabelText, words, float64(limit))
		n := max(1, limit/6) // a letter is 6 wide
		first, last, cut := strings.Cut(got, "…")
		if len([]rune(got)) != min(n, len(words)) || cut != (n < len(words)) || !strings.HasPrefix(words, first) || !strings.HasSuffix(words, last) {
			t.Errorf("limit %d: %q, want %d letters", limit, got, n)
		}
	}
}

// plain is a canvas that records all calls.
type plain struct {
	fills, strokes map[Paint]int
	circles        []Point
	texts          []Text
	titles         []string
}

func newPlain() *plain { return &plain{fills: map[Paint]int{}, strokes: map[Paint]int{}} }

func (c *plain) Fill(p Paint, _ []Point)             { c.fills[p]++ }
func (c *plain) Stroke(p Paint, lines ...[]Point)    { c.strokes[p] += len(lines) }
func (c *plain) Circle(_ Paint, at Point, _ float64) { c.circles = append(c.circles, at) }
func (c *plain) Write(t Text)                        { c.texts = append(c.texts, t) }
func (c *plain) Width(_ Font, words string) float64  { return 6 * float64(len([]rune(words))) }
func (c *plain) Group(title string, _ Box, draw func()) {
	c.titles = append(c.titles, title)
	draw()
}

// wrote reports whether text was written, and where.
func (c *plain) wrote(words string) (Point, bool) {
	for _, t := range c.texts {
		if t.Words == words {
			return t.At, true
		}
	}
	return Point{}, false
}
