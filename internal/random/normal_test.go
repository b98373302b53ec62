package random

import (
	"math"
	"slices"
	"testing"
)

func TestNormalDistribution(t *testing.T) {
	const draws = 1_000_000
	s := New(1, 0, "normal")
	var m1, m2, m3, m4 float64
	bounds := []float64{-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3}
	counts := make([]float64, len(bounds)+1)
	for range draws {
		z := float64(s.Normal()) / (1 << 48)
		m1 += z
		m2 += z * z
		m3 += z * z * z
		m4 += z * z * z * z
		i, _ := slices.BinarySearch(bounds, z)
		counts[i]++
	}
	for _, m := range []struct {
		name      string
		got, want float64
		deviation float64
	}{{"mean", m1, 0, 1}, {"variance", m2, 1, math.Sqrt(2)}, {"skewness", m3, 0, math.Sqrt(15)}, {"kurtosis", m4, 3, math.Sqrt(96)}} {
		if math.Abs(m.got/draws-m.want) > 4*m.deviation/math.Sqrt(draws) {
			t.Errorf("%s is %.4f, want %.0f", m.name, m.got/draws, m.want)
		}
	}
	var chi2, below float64
	for i, c := range counts {
		upto := 1.0
		if i < len(bounds) {
			upto = math.Erfc(-bounds[i]/math.Sqrt2) / 2
		}
		want := (upto - below) * draws
		chi2 += (c - want) * (c - want) / want
		below = upto
	}
	if chi2 > 9+4*math.Sqrt(18) {
		t.Errorf("chi-square is %.1f at 9 degrees of freedom", chi2)
	}
}
