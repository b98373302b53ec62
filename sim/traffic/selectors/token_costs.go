package selectors

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// rankedCost is a number of tokens, at least 1 and at most max, that is drawn by its rank.
type rankedCost struct {
	max    int64
	random bool
	tokens func(rank uint64) int64
}

func (r rankedCost) Random() bool         { return r.random }
func (r rankedCost) Max() int64           { return r.max }
func (r rankedCost) at(rank uint64) int64 { return min(max(r.tokens(rank), 1), r.max) }

func (r rankedCost) Fill(draws *random.Stream, column []int64) {
	s := *draws
	for i := range column {
		column[i] = r.at(s.Uint64())
	}
	*draws = s
}

// newExponentialCost returns an exponential number of tokens, rounded to nearest.
func newExponentialCost(mean, most int64) Costs {
	return rankedCost{most, most > 1, func(rank uint64) int64 {
		hi, lo := bits.Mul64(random.ExponentialAt(rank), uint64(mean))
		lo, carry := bits.Add64(lo, 1<<(random.ExponentialBits-1), 0)
		return int64((hi+carry)<<(64-random.ExponentialBits) | lo>>random.ExponentialBits)
	}}
}

// newLognormalCost returns a log-normal number of tokens, rounded to nearest.
func newLognormalCost(p50, p99, most int64) (Costs, error) {
	l, err := random.NewLognormal(p50, p99)
	return rankedCost{most, most > 1, l.At}, err
}

// quantiles is a number of tokens that is linear between given quantiles.
type quantiles struct {
	tokens []int64
	from   []uint64 // by piece: the rank at which it begins, in units of 2^-64
}

func newQuantileCost(tokens, at []any) (Costs, error) {
	n := len(tokens)
	if n < 2 || len(at) > 0 && len(at) != n {
		return nil, errors.New("tokens: there must be at least two, and a share for each")
	}
	var q quantiles
	for i, x := range tokens {
		q.tokens = append(q.tokens, x.(int64))
		if i == n-1 {
			break
		}
		share := units.Fraction{Num: int64(i), Den: int64(n - 1)}
		if len(at) > 0 {
			share = at[i].(units.Fraction)
		}
		from, _ := bits.Div64(uint64(share.Num), 0, uint64(share.Den))
		if i > 0 && from <= q.from[i-1] {
			return nil, fmt.Errorf("at: %v does not increase", share)
		}
		q.from = append(q.from, from)
	}
	most := q.tokens[n-1]
	return rankedCost{most, q.tokens[0] != most, q.at}, nil
}

func (q quantiles) at(rank uint64) int64 {
	i, found := slices.BinarySearch(q.from, rank)
	if !found {
		i--
	}
	within := rank - q.from[i]
	width := -q.from[i] // to 2^64; 0 stands for all of it
	if i+1 < len(q.from) {
		width = q.from[i+1] - q.from[i]
	}
	if width != 0 {
		within, _ = bits.Div64(within, 0, width)
	}
	rise, half := bits.Mul64(within, uint64(q.tokens[i+1]-q.tokens[i]))
	return q.tokens[i] + int64(rise+half>>63) // rounded to nearest
}
