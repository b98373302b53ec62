// Package advice looks for the smallest change of one option with which a
// limiter keeps a promise. It knows no limiter: whoever asks says which changes
// there are, and tries them.
package advice

import (
	"cmp"
	"context"
	"slices"
)

// Figures are what a promise is about.
type Figures struct {
	OverLimitPct      float64
	UnderAdmissionPct float64
	ServerCallsPerS   float64
}

// Within reports whether a promise of being within pct of the limit is kept,
// over it and under it.
func (f Figures) Within(pct float64) bool { return f.OverLimitPct <= pct && f.UnderAdmissionPct <= pct }

// Change is one option with another value.
type Change struct {
	Option, From, To string  // YAML texts
	Size             float64 // 1 is no change: how many times the value, or Switch
}

// Switch is the size of a change that has no measure: an option that takes
// another word. It counts as changing a number tenfold.
const Switch = 10

// Kept is a change that keeps the promise.
type Kept struct {
	Change
	Figures Figures
}

// Find tries the changes of each dial, which come from the smallest to the
// largest, until one keeps the promise. It returns those, the smallest change
// first, and of equal ones that with fewer calls to servers.
func Find(ctx context.Context, options [][]Change, pct float64, try func(context.Context, Change) (Figures, error)) ([]Kept, error) {
	var kept []Kept
	for _, option := range options {
		k, err := first(ctx, option, pct, try)
		if err != nil {
			return nil, err
		}
		if k != nil {
			kept = append(kept, *k)
		}
	}
	slices.SortStableFunc(kept, func(a, b Kept) int {
		return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(a.Figures.ServerCallsPerS, b.Figures.ServerCallsPerS))
	})
	return kept, nil
}

// first is the smallest change of a dial that keeps the promise, or nil. It
// tries every one: a figure need not get better all the way.
func first(ctx context.Context, option []Change, pct float64, try func(context.Context, Change) (Figures, error)) (*Kept, error) {
	for _, c := range option {
		f, err := try(ctx, c)
		if err != nil {
			return nil, err
		}
		if f.Within(pct) {
			return &Kept{c, f}, nil
		}
	}
	return nil, nil
}
