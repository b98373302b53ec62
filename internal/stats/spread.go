package stats

import "math"

// spread is the distribution of S/sigma, the sample standard deviation of normal
// values in units of the true one, as points with weights that sum to 1. Every
// distribution of this package that has an estimated standard deviation is a
// mixture of normal ones over it: P(t > x) is the mean of P(Z > x*S/sigma).
type spread []weighted

type weighted struct{ r, weight float64 }

// spreadPanels is the number of panels of Simpson's rule. With 32 of them over
// 18 standard deviations the tails of Student's t agree with tables to 1e-7.
const spreadPanels = 32

// spreadOf returns the distribution of S/sigma with df degrees of freedom, at
// least 1: the root of a chi-squared variable over df.
func spreadOf(df int) spread {
	if df < 1 {
		panic("stats: a standard deviation needs a degree of freedom")
	}
	n := float64(df)
	mode, sd := math.Sqrt((n-1)/n), 1/math.Sqrt(2*n)
	panels := spreadPanels
	if df < 5 { // the density is not smooth at 0
		panels *= 8
	}
	lo, hi := max(0, mode-9*sd), mode+9*sd
	step := (hi - lo) / float64(panels)
	s, total := make(spread, 0, panels+1), 0.0
	for i := range panels + 1 {
		r := lo + float64(float64(i)*step)
		weight := density(r, mode, n)
		switch {
		case i == 0 || i == panels:
		case i%2 == 1:
			weight *= 4
		default:
			weight *= 2
		}
		if weight > 0 {
			s = append(s, weighted{r, weight})
			total += weight
		}
	}
	for i := range s {
		s[i].weight /= total
	}
	return s
}

// density returns the density of S/sigma at r, up to a factor.
func density(r, mode, df float64) float64 {
	if r == 0 {
		if df == 1 {
			return 1
		}
		return 0
	}
	at := func(r float64) float64 { return (df-1)*math.Log(r) - df*r*r/2 }
	if mode == 0 {
		return math.Exp(at(r))
	}
	return math.Exp(at(r) - at(mode))
}

// above returns P(t > x) for Student's t.
func (s spread) above(x float64) float64 {
	return s.mean(func(r float64) float64 { return normalAbove(x * r) })
}

// quantileAbove returns the x with P(t > x) = p, for 0 < p < 1.
func (s spread) quantileAbove(p float64) float64 {
	return decreasing(func(x float64) float64 { return s.above(x) - p }, -1, 1)
}

func (s spread) mean(f func(r float64) float64) float64 {
	sum := 0.0
	for _, w := range s {
		sum += w.weight * f(w.r)
	}
	return sum
}

// normalAbove returns P(Z > x) for a standard normal Z.
func normalAbove(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// decreasing returns the root of a decreasing function. It widens the bounds lo
// and hi until the root lies between them, up to +-1e12.
func decreasing(f func(float64) float64, lo, hi float64) float64 {
	for f(lo) < 0 {
		if lo, hi = lo-2*(hi-lo), lo; lo < -1e12 {
			return math.Inf(-1)
		}
	}
	for f(hi) > 0 {
		if lo, hi = hi, hi+2*(hi-lo); hi > 1e12 {
			return math.Inf(1)
		}
	}
	// Regula falsi. A bound that stays counts half (Illinois), so that both move.
	atLo, atHi, side := f(lo), f(hi), 0
	for range 100 {
		mid := (lo + hi) / 2
		if cut := lo + (hi-lo)*atLo/(atLo-atHi); cut > lo && cut < hi {
			mid = cut
		}
		at := f(mid)
		switch {
		case math.Abs(at) < 1e-11, hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)):
			return mid
		case at > 0:
			lo, atLo = mid, at
			if side == 1 {
				atHi /= 2
			}
			side = 1
		default:
			hi, atHi = mid, at
			if side == -1 {
				atLo /= 2
			}
			side = -1
		}
	}
	return (lo + hi) / 2
}
