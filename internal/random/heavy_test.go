package random

import (
	"math"
	"slices"
	"testing"
)

// below returns the share of sorted draws that are at most x.
func below(sorted []float64, x float64) float64 {
	n, _ := slices.BinarySearch(sorted, math.Nextafter(x, math.Inf(1)))
	return float64(n) / float64(len(sorted))
}

// Gamma draws follow their distribution if it has a closed form: the
// exponential distribution for a variation of 1, a sum of two exponentials for
// 1/sqrt(2), and a squared normal for sqrt(2). For other variations the test
// checks mean and variance.
func TestGammaLaw(t *testing.T) {
	const n = 200_000
	draw := func(num, den int64) []float64 {
		g, s := NewGamma(num, den), New(1, 0, "gamma")
		fixed, draws := make([]uint64, n), make([]float64, n)
		g.Fill(&s, fixed)
		for i, x := range fixed {
			draws[i] = float64(x) / (1 << GammaBits)
		}
		slices.Sort(draws)
		return draws
	}
	for _, c := range []struct {
		num, den     int64
		distribution func(x float64) float64
	}{
		{1, 1, func(x float64) float64 { return 1 - math.Exp(-x) }},
		{70710678, 100000000, func(x float64) float64 { return 1 - math.Exp(-2*x)*(1+2*x) }},
		{14142136, 10000000, func(x float64) float64 { return math.Erf(math.Sqrt(x / 2)) }},
	} {
		draws := draw(c.num, c.den)
		for _, x := range []float64{0.001, 0.01, 0.1, 0.3, 1, 2, 4, 8} {
			want := c.distribution(x)
			if got := below(draws, x); math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n)+1e-6 {
				t.Errorf("variation %d/%d: %.5f of draws are at most %g, want %.5f", c.num, c.den, got, x, want)
			}
		}
	}
	for _, cv := range []int64{1, 2, 5, 8, 20, 50, 100} {
		draws := draw(cv, 10)
		mean, square := 0.0, 0.0
		for _, x := range draws {
			mean += x / n
			square += x * x / n
		}
		v := float64(cv*cv) / 100
		if math.Abs(mean-1) > 4*math.Sqrt(v/n) {
			t.Errorf("variation %g: mean %.4f, want 1", float64(cv)/10, mean)
		}
		// The variance of a squared draw: E[x^4] - E[x^2]^2 of a gamma distribution.
		fourth := (1 + v) * (1 + 2*v) * (1 + 3*v)
		if want := 1 + v; math.Abs(square-want) > 4*math.Sqrt((fourth-want*want)/n) {
			t.Errorf("variation %g: mean square %.3f, want %.3f", float64(cv)/10, square, want)
		}
	}
}

func TestParetoLaw(t *testing.T) {
	const n, least = 200_000, 1_000_000
	for _, shape := range [][2]int64{{1, 1}, {3, 2}, {5, 2}, {40, 1}} {
		p, s := NewPareto(least, shape[0], shape[1]), New(1, 0, "pareto")
		draws := make([]float64, n)
		for i := range draws {
			draws[i] = float64(p.Draw(&s))
		}
		slices.Sort(draws)
		if draws[0] < least {
			t.Errorf("shape %v: a draw of %g is below the least", shape, draws[0])
		}
		for _, times := range []float64{1.01, 1.1, 2, 10, 1000} {
			want := 1 - math.Pow(times, -float64(shape[0])/float64(shape[1]))
			if got := below(draws, times*least); math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n)+1e-6 {
				t.Errorf("shape %v: %.5f of draws are at most %g times the least, want %.5f", shape, got, times, want)
			}
		}
	}
}

// If the squeeze accepts a normal draw, the logarithms accept it too, by more
// than their error.
func TestSqueezeIsInside(t *testing.T) {
	for _, cv := range []int64{1, 2, 3, 5, 8, 9, 10, 11, 12, 15, 20, 30, 50, 100} {
		g := NewGamma(cv, 10)
		passed := 0
		for i := range 40_000 {
			x := float64(i-20_000) / 20_000 * 2.35 // 1 - squeeze*x^4 is below 0 beyond
			v := 1 + g.c*x
			if v <= 0 {
				continue
			}
			v *= v * v
			// The least u that surely stays, of which -ln is largest.
			u := uint64(max(0, 1-squeeze*x*x*x*x-2e-6) * (1 << 64))
			if !surelyStays(u, x) {
				continue
			}
			passed++
			if below := x*x/2 + g.d - g.d*v + g.d*math.Log(v); math.Log(float64(u)/(1<<64)) > below-5e-7 {
				t.Fatalf("variation %d/10: %g stays of a draw of %g", cv, x, float64(u)/(1<<64))
			}
			if !g.stays(u, x, v) {
				t.Fatalf("variation %d/10: %g does not stay of a draw of %g", cv, x, float64(u)/(1<<64))
			}
		}
		if passed < 30_000 {
			t.Errorf("variation %d/10: the squeeze lets %d of 40,000 pass", cv, passed)
		}
	}
}

// The time that is left of an interval has the density (1-F(x))/mean: for the Pareto
// and the gamma distribution, checked by its distribution or its mean.
func TestResiduals(t *testing.T) {
	const n, least = 100_000, 1_000_000
	for _, shape := range [][2]int64{{21, 20}, {6, 5}, {3, 2}, {5, 2}, {10, 1}} {
		p, s := NewPareto(least, shape[0], shape[1]), New(1, 0, "pareto")
		draws := make([]float64, n)
		for i := range draws {
			draws[i] = float64(p.Residual(&s))
		}
		slices.Sort(draws)
		a := float64(shape[0]) / float64(shape[1])
		for _, times := range []float64{0.01, 0.5, 0.99, 1.01, 2, 10, 1000} {
			want := times * (a - 1) / a
			if times > 1 {
				want = 1 - math.Pow(times, 1-a)/a
			}
			if got := below(draws, times*least); math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n)+1e-6 {
				t.Errorf("shape %v: %.5f of residuals are at most %g times the least, want %.5f", shape, got, times, want)
			}
		}
	}
	for _, cv := range []int64{1, 5, 10, 30, 100} {
		g, s := NewGamma(cv, 10), New(1, 0, "gamma")
		mean := 0.0
		for range n {
			mean += float64(g.Residual(&s)) / (1 << GammaBits) / n
		}
		// Moments E[x^(k+1)]/((k+1) E[x]) of the gamma distribution.
		v := float64(cv*cv) / 100
		want, square := (1+v)/2, (1+v)*(1+2*v)/3
		if math.Abs(mean-want) > 4*math.Sqrt((square-want*want)/n) {
			t.Errorf("variation %g: mean residual %.4f, want %.4f", float64(cv)/10, mean, want)
		}
	}
	g, s := NewGamma(1, 1), New(2, 0, "gamma")
	draws := make([]float64, n)
	for i := range draws {
		draws[i] = float64(g.Residual(&s)) / (1 << GammaBits)
	}
	slices.Sort(draws)
	for _, x := range []float64{0.001, 0.1, 1, 3, 8} { // an exponential gap has no memory
		if got, want := below(draws, x), 1-math.Exp(-x); math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n)+1e-6 {
			t.Errorf("variation 1: %.5f of residuals are at most %g, want %.5f", got, x, want)
		}
	}
}
