package figure

import (
	"math"
	"testing"
)

func TestFitAxis(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		name   string
		values []float64
		log    bool
		order  []float64 // from left to right, all at different places
	}{
		{"linear", []float64{0, 5, 10}, false, []float64{0, 5, 10}},
		{"linear with missing", []float64{none, 5, 10}, false, []float64{none, 5, 10}},
		{"log", []float64{0.1, 5, 300}, true, []float64{0.1, 5, 300}},
		{"log with zero and missing", []float64{0, none, 0.1, 300}, true, []float64{none, 0, 0.1, 300}},
		{"log of a tiny and a common value", []float64{1e-300, 1}, true, []float64{1e-300, 1}},
		{"log of huge values", []float64{1, math.MaxFloat64}, true, []float64{1e280, 1e300}},
	} {
		a := fitAxis("x", "none", c.values)
		if a.Log != c.log {
			t.Errorf("%s: log = %v", c.name, a.Log)
		}
		if len(a.Ticks) > 120 {
			t.Errorf("%s: %d ticks", c.name, len(a.Ticks))
		}
		last := 49.0
		for _, x := range c.order {
			at := a.At(x, 50, 450)
			if !(at > last && at <= 450) {
				t.Errorf("%s: %v is at %v, after %v", c.name, x, at, last)
			}
			last = at
		}
		if first, last := a.At(c.order[0], 450, 50), a.At(c.order[len(c.order)-1], 450, 50); first <= last || last < 50 {
			t.Errorf("%s: upwards from %v to %v", c.name, first, last)
		}
	}
}

func TestRowsRunFromTheTop(t *testing.T) {
	a := Axis{Rows: []string{"first", "second"}}
	if first, second := a.At(0, 100, 200), a.At(1, 100, 200); first != 125 || second != 175 {
		t.Errorf("rows at %v and %v, want 125 and 175", first, second)
	}
}
