package figure

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each configuration has a curve with a step for each bin, and each client a bar from 0 to
// the change of its refusals. Ticks count whole requests on both sides of 0.
func TestDecided(t *testing.T) {
	d := Decided{
		StartNs: 5e9, BinNs: 5e8, Offered: []int64{4, 2, 0}, ChangesTitle: "who",
		Courses: []Course{{"old", []int64{4, 0, 2}}, {"new", []int64{1, 3, 9}}},
		Changes: []Change{{"more", 1, 3}, {"fewer", 4, 0}},
	}
	f := d.Figure()
	if len(f.Panels) != 2 || len(f.Legend) != 5 {
		t.Fatalf("%d panels, %d entries", len(f.Panels), len(f.Legend))
	}
	over, by := f.Panels[0], f.Panels[1]
	lines := shapesOf[Line](over)
	if want := []Point{{0, 1}, {0.5, 1}, {0.5, 3}, {1, 3}, {1, 9}, {1.5, 9}}; len(lines) != 2 || !cmp.Equal(lines[1].Points, want) {
		t.Errorf("lines %+v", lines)
	}
	if lines[0].Paint == lines[1].Paint || over.X.Hi != 1.5 || over.Y.Hi < 9 {
		t.Errorf("paints %v and %v, axes to %v and %v", lines[0].Paint, lines[1].Paint, over.X.Hi, over.Y.Hi)
	}
	bars := shapesOf[Bar](by)
	if len(bars) != 2 || bars[0] != (Bar{Excess, 0, 0, 2, 0.36, 14}) || bars[1] != (Bar{Admitted, 1, 0, -4, 0.36, 14}) || by.X.Lo != -4 || by.X.Hi <= 2 {
		t.Errorf("bars %+v from %v to %v", bars, by.X.Lo, by.X.Hi)
	}
	if want := []Tick{{-4, "4"}, {-3, "3"}, {-2, "2"}, {-1, "1"}, {0, "0"}, {1, "1"}, {2, "2"}}; !cmp.Equal(by.X.Ticks, want) {
		t.Errorf("ticks %v, want %v", by.X.Ticks, want)
	}
	if values := shapesOf[Value](by); len(values) != 2 || values[1] != (Value{Row: 1, Words: "-4: 4 to 0"}) || !slices.Equal(by.Y.Rows, []string{"more", "fewer"}) {
		t.Errorf("values %+v of %v", values, by.Y.Rows)
	}
	d.Changes = d.Changes[:1]
	if by = d.Figure().Panels[1]; by.X.Lo != 0 || by.X.Ticks[0].Value != 0 {
		t.Errorf("nothing lost: from %v, ticks %v", by.X.Lo, by.X.Ticks)
	}
	d.Courses, d.Changes = d.Courses[:1], nil
	if f = d.Figure(); len(f.Panels) != 1 || len(f.Legend) != 2 || len(shapesOf[Line](f.Panels[0])) != 1 {
		t.Errorf("one configuration has %d panels", len(f.Panels))
	}
}
