package stats

import (
	"slices"
)

// Holm corrects p-values for being looked at together: rejecting what is at
// most alpha afterwards, the chance of even one false rejection is at most
// alpha, however the tests depend on one another. The i-th smallest of m
// p-values is multiplied by m-i+1, and never falls below one before it. Holm,
// "A simple sequentially rejective multiple test procedure", Scandinavian
// Journal of Statistics 6 (1979). The result is in the order of p.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	corrected := make([]float64, len(p))
	floor := 0.0
	for rank, i := range order {
		floor = max(floor, min(1, float64(len(p)-rank)*p[i]))
		corrected[i] = floor
	}
	return corrected
}

// Testable reports which tests of a family can find anything at level alpha at
// all, given the smallest p-value that each could have: the largest family
// whose every member still reaches alpha divided by the family's size. The
// others cannot raise a false alarm, and need not weaken the tests that can.
// Least must not depend on how the tests came out. Tarone, "A modified
// Bonferroni method for discrete data", Biometrics 46 (1990).
func Testable(least []float64, alpha float64) []bool {
	for size := 1; ; size++ {
		able, n := make([]bool, len(least)), 0
		for i, p := range least {
			if p*float64(size) <= alpha {
				able[i] = true
				n++
			}
		}
		if n <= size {
			return able
		}
	}
}

// Family is the outcome of tests that are looked at together.
type Family struct {
	Corrected []float64 // p-values after Holm's correction; 1 where a test is not able
	Able      []bool    // whether the test could have found anything
}

// Correct corrects the p-values of the tests that are Testable.
func Correct(p, least []float64, alpha float64) Family {
	f := Family{make([]float64, len(p)), Testable(least, alpha)}
	var tested []float64
	for i := range p {
		f.Corrected[i] = 1
		if f.Able[i] {
			tested = append(tested, p[i])
		}
	}
	next := 0
	for _, corrected := range Holm(tested) {
		for !f.Able[next] {
			next++
		}
		f.Corrected[next] = corrected
		next++
	}
	return f
}
