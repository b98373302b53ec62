package stats

import (
	"math"
	"slices"
)

// Figure holds the differences of one figure between two runs, one for each
// replication, as far as a family of figures is tested together. A positive
// difference is in the direction that the test looks for.
type Figure struct {
	Differences []float64
	TwoSided    bool // either direction counts
}

// Samples holds the values of one figure in two independent runs. A larger value
// of now is in the direction that the test looks for.
type Samples struct {
	Base, Now []float64
	TwoSided  bool
}

// Joint is the outcome of testing a family of figures together.
type Joint struct {
	Up, Down []float64 // p-values of each figure, corrected for the whole family; equal if the figure is two-sided
	// Critical returns the least t of Student of a figure that is significant at the
	// level alpha: its mean change in standard errors. It is larger for a figure of
	// fewer replications than others have, and +Inf if none can be.
	Critical func(figure int, alpha float64) float64
}

// JointSignFlip tests a family of figures of paired runs for a change in any of
// them. If nothing changed, the two runs of a replication are exchangeable, with
// all their figures at once. So it flips the signs of whole replications, and
// takes for each of the 2^n sign patterns the largest t of any figure. The
// corrected p-value of a figure is the share of patterns whose largest t is at
// least the figure's own. The chance that any corrected p-value is at most alpha,
// although nothing changed, is then at most alpha, however the figures depend on
// one another and whatever their distributions; and the smallest p-value is 2^-n
// for any number of figures, where a correction of one p-value at a time
// (Bonferroni, Holm) needs more replications for more figures.
//
// A difference of 0 stays 0 under either sign: replications in which a figure did
// not move count neither for nor against a change, and a figure that moved in few
// replications cannot become significant. Pratt's treatment, which ranks ties
// before it drops them, is for tests of ranks; the sign-flip test is exact with
// the zeros in.
//
// Above ExactFlips replications it draws random patterns, each with its opposite,
// and counts as SignFlip does. The Differences of a figure may be fewer than those
// of others: replication i has sign i in all figures.
//
// Source: Westfall and Young, Resampling-Based Multiple Testing (1993), maxT;
// Fisher, The Design of Experiments (1935), section 21.
func JointSignFlip(figures []Figure) Joint {
	kept, n := movedReplications(figures)
	var moved []*statistic
	for i, f := range kept {
		// Under any signs the sum of squares is the same, so t grows with the sum.
		if s := newStatistic(i, f.Differences, f.TwoSided, 0); s != nil {
			moved = append(moved, s)
		}
	}
	l := largest{moved: moved}
	if len(moved) > 0 {
		l.flipSigns(n)
	}
	return l.joint(len(figures), func(i int, sum float64) float64 { return tOfSigns(sum, len(figures[i].Differences)) })
}

// JointLabels tests a family of figures of two independent runs in the same way:
// if nothing changed, every division of all replications into a base and a run was
// as likely. All figures must have the same numbers of replications. Up to
// ExactFlips replications in all it counts every division, above that random ones.
//
// Source: as JointSignFlip; Pitman, "Significance tests which may be applied to
// samples from any populations", Journal of the Royal Statistical Society,
// Supplement 4 (1937).
func JointLabels(figures []Samples) Joint {
	if len(figures) == 0 {
		return (&largest{}).joint(0, nil)
	}
	base, now := len(figures[0].Base), len(figures[0].Now)
	var moved []*statistic
	for i, f := range figures {
		all := slices.Concat(f.Base, f.Now)
		mean := Mean(all)
		for k := range all {
			all[k] -= mean
		}
		if s := newStatistic(i, all, f.TwoSided, base); s != nil {
			moved = append(moved, s)
		}
	}
	l := largest{moved: moved}
	if len(moved) > 0 {
		l.divide(base, now)
	}
	return l.joint(len(figures), func(_ int, sum float64) float64 { return tOfLabels(sum, base, now) })
}

// tOfSigns converts a sum of n differences, in units of the root of the sum of
// their squares, to Student's t.
func tOfSigns(sum float64, n int) float64 {
	left := float64(n) - sum*sum
	if !(left > 0) {
		return math.Inf(1)
	}
	return sum * math.Sqrt(float64(n-1)/left)
}

// tOfLabels converts the sum of the values of now minus that of base, centred and
// in units of the root of the sum of all squares, to Student's t.
func tOfLabels(sum float64, base, now int) float64 {
	n := float64(base + now)
	r := sum / 2 * math.Sqrt(n/(float64(base)*float64(now)))
	left := 1 - r*r
	if !(left > 0) {
		return math.Inf(1)
	}
	return r * math.Sqrt((n-2)/left)
}

// movedReplications leaves out the replications in which no figure moved, whose
// signs change nothing, and returns how many are left.
func movedReplications(figures []Figure) (kept []Figure, n int) {
	var moved []bool
	for _, f := range figures {
		for i, d := range f.Differences {
			for len(moved) <= i {
				moved = append(moved, false)
			}
			moved[i] = moved[i] || d != 0
		}
	}
	for _, m := range moved {
		if m {
			n++
		}
	}
	for _, f := range figures {
		var differences []float64
		for i, d := range f.Differences {
			if moved[i] {
				differences = append(differences, d)
			}
		}
		kept = append(kept, Figure{differences, f.TwoSided})
	}
	return kept, n
}
