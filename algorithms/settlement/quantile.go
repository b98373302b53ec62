package settlement

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// quantile holds the latest costs.
type quantile struct {
	latest []int64 // a ring once it is full
	oldest int
	sorted []int64
}

// add notes a cost and forgets the oldest one if there are more than most.
func (q *quantile) add(cost int64, most int) {
	if len(q.latest) < most {
		q.latest = append(q.latest, cost)
	} else {
		i, _ := slices.BinarySearch(q.sorted, q.latest[q.oldest])
		q.sorted = slices.Delete(q.sorted, i, i+1)
		q.latest[q.oldest] = cost
		q.oldest = (q.oldest + 1) % most
	}
	i, _ := slices.BinarySearch(q.sorted, cost)
	q.sorted = slices.Insert(q.sorted, i, cost)
}

// of returns the smallest cost that at least a share of the costs does not exceed, or
// first if there are none.
func (q *quantile) of(share units.Fraction, first int64) int64 {
	n := int64(len(q.sorted))
	if n == 0 {
		return first
	}
	rank := integers.MulDivUp(n, share.Num, share.Den, n) // from 1; a share of 0 is the least
	return q.sorted[max(rank, 1)-1]
}
