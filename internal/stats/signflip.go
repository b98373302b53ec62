package stats

import (
	"math"
	"math/bits"
)

const (
	// ExactFlips is the largest number of replications whose sign patterns are all
	// enumerated: 2^16 = 65,536 patterns.
	ExactFlips = 16
	// Draws is the number of random sign patterns that replace the enumeration
	// above that. The smallest p-value is then 1/(Draws+1) = 0.00001. So many
	// replications or figures that jointWork would be exceeded get fewer patterns, but
	// at least fewestDraws.
	Draws       = 99_998
	fewestDraws = 998
)

// Test is the outcome of a test of no change: the p-values of an increase, of a
// decrease, and of either.
type Test struct {
	Up, Down, Either float64
}

// SignFlip tests whether paired differences are centred at 0. If nothing
// changed, the two runs of a pair are exchangeable, so each difference was as
// likely to have the opposite sign. The p-value is the share of the 2^n sign
// patterns whose sum is at least as extreme as the observed one. Source: Fisher,
// The Design of Experiments (1935), section 21.
//
// SignFlip ignores differences of 0. For at most ExactFlips others the p-value
// is exact. For more it is (k+1)/(m+1), where k of m = Draws random patterns are
// at least as extreme, which is never too small (Phipson and Smyth, "Permutation
// p-values should never be zero", 2010). The patterns come from a fixed seed, so
// the same differences always give the same p-value. Sums that differ only by
// rounding count as equal.
func SignFlip(differences []float64) Test {
	one := JointSignFlip([]Figure{{Differences: differences}})
	up, down := one.Up[0], one.Down[0]
	return Test{up, down, min(1, 2*min(up, down))} // each pattern has its opposite
}

// signSums returns the sum of each eight differences under each pattern of their
// signs.
func signSums(differences []float64) [][256]float64 {
	sums := make([][256]float64, (len(differences)+7)/8)
	for g := range sums {
		group := differences[8*g : min(8*g+8, len(differences))]
		for _, d := range group {
			sums[g][0] += d
		}
		for pattern := 1; pattern < 256; pattern++ {
			sums[g][pattern] = sums[g][pattern&(pattern-1)]
			if set := bits.TrailingZeros(uint(pattern)); set < len(group) {
				sums[g][pattern] -= 2 * group[set]
			}
		}
	}
	return sums
}

// least returns the smallest p-value that all sign flips of n replications can give.
func least(n int) float64 { return math.Ldexp(1, -n) }
