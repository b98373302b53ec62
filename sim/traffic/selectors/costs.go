package selectors

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Costs selects the cost of each arrival. It is immutable.
type Costs interface {
	Random() bool
	// Max returns the largest possible cost.
	Max() int64
	Fill(draws *random.Stream, column []int64)
	// at returns the cost at rank/2^64 of the distribution: it does not decrease
	// with the rank, and a uniform rank gives the distribution within 2^-32.
	at(rank uint64) int64
}

// NewCosts returns the selector of a bound choice of costs. An unset choice has
// cost 1. Columns passed to Fill have at most block rows.
func NewCosts(c catalog.Choice, block int) (Costs, error) {
	v := c.Values
	switch c.Name {
	case "", "constant":
		value := int64(1)
		if v.Set("value") {
			value = v.Int("value")
		}
		return constantCost{newOne(value, block)}, nil
	case "uniform":
		low, high := v.Int("min"), v.Int("max")
		if high < low {
			return nil, errors.New("min: must not be above max")
		}
		if low == high {
			return constantCost{newOne(low, block)}, nil
		}
		return uniformCost{low, high}, nil
	case "choice":
		return newChoiceCost(v.List("values"), v.List("weights"))
	case "exponential":
		return newExponentialCost(v.Int("mean"), v.Int("max")), nil
	case "lognormal":
		return newLognormalCost(v.Int("p50"), v.Int("p99"), v.Int("max"))
	case "quantiles":
		return newQuantileCost(v.List("tokens"), v.List("at"))
	}
	return nil, fmt.Errorf("there is no choice %q", c.Name)
}

type constantCost struct{ one[int64] }

func (c constantCost) Max() int64      { return c.column[0] }
func (c constantCost) at(uint64) int64 { return c.column[0] }

// uniformCost selects each integer of [min, max] with the same probability.
type uniformCost struct{ min, max int64 }

func (u uniformCost) Random() bool { return true }
func (u uniformCost) Max() int64   { return u.max }

func (u uniformCost) Fill(draws *random.Stream, column []int64) {
	s := *draws
	for i := range column {
		column[i] = u.min + int64(s.Below(uint64(u.max-u.min+1)))
	}
	*draws = s
}

func (u uniformCost) at(rank uint64) int64 {
	below, _ := bits.Mul64(rank, uint64(u.max-u.min+1))
	return u.min + int64(below)
}

// choiceCost selects among a few values by weights.
type choiceCost struct {
	values  []int64 // in order, so that a draw is a rank
	weights weighted
}

func newChoiceCost(values, weights []any) (Costs, error) {
	if len(values) == 0 {
		return nil, errors.New("values: there must be at least one")
	}
	if len(weights) > 0 && len(weights) != len(values) {
		return nil, fmt.Errorf("weights: there are %d for %d values", len(weights), len(values))
	}
	type part struct{ value, weight int64 }
	var parts []part
	for i, v := range values {
		p := part{v.(int64), 1}
		if len(weights) > 0 {
			p.weight = weights[i].(int64)
		}
		parts = append(parts, p)
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.value, b.value) })
	w, err := newWeighted(lists.Map(parts, func(p part) uint64 { return uint64(p.weight) }))
	return choiceCost{lists.Map(parts, func(p part) int64 { return p.value }), w}, err
}

func (c choiceCost) Random() bool { return true }
func (c choiceCost) Max() int64   { return c.at(math.MaxUint64) }

func (c choiceCost) Fill(draws *random.Stream, column []int64) {
	s := *draws
	for i := range column {
		column[i] = c.values[c.weights.draw(&s)]
	}
	*draws = s
}

func (c choiceCost) at(rank uint64) int64 { return c.values[c.weights.at(rank)] }
