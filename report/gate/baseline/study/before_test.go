package study

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/internal/stats"
)

// significantBefore reports whether the test that gates used before calls a figure
// worse: sign flips of each figure by itself, corrected by Holm's method over the
// figures that could become significant at all (Tarone).
func significantBefore(differences [][]float64, at int) bool {
	type test struct {
		p, least float64
		target   bool
	}
	var tests []test
	for i, d := range differences {
		least := 1.0
		for _, x := range d {
			if x != 0 {
				least /= 2
			}
		}
		if least < 1 {
			tests = append(tests, test{stats.SignFlip(d).Up, least, i == at})
		}
	}
	able := 0
	for size := 1; ; size++ {
		able = 0
		for _, t := range tests {
			if t.least*float64(size) <= alpha {
				able++
			}
		}
		if able <= size {
			break
		}
	}
	tests = slices.DeleteFunc(tests, func(t test) bool { return t.least*float64(max(1, able)) > alpha })
	slices.SortStableFunc(tests, func(x, y test) int { return cmp.Compare(x.p, y.p) })
	for rank, t := range tests {
		if float64(len(tests)-rank)*t.p > alpha {
			return false
		}
		if t.target {
			return true
		}
	}
	return false
}

// significantNow reports the same for the joint test of today.
func significantNow(differences [][]float64, at int) bool {
	var family []stats.Figure
	for _, d := range differences {
		family = append(family, stats.Figure{Differences: d})
	}
	return stats.JointSignFlip(family).Up[at] <= alpha
}
