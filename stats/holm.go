package stats

import (
	"cmp"
	"slices"
)

// Holm corrects p-values that are judged together. If every corrected p-value of
// at most alpha counts as significant, the chance of even one false alarm is at
// most alpha, however the tests depend on one another. The i-th smallest of m
// p-values is multiplied by m-i+1 and raised to at least the one before it. The
// result has the order of p.
//
// Source: Holm, "A simple sequentially rejective multiple test procedure",
// Scandinavian Journal of Statistics 6 (1979).
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	corrected := make([]float64, len(p))
	floor := 0.0
	for rank, i := range order {
		floor = max(floor, min(1, float64(len(p)-rank)*p[i]))
		corrected[i] = floor
	}
	return corrected
}

// Testable reports which tests of a family can reach significance at level
// alpha, given the smallest p-value that each could have. It selects the largest
// family in which every test can still reach alpha divided by the family's size.
// The other tests cannot raise a false alarm, so the correction need not count
// them. Least must not depend on the outcome of the tests.
//
// Source: Tarone, "A modified Bonferroni method for discrete data", Biometrics
// 46 (1990).
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

// Family is the outcome of tests that are judged together.
type Family struct {
	Corrected []float64 // p-values after Holm's correction; 1 if the test is not able
	Able      []bool    // whether the test could have reached significance
}

// Correct corrects the p-values of the tests that are Testable.
func Correct(p, least []float64, alpha float64) Family {
	f := Family{make([]float64, len(p)), Testable(least, alpha)}
	var tested []float64
	for i := range p {
		if f.Able[i] {
			tested = append(tested, p[i])
		}
	}
	tested = Holm(tested)
	for i := range p {
		f.Corrected[i] = 1
		if f.Able[i] {
			f.Corrected[i], tested = tested[0], tested[1:]
		}
	}
	return f
}
