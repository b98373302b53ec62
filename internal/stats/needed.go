package stats

// PairsNeeded returns the number of pairs of replications that the sign-flip
// test needs before it can reach significance at level alpha, for any number of
// figures that are tested together: the smallest n with 2^-n <= alpha (one-sided)
// or 2^(1-n) <= alpha (two-sided). At 0.05 that is 5 one-sided and 6 two-sided.
func PairsNeeded(alpha float64, twoSided bool) int {
	if alpha <= 0 || alpha > 1 {
		panic("stats: a level of significance lies in (0, 1]")
	}
	return fewest(1, alpha, twoSided, least)
}

// RunsNeeded returns how many replications on each side JointLabels needs for the
// same: the smallest n with (2n choose n) >= 1/alpha. At 0.05 that is 3.
func RunsNeeded(alpha float64, twoSided bool) int {
	return fewest(2, alpha, twoSided, func(n int) float64 { return leastLabels(n, n) })
}

// RunsChanged returns in how many of y replications a figure must change before
// JointLabels, with x replications of the base, can call it one at level alpha, if the
// others do not differ: the changed ones must be of one run in few enough divisions.
func RunsChanged(x, y int, alpha float64, twoSided bool) int {
	share := 1.0 // of the divisions that keep k replications together
	return fewest(1, alpha, twoSided, func(k int) float64 {
		share *= max(0, float64(y-k+1)) / float64(x+y-k+1)
		return share
	})
}

// fewest returns the smallest number from n on whose least p-value is significant.
func fewest(n int, alpha float64, twoSided bool, least func(n int) float64) int {
	if twoSided {
		alpha /= 2
	}
	for least(n) > alpha {
		n++
	}
	return n
}

// leastLabels returns the smallest p-value that all divisions of n + m replications
// can give: one of (n+m choose n).
func leastLabels(n, m int) float64 {
	ways := 1.0
	for i := 1; i <= n; i++ {
		ways = ways * float64(m+i) / float64(i)
	}
	return 1 / ways
}
