package figure

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
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

// TestAxisOfRandomValues checks that an axis is logarithmic exactly where values above
// zero differ more than twentyfold, that it leaves room at its ends, and that its
// positions are those of the values' shares of the scale.
func TestAxisOfRandomValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1, 40), 1, 8).Draw(t, "values")
		least, most, zeros := math.Inf(1), 0.0, false
		for _, x := range values {
			if zeros = zeros || x <= 0; x > 0 {
				least, most = min(least, x), max(most, x)
			}
		}
		if rapid.Bool().Draw(t, "missing") {
			values = append(values, math.NaN())
		}
		a := fitAxis("x", "none", values)
		missing := a.Missing != ""
		if missing != math.IsNaN(values[len(values)-1]) || a.Log != (most > 20*least) || a.Zeros != (a.Log && zeros) {
			t.Fatalf("%v: %+v", values, a)
		}
		strips := 0.0
		for _, there := range []bool{a.Zeros, missing} {
			if there {
				strips += strip
			}
		}
		for _, from := range []float64{50, 450} {
			to := 500 - from
			near := func(x, share float64) {
				start := from + math.Copysign(strips, to-from)
				if got, want := a.At(x, from, to), start+share*(to-start); math.Abs(got-want) > 1e-6 {
					t.Fatalf("%v from %v of %v: at %v, want %v", x, from, values, got, want)
				}
			}
			for _, x := range values {
				switch {
				case math.IsNaN(x):
					if got := a.At(x, from, to); got != from+math.Copysign(strip/2, to-from) {
						t.Fatalf("a missing value is at %v", got)
					}
				case a.Log && x <= 0:
					if got := a.At(x, from, to); math.Abs(got-(from+math.Copysign(strips-strip/2, to-from))) > 1e-6 {
						t.Fatalf("0 is at %v from %v, with missing values: %v", got, from, missing)
					}
				case a.Log:
					lo, hi := max(least/1.6, most/1e9), most*1.6
					near(x, math.Log(max(x, lo)/lo)/math.Log(hi/lo)) // far smaller ones are at the end
				case most > 0:
					near(x, max(x, 0)/(1.12*most))
				default:
					near(x, 0)
				}
			}
			if !a.Log && most == 0 {
				near(1, 1)
			}
		}
	})
}
