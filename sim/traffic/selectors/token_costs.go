package selectors

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// exponentialCost is an exponential number of tokens, rounded to nearest, at least 1
// and at most max.
type exponentialCost struct{ mean, max int64 }

func (e exponentialCost) Random() bool { return e.max > 1 }
func (e exponentialCost) Max() int64   { return e.max }

func (e exponentialCost) Fill(draws *random.Stream, column []int64) { fillByRank(e, draws, column) }

func (e exponentialCost) at(rank uint64) int64 {
	hi, lo := bits.Mul64(random.ExponentialAt(rank), uint64(e.mean))
	lo, carry := bits.Add64(lo, 1<<(random.ExponentialBits-1), 0)
	tokens := (hi+carry)<<(64-random.ExponentialBits) | lo>>random.ExponentialBits
	return min(max(int64(tokens), 1), e.max)
}

// lognormalCost is a log-normal number of tokens, rounded to nearest, at least 1 and at
// most max.
type lognormalCost struct {
	random.Lognormal
	max int64
}

func newLognormalCost(p50, p99, most int64) (Costs, error) {
	l, err := random.NewLognormal(p50, p99)
	return lognormalCost{l, most}, err
}

func (l lognormalCost) Random() bool { return l.max > 1 }
func (l lognormalCost) Max() int64   { return l.max }

func (l lognormalCost) Fill(draws *random.Stream, column []int64) { fillByRank(l, draws, column) }

func (l lognormalCost) at(rank uint64) int64 { return min(max(l.At(rank), 1), l.max) }

// quantileCost is a number of tokens that is linear between given quantiles.
type quantileCost struct {
	tokens []int64
	from   []uint64 // by piece: the rank at which it begins, in units of 2^-64
}

func newQuantileCost(tokens, at []any) (Costs, error) {
	n := len(tokens)
	if n < 2 || len(at) > 0 && len(at) != n {
		return nil, errors.New("tokens: there must be at least two, and a share for each")
	}
	var q quantileCost
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
	return q, nil
}

func (q quantileCost) Random() bool { return q.tokens[0] != q.Max() }
func (q quantileCost) Max() int64   { return q.tokens[len(q.tokens)-1] }

func (q quantileCost) Fill(draws *random.Stream, column []int64) { fillByRank(q, draws, column) }

func (q quantileCost) at(rank uint64) int64 {
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

// fillByRank draws costs by their ranks.
func fillByRank(c Costs, draws *random.Stream, column []int64) {
	s := *draws
	for i := range column {
		column[i] = c.at(s.Uint64())
	}
	*draws = s
}
