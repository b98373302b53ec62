package figure

import "testing"

// TestSameAxes checks that two drawings of a figure get one scale that holds both, linear
// unless both are logarithmic, and that rows and times keep theirs.
func TestSameAxes(t *testing.T) {
	one := func(x, y Axis) *Figure { return &Figure{Name: "f", Panels: []Panel{{X: x, Y: y}}} }
	values := func(list ...float64) Axis { return fitAxis("%", "", list) }
	a, b := one(values(30), Axis{Rows: []string{"a"}}), one(values(61), Axis{Rows: []string{"a", "b"}})
	SameAxes(a, b)
	if x, y := a.Panels[0].X, b.Panels[0].X; x.Hi != y.Hi || x.Hi < 61 || x.At(30, 0, 100) != y.At(30, 0, 100) || len(x.Ticks) != len(y.Ticks) {
		t.Errorf("30 and 61: axes to %v and %v", x.Hi, y.Hi)
	}
	if len(a.Panels[0].Y.Rows) != 1 || len(b.Panels[0].Y.Rows) != 2 {
		t.Error("the rows have changed")
	}
	a, b = one(values(1, 1000), Axis{Hi: 1}), one(values(10, 12), Axis{Hi: 1})
	SameAxes(a, b)
	if x, y := a.Panels[0].X, b.Panels[0].X; x.Log || y.Log || x.Hi < 1000 || y.Hi != x.Hi || x.Label != "%" {
		t.Errorf("a logarithmic axis beside a linear one: %+v and %+v", x, y)
	}
	a, b = one(Axis{Hi: 5}, Axis{Hi: 1}), one(Axis{Hi: 9}, Axis{Hi: 4})
	a.Panels[0].Readout, b.Panels[0].Readout = &Readout{}, &Readout{}
	SameAxes(a, b)
	if a.Panels[0].X.Hi != 5 || a.Panels[0].Y.Hi != 4 {
		t.Errorf("over time: %+v", a.Panels[0])
	}
}
