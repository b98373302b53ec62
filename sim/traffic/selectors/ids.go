// Package selectors chooses the key, tenant, client and cost of each arrival. A
// selector fills a whole column at a time; the draws of a row do not depend on
// where blocks end. When requests arrive is decided in package patterns.
//
// The package makes no promise: it can change at any time.
package selectors

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Ids selects among dense ids, which are the keys or the tenants of an entry.
// It is immutable.
type Ids interface {
	// Random reports whether the selector takes draws.
	Random() bool
	// Fill writes one id for each row. The column must not be longer than a
	// block.
	Fill(draws *random.Stream, column []int32)
}

// NewIds returns the selector among the ids 0..count-1 of a bound choice:
// uniform, zipf or hot. For the choice one use One, because the id of a name is
// not known here.
func NewIds(c catalog.Choice, block int) (Ids, error) {
	count := Count(c)
	if count == 1 {
		return One(0, block), nil
	}
	switch c.Name {
	case "uniform":
		return uniform{uint64(count)}, nil
	case "zipf":
		return newZipf(int(count), c.Values.Decimal("s")), nil
	case "hot":
		share := c.Values.Share("share")
		return hot{uint64(count - 1), uint64(share.Num), uint64(share.Den)}, nil
	}
	return nil, fmt.Errorf("there is no choice %q", c.Name)
}

// Count returns the number of synthetic ids of a choice, 0 for the choice one
// and for an unset choice.
func Count(c catalog.Choice) int64 {
	if c.Name == "" || c.Name == "one" {
		return 0
	}
	return c.Values.Int("count")
}

// One returns a selector that always selects the same id, for blocks of at most
// block rows.
func One(id int32, block int) Ids { return newOne(id, block) }

// one always selects the same value. It keeps a filled column, because copying
// is the fastest way to fill another.
type one[T any] struct{ column []T }

func newOne[T any](value T, block int) one[T] { return one[T]{slices.Repeat([]T{value}, block)} }

func (o one[T]) Random() bool                      { return false }
func (o one[T]) Fill(_ *random.Stream, column []T) { copy(column, o.column) }

// uniform selects each of count ids with the same probability.
type uniform struct{ count uint64 }

func (u uniform) Random() bool { return true }

func (u uniform) Fill(draws *random.Stream, column []int32) {
	draws.FillBelow(column, u.count)
}

// hot selects id 0 with probability num/den exactly. Otherwise it selects each
// of the others, numbered from 1, with the same probability.
type hot struct{ others, num, den uint64 }

func (h hot) Random() bool { return true }

func (h hot) Fill(draws *random.Stream, column []int32) {
	s := *draws
	for i := range column {
		column[i] = 0
		if !s.Chance(h.num, h.den) {
			column[i] = 1 + int32(s.Below(h.others))
		}
	}
	*draws = s
}
