// Package advice finds the smallest change of one option that keeps a limiter
// within given bounds. It does not depend on any limiter: the caller supplies
// the changes and a function that simulates one.
package advice

import (
	"cmp"
	"context"
	"slices"
)

// Figures holds the metrics that the bounds concern.
type Figures struct {
	OverLimitPct      float64
	UnderAdmissionPct float64
	ServerCallsPerS   float64
}

// Within reports whether the limiter stays within pct of the limit, both over and
// under it.
func (f Figures) Within(pct float64) bool { return f.OverLimitPct <= pct && f.UnderAdmissionPct <= pct }

// Change is one option with a new value.
type Change struct {
	Option, From, To string  // YAML texts
	Size             float64 // the factor by which the value changes, or Switch; 1 is no change
}

// Switch is the size of a change without a factor, such as another enum value.
// It counts like a factor of ten.
const Switch = 10

// Kept is a change that stays within the bounds.
type Kept struct {
	Change
	Figures Figures
}

// Find tries the changes of each option, which are ordered by size, until one
// stays within pct of the limit. It returns these changes, the smallest first;
// among equal ones, the one with fewer server calls.
func Find(ctx context.Context, options [][]Change, pct float64, try func(context.Context, Change) (Figures, error)) ([]Kept, error) {
	var kept []Kept
	for _, option := range options {
		for _, c := range option { // in order, because a metric need not improve monotonically
			f, err := try(ctx, c)
			if err != nil {
				return nil, err
			}
			if f.Within(pct) {
				kept = append(kept, Kept{c, f})
				break
			}
		}
	}
	slices.SortStableFunc(kept, func(a, b Kept) int {
		return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(a.Figures.ServerCallsPerS, b.Figures.ServerCallsPerS))
	})
	return kept, nil
}
