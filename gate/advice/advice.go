// Package advice finds the cheapest small changes of one option that keep a limiter
// within given bounds. It does not depend on any limiter: the caller supplies
// the changes and a function that simulates one.
package advice

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Figures holds the metrics that the bounds concern.
type Figures struct {
	OverLimitPct      float64
	UnderAdmissionPct float64
	ServerCallsPerS   float64 // the price of a change
	CallsPerRequest   float64 // 1 or more means that nothing is batched any more
}

// Within reports whether the limiter stays within pct of the limit, both over and
// under it.
func (f Figures) Within(pct float64) bool { return f.worse() <= pct }

func (f Figures) worse() float64 { return max(f.OverLimitPct, f.UnderAdmissionPct) }

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
// stays within pct of the limit. It returns these changes, those with the fewest
// server calls first; among changes whose calls differ by less than 2 %, the
// smallest; among equal ones, the one with the smallest error.
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
		return cmp.Or(cmp.Compare(a.price(), b.price()), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Figures.worse(), b.Figures.worse()))
	})
	return kept, nil
}

// price returns the server calls in steps of 2 %. Calls that differ only by the
// noise of a simulation usually have the same price.
func (k *Kept) price() float64 {
	return math.Round(math.Log(max(k.Figures.ServerCallsPerS, 1e-9)) / math.Log(1.02))
}
