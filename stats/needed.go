package stats

import "math"

// PairsNeeded returns the number of pairs of replications that the sign-flip
// test needs before one of tests tests, judged together, can reach significance
// at level alpha: the smallest n with 2^-n <= alpha/tests (one-sided) or
// 2^(1-n) <= alpha/tests (two-sided). At 0.05 a single test needs 5 pairs
// one-sided and 6 two-sided. It returns 0 if no number is enough, because the
// random sign patterns that replace the enumeration cannot give so small a
// p-value.
func PairsNeeded(alpha float64, tests int, twoSided bool) int {
	goal := level(alpha, tests, twoSided)
	if 1.0/(Draws+1) > goal {
		return 0
	}
	n := 1
	for math.Ldexp(1, -n) > goal {
		n++
	}
	return n
}

// RunsNeeded returns how many replications on each side the Mann-Whitney U test
// needs for the same, without ties: the smallest n with 1/(2n choose n) <=
// alpha/tests (one-sided) or 2/(2n choose n) <= alpha/tests (two-sided).
func RunsNeeded(alpha float64, tests int, twoSided bool) int {
	goal := level(alpha, tests, twoSided)
	n := 1
	for leastRanks(n, n) > goal {
		n++
	}
	return n
}

// level returns the one-sided p-value that each of the tests must reach.
func level(alpha float64, tests int, twoSided bool) float64 {
	if alpha <= 0 || alpha > 1 {
		panic("stats: a level of significance lies in (0, 1]")
	}
	goal := alpha / float64(max(1, tests))
	if twoSided {
		goal /= 2
	}
	return goal
}
