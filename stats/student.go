// Package stats compares figures over replications. Where two runs saw the same
// traffic their replications are pairs, and the exact sign-flip permutation
// test tells a change from chance; where they did not, the Mann-Whitney U test
// does (golang.org/x/perf/benchmath). Holm's step-down correction keeps the
// rate of false alarms over a whole family of comparisons. Everything here is a
// pure function of its arguments: no clock, no global source of randomness.
package stats

import "math"

// z975 is the 0.975 quantile of the standard normal distribution.
const z975 = 1.959963984540054

// T975 is the 0.975 quantile of Student's t with df degrees of freedom: half of
// a 95 % interval is that many standard errors. It is rounded to nine decimals,
// so that the last bits of a machine's arithmetic do not show. It panics below
// one degree of freedom.
//
// Sources: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3
// and 26.7.4 (the distribution at whole degrees of freedom, in closed form) and
// 26.7.5 (its quantile, expanded about the normal one) beyond 200.
func T975(df int) float64 {
	if df < 1 {
		panic("stats: Student's t needs a degree of freedom")
	}
	if df > 200 {
		return round9(expandedT975(float64(df)))
	}
	lo, hi := 1.0, 13.0 // the quantile falls from 12.71 at df 1 to 1.96
	for range 60 {
		mid := (lo + hi) / 2
		if central(mid, df) < 0.95 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return round9((lo + hi) / 2)
}

// central is the probability that |t| stays below x, for x > 0.
func central(x float64, df int) float64 {
	theta := math.Atan(x / math.Sqrt(float64(df)))
	square := float64(df) / (float64(df) + x*x) // of the cosine of theta
	sine := math.Sqrt(1 - square)
	if df%2 == 0 {
		term, sum := 1.0, 1.0
		for k := 2; k < df; k += 2 {
			term *= square * float64(k-1) / float64(k)
			sum += term
		}
		return sine * sum
	}
	if df == 1 {
		return theta * 2 / math.Pi
	}
	term := math.Sqrt(square)
	sum := term
	for k := 3; k < df; k += 2 {
		term *= square * float64(k-1) / float64(k)
		sum += term
	}
	return (theta + sine*sum) * 2 / math.Pi
}

func expandedT975(df float64) float64 {
	const z = z975
	const (
		g1 = (z*z*z + z) / 4
		g2 = (5*z*z*z*z*z + 16*z*z*z + 3*z) / 96
		g3 = (3*z*z*z*z*z*z*z + 19*z*z*z*z*z + 17*z*z*z - 15*z) / 384
	)
	return z + g1/df + g2/(df*df) + g3/(df*df*df)
}

func round9(x float64) float64 { return math.Round(x*1e9) / 1e9 }
