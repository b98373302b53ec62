package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Without skewness the interval is that of Student's t; otherwise it has a longer tail on
// the side of the rare values, and mirrored values have the mirrored interval.
func TestOfSkewed(t *testing.T) {
	even := []float64{1, 2, 3, 4, 5}
	if got, want := OfSkewed(even), OfMean(even); got.Mean != 3 || math.Abs(got.Lo-want.Lo()) > 1e-9 || math.Abs(got.Hi-want.Hi()) > 1e-9 || got.Needed != 0 {
		t.Errorf("symmetric values: %+v, want %+v", got, want)
	}
	rare := []float64{0, 0, 0, 0, 0, 0, 0, 0, 1, 2}
	got := OfSkewed(rare)
	if below, above := got.Mean-got.Lo, got.Hi-got.Mean; above < 2*below || got.Lo < -0.1 || got.Needed < 20 {
		t.Errorf("rare values: %+v", got)
	}
	mirrored := make([]float64, len(rare))
	for i, x := range rare {
		mirrored[i] = -x
	}
	if m := OfSkewed(mirrored); math.Abs(m.Lo+got.Hi) > 1e-12 || math.Abs(m.Hi+got.Lo) > 1e-12 {
		t.Errorf("mirrored values: %+v, want the mirror of %+v", m, got)
	}
	for _, equal := range [][]float64{{0.1, 0.1, 0.1}, {7}} {
		if got := OfSkewed(equal); got != (Bounded{equal[0], equal[0], equal[0], 0}) {
			t.Errorf("%v: %+v", equal, got)
		}
	}
}

// The transformation is undone to the precision of a float64.
func TestUntwist(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		x, a := 4*r.NormFloat64(), r.NormFloat64()
		y := x + a*x*x + a*a*x*x*x/3
		if got := untwist(y, a); math.Abs(got-x) > 1e-5*(1+math.Abs(x)) {
			t.Fatalf("untwist(%v, %v) = %v, want %v", y, a, got, x)
		}
		if c, want := cubeRoot(y), math.Cbrt(y); math.Abs(c-want) > 1e-15*math.Abs(want) {
			t.Fatalf("cubeRoot(%v) = %v, want %v", y, c, want)
		}
	}
}

// TestSkewedCovers draws ten values of skewed distributions. The interval of Student's t
// covers 90, 87 and 86 % of their means.
func TestSkewedCovers(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many samples")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for name, d := range map[string]struct {
		draw func() float64
		mean float64
	}{
		"normal":              {r.NormFloat64, 0},
		"exponential":         {r.ExpFloat64, 1},
		"chi-squared":         {func() float64 { z := r.NormFloat64(); return z * z }, 1},
		"zero in half of all": {func() float64 { return float64(r.IntN(2)) * r.ExpFloat64() }, 0.5},
	} {
		const samples = 4000
		missed := 0
		for range samples {
			if b := OfSkewed(sample(d.draw, 10)); d.mean < b.Lo || d.mean > b.Hi {
				missed++
			}
		}
		if covers := 1 - float64(missed)/samples; covers < 0.93 {
			t.Errorf("%s: covers %.1f %%, want at least 93 %%", name, 100*covers)
		}
	}
}
