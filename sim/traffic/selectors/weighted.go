package selectors

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/limitgauge/limitgauge/internal/random"
)

// weighted selects index i with a probability of exactly weight i over the sum
// of all. It is meant for up to a few thousand choices.
type weighted struct{ sums []uint64 } // sums of the weights up to and including each

func newWeighted(weights []uint64) (weighted, error) {
	var w weighted
	sum := uint64(0)
	for _, weight := range weights {
		sum += weight
		w.sums = append(w.sums, sum)
	}
	if sum == 0 {
		return weighted{}, fmt.Errorf("weights add up to nothing")
	}
	return w, nil
}

// draw returns an index.
func (w weighted) draw(s *random.Stream) int {
	return w.find(s.Below(w.sums[len(w.sums)-1]))
}

// at returns the index at rank/2^64 of the weights.
func (w weighted) at(rank uint64) int {
	u, _ := bits.Mul64(rank, w.sums[len(w.sums)-1])
	return w.find(u)
}

func (w weighted) find(u uint64) int {
	i, _ := slices.BinarySearch(w.sums, u+1) // the first sum above u
	return i
}
