package selectors

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Estimated selects costs that become known only with the answer, and what is
// expected of them before. It is immutable.
type Estimated struct {
	actual, estimate Costs
	same             units.Fraction // share of the requests whose estimate has the rank of their cost
}

// NewEstimated returns the selector of a bound cost of the kind estimated.
func NewEstimated(v catalog.Values, block int) (*Estimated, error) {
	e := &Estimated{same: v.Share("correlation")}
	var err error
	if e.actual, err = NewCosts(v.Choice("actual"), block); err != nil {
		return nil, fmt.Errorf("actual: %w", err)
	}
	if e.estimate, err = NewCosts(v.Choice("estimate"), block); err != nil {
		return nil, fmt.Errorf("estimate: %w", err)
	}
	return e, nil
}

// Random reports whether the costs or the estimates differ.
func (e *Estimated) Random() bool { return e.actual.Random() || e.estimate.Random() }

// MaxCost returns the largest possible cost.
func (e *Estimated) MaxCost() int64 { return e.actual.Max() }

// MaxEstimate returns the largest possible estimate.
func (e *Estimated) MaxEstimate() int64 { return e.estimate.Max() }

// Fill writes costs and estimates. Costs take one draw each and estimates two, from
// streams of their own. The costs are those that Fill of their distribution draws, so
// they do not depend on whether and how they are estimated.
func (e *Estimated) Fill(costDraws, estimateDraws *random.Stream, costs, estimates []int64) {
	c, s := *costDraws, *estimateDraws
	for i := range costs {
		rank := c.Uint64()
		costs[i] = e.actual.at(rank)
		same := s.Chance(uint64(e.same.Num), uint64(e.same.Den))
		if own := s.Uint64(); !same {
			rank = own
		}
		estimates[i] = e.estimate.at(rank)
	}
	*costDraws, *estimateDraws = c, s
}
