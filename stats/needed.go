package stats

import "math"

// PairsNeeded is how many pairs of replications the sign-flip test needs before
// any of so many tests looked at together could be significant at level alpha:
// the smallest n with 2^-n <= alpha/tests, one-sided, or 2^(1-n), two-sided. At
// 0.05 that is 5 pairs for one one-sided test and 6 for a two-sided one. It is
// 0 where no number would do, because the random patterns of signs that stand
// in for the enumeration of many cannot give so small a p-value.
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

// RunsNeeded is how many replications on each side the Mann-Whitney U test
// needs for the same, without ties: the smallest n with 1/(2n choose n) <=
// alpha/tests, one-sided, or twice that, two-sided.
func RunsNeeded(alpha float64, tests int, twoSided bool) int {
	goal := level(alpha, tests, twoSided)
	n := 1
	for leastRanks(n, n) > goal {
		n++
	}
	return n
}

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

// MostReplications is the largest number that ReplicationsFor gives.
const MostReplications = 1_000_000_000

// ReplicationsFor is how many replications would give a mean an interval of at
// most so much to either side, if further ones spread as these do: the smallest
// n >= 2 with T975(n-1)*s/sqrt(n) <= half. It is an estimate: s, the standard
// deviation of few values, is not known well. More than MostReplications, and a
// half of 0 for values that differ, is MostReplications. It panics on fewer
// than two values: one says nothing about the spread.
func ReplicationsFor(half float64, values []float64) int {
	if len(values) < 2 {
		panic("stats: the spread of fewer than two values")
	}
	_, variance := moments(values)
	enough := func(n int) bool {
		return T975(n-1)*math.Sqrt(variance/float64(n)) <= half
	}
	lo, hi := 1, 2 // lo is not enough
	for !enough(hi) {
		if hi >= MostReplications {
			return MostReplications
		}
		lo, hi = hi, min(2*hi, MostReplications)
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; enough(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}
