// Package selectors gives each arrival its key, tenant, client and cost. A
// chooser fills a whole column of a block at a time and takes as many draws
// for a row wherever blocks are cut.
package selectors

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/random"
)

// Ids chooses among dense ids, the keys or the tenants of an entry. It is not
// changed by use.
type Ids interface {
	// Random reports whether the choice takes draws.
	Random() bool
	// Fill writes one id per row. The column is no longer than a block.
	Fill(draws *random.Stream, column []int32)
}

// NewIds returns the chooser among the numbers 0..count-1 that a uniform, zipf
// or hot choice describes. One is not among them: which id a name has is not
// known here.
func NewIds(c catalog.Choice, block int) (Ids, error) {
	count, err := Count(c)
	if err != nil {
		return nil, err
	}
	if count == 1 {
		return One(0, block), nil
	}
	switch c.Name {
	case "uniform":
		return uniform{uint64(count)}, nil
	case "zipf":
		return newZipf(int(count), c.Values.Decimal("s"))
	case "hot":
		share := c.Values.Share("share")
		if share.Den <= 0 || share.Num < 0 || share.Num > share.Den {
			return nil, fmt.Errorf("share: must be between 0 and 1")
		}
		return hot{uint64(count - 1), uint64(share.Num), uint64(share.Den)}, nil
	}
	return nil, fmt.Errorf("there is no choice %q", c.Name)
}

// Count returns among how many synthetic ids a choice chooses; 0 for one, and
// for a choice that is unset.
func Count(c catalog.Choice) (int64, error) {
	if c.Name == "" || c.Name == "one" {
		return 0, nil
	}
	n := c.Values.Int("count")
	if n < 1 || n > 1<<31-1 {
		return 0, fmt.Errorf("count: must be between 1 and 2147483647")
	}
	return n, nil
}

// One chooses always the same id, for blocks of so many rows.
func One(id int32, block int) Ids {
	column := make([]int32, block)
	for i := range column {
		column[i] = id
	}
	return one{column}
}

// one keeps a column filled in advance: copying it is the fastest way to fill
// another.
type one struct{ column []int32 }

func (o one) Random() bool { return false }

func (o one) Fill(_ *random.Stream, column []int32) { copy(column, o.column) }

// uniform chooses each of count ids equally often.
type uniform struct{ count uint64 }

func (u uniform) Random() bool { return true }

func (u uniform) Fill(draws *random.Stream, column []int32) {
	draws.FillBelow(column, u.count)
}

// hot chooses id 0 with a probability of exactly num/den, and each of the
// others, numbered from 1, equally often when it does not.
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
