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

// Bounds holds the largest accepted errors in % of the limit, above 0.
type Bounds struct{ OverPct, UnderPct float64 }

// Within reports whether the limiter stays within the bounds over and under the
// limit.
func (f Figures) Within(b Bounds) bool { return f.beyond(b) <= 1 }

// beyond returns the larger of the two errors as a multiple of its bound.
func (f Figures) beyond(b Bounds) float64 {
	return max(f.OverLimitPct/b.OverPct, f.UnderAdmissionPct/b.UnderPct)
}

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

// Short is an option no tried value of which stays within the bounds. Its change
// is to the value with the smallest error.
type Short struct {
	Change
	Figures Figures
	Tried   []Change
}

// Graded reports whether the values that were tried are grades of a number, the
// last one the furthest from now.
func (s *Short) Graded() bool { return s.Tried[len(s.Tried)-1].Size != Switch }

// better is the least factor by which the error of a word must be below the error
// of now to be worth a line. Smaller differences may be chance.
const better = 0.9

// Find tries the changes of each option, which are ordered by size, until one
// stays within the bounds. It returns these changes, those with the fewest
// server calls first; among changes whose calls differ by less than 2 %, the
// smallest; among equal ones, the one with the smallest error. short holds the
// other numbers with a value that is better than now and the words that are clearly
// better, the best first.
func Find(ctx context.Context, options [][]Change, b Bounds, now Figures, try func(context.Context, Change) (Figures, error)) (kept []Kept, short []Short, err error) {
	for _, option := range options {
		best := Short{Figures: now}
		within := false
		for _, c := range option { // in order, because a metric need not improve monotonically
			f, err := try(ctx, c)
			if err != nil {
				return nil, nil, err
			}
			if within = f.Within(b); within {
				kept = append(kept, Kept{c, f})
				break
			}
			best.Tried = append(best.Tried, c)
			if f.beyond(b) < best.Figures.beyond(b) {
				best.Change, best.Figures = c, f
			}
		}
		switch {
		case within, best.Option == "":
		case best.Graded(), best.Figures.beyond(b) < better*now.beyond(b):
			short = append(short, best)
		}
	}
	slices.SortStableFunc(kept, func(x, y Kept) int {
		return cmp.Or(cmp.Compare(x.price(), y.price()), cmp.Compare(x.Size, y.Size), cmp.Compare(x.Figures.beyond(b), y.Figures.beyond(b)))
	})
	slices.SortStableFunc(short, func(x, y Short) int { return cmp.Compare(x.Figures.beyond(b), y.Figures.beyond(b)) })
	return kept, short, nil
}

// price returns the server calls in steps of 2 %. Calls that differ only by the
// noise of a simulation usually have the same price.
func (k *Kept) price() float64 {
	return math.Round(math.Log(max(k.Figures.ServerCallsPerS, 1e-9)) / math.Log(1.02))
}
