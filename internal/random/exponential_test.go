package random

import (
	"math"
	"slices"
	"testing"
)

// Draws must not rise with u by more than rounding and must not wrap, because a
// gap would then last 64 units. The test checks every edge between cells and
// the ends of the range.
func TestExponentialFallsWithU(t *testing.T) {
	for k := range 64 {
		for c := range uint64(logCellCount) {
			edge := (1<<63 | c<<54) >> k
			for _, u := range []uint64{edge, edge + 1, edge + 2, edge + 3, edge + 1<<40>>k} {
				if edge > 2 && minusLog(u-2)+2 < minusLog(u) {
					t.Fatalf("minusLog rises from %#x to %#x", u-2, u)
				}
			}
		}
	}
	for u := uint64(math.MaxUint64 - 1000); u != 0; u++ {
		if minusLog(u) > 1000 {
			t.Fatalf("minusLog(%#x) is %d", u, minusLog(u))
		}
	}
}

func TestExponentialDistribution(t *testing.T) {
	const draws, bins = 1_000_000, 100
	s := New(1, 0, "exponential")
	x := make([]uint64, draws)
	s.FillExponential(x)
	again := New(1, 0, "exponential")
	var sum, squares, chi2 float64
	var counts [bins]float64
	for i, e := range x {
		if one := again.Exponential(); one != e {
			t.Fatalf("FillExponential gives %d at %d, Exponential %d", e, i, one)
		}
		v := float64(e) / (1 << 58)
		sum += v
		squares += v * v
		counts[min(bins-1, int(bins*-math.Expm1(-v)))]++
	}
	if again != s {
		t.Error("FillExponential leaves the stream elsewhere than Exponential")
	}
	pairs, single := New(1, 0, "pairs"), New(1, 0, "pairs")
	uniform, exponential := make([]uint64, 100), make([]uint64, 100)
	pairs.FillPairs(uniform, exponential)
	for i := range uniform {
		if u, e := single.Uint64(), single.Exponential(); u != uniform[i] || e != exponential[i] {
			t.Fatalf("FillPairs gives %d and %d at %d, one by one they are %d and %d", uniform[i], exponential[i], i, u, e)
		}
	}
	if pairs != single {
		t.Error("FillPairs leaves the stream elsewhere than draws one by one")
	}
	mean, variance := sum/draws, squares/draws-sum/draws*sum/draws
	if math.Abs(mean-1) > 0.004 || math.Abs(variance-1) > 0.015 {
		t.Errorf("mean %.4f and variance %.4f, want 1 and 1", mean, variance)
	}
	for _, c := range counts {
		chi2 += (c - draws/bins) * (c - draws/bins) / (draws / bins)
	}
	if chi2 > 99+4*math.Sqrt(2*99) {
		t.Errorf("chi-square against the exact distribution is %.1f at 99 degrees of freedom", chi2)
	}
	slices.Sort(x)
	if p99 := float64(x[draws*99/100]) / (1 << 58); math.Abs(p99/math.Log(100)-1) > 0.01 {
		t.Errorf("p99 is %.4f, want %.4f", p99, math.Log(100))
	}
}
