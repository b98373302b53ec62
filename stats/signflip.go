package stats

import (
	"math"
	"math/rand/v2"
)

const (
	// ExactFlips is the largest number of nonzero differences whose sign patterns
	// are all enumerated: 2^16 = 65,536 patterns.
	ExactFlips = 16
	// Draws is the number of random sign patterns that replace the enumeration
	// above that. The smallest p-value is then 1/(Draws+1) = 0.00001.
	Draws = 99_999
	// fullDraws is the largest number of differences that get Draws patterns. More
	// differences get proportionally fewer patterns, but at least fewestDraws, so
	// that the work stays bounded.
	fullDraws   = 1024
	fewestDraws = 999
)

// Test is the outcome of a test of no change: the p-values of an increase, of a
// decrease, and of either. Least is the smallest p-value that a one-sided test
// on these data could give for any signs or order. If Least is above the level
// of significance, the test cannot reach it.
type Test struct {
	Up, Down, Either float64
	Least            float64
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
	total := 0.0
	var moved []float64
	for _, d := range differences {
		if d != 0 {
			moved = append(moved, d)
			total += math.Abs(d)
		}
	}
	if len(moved) == 0 {
		return Test{1, 1, 1, 1}
	}
	f := newFlipper(moved)
	f.slack = float64(1e-9 * total)
	if len(moved) <= ExactFlips {
		all := uint64(1) << len(moved)
		for pattern := range all {
			f.count(f.sum([]uint64{pattern}))
		}
		return f.test(0, float64(all), math.Ldexp(1, -len(moved)))
	}
	source := rand.NewPCG(0x6c696d6974676175, 0x67652d7369676e73) // "limitgau", "ge-signs"
	pattern := make([]uint64, (len(moved)+63)/64)
	draws := max(fewestDraws, min(Draws, Draws*fullDraws/len(moved)))
	for range draws {
		for i := range pattern {
			pattern[i] = source.Uint64()
		}
		f.count(f.sum(pattern))
	}
	all := float64(draws + 1)
	return f.test(1, all, max(1/all, math.Ldexp(1, -len(moved))))
}

// flipper sums differences under sign patterns, eight signs at a time.
type flipper struct {
	sums     [][256]float64 // the sum of each eight differences under each pattern
	observed float64        // the sum under the observed signs
	slack    float64        // bound on the rounding error of a sum
	above    float64        // patterns with a sum of at least observed
	below    float64        // patterns with a sum of at most observed
	either   float64        // patterns with an absolute sum of at least |observed|
}

func newFlipper(differences []float64) *flipper {
	f := &flipper{sums: make([][256]float64, (len(differences)+7)/8)}
	for g := range f.sums {
		group := differences[8*g : min(8*g+8, len(differences))]
		for pattern := range 256 {
			sum := 0.0
			for i, d := range group {
				if pattern>>i&1 == 1 {
					sum -= d
				} else {
					sum += d
				}
			}
			f.sums[g][pattern] = sum
		}
	}
	f.observed = f.sum(make([]uint64, (len(f.sums)+7)/8))
	return f
}

func (f *flipper) sum(pattern []uint64) float64 {
	total := 0.0
	for g := range f.sums {
		total += f.sums[g][pattern[g/8]>>(8*(g%8))&0xff]
	}
	return total
}

func (f *flipper) count(sum float64) {
	if sum >= f.observed-f.slack {
		f.above++
	}
	if sum <= f.observed+f.slack {
		f.below++
	}
	if math.Abs(sum) >= math.Abs(f.observed)-f.slack {
		f.either++
	}
}

func (f *flipper) test(extra, of, least float64) Test {
	return Test{
		Up: (f.above + extra) / of, Down: (f.below + extra) / of, Either: (f.either + extra) / of,
		Least: least,
	}
}
