package selectors

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// power64 is 2^64, the number of ranks.
var power64 = new(big.Int).Lsh(big.NewInt(1), 64)

// piece is a part of a distribution by quantiles, in exact fractions.
type piece struct {
	from, to     *big.Rat // shares of all requests
	least, until int64    // tokens at these
}

// drawQuantiles returns options of a distribution by quantiles, and its pieces.
func drawQuantiles(t *rapid.T) (tokens, at []any, pieces []piece) {
	n := rapid.IntRange(2, 6).Draw(t, "points")
	counts := rapid.SliceOfN(rapid.Int64Range(1, 1<<40), n, n).Draw(t, "tokens")
	slices.Sort(counts)
	shares := make([]units.Fraction, n)
	given := rapid.Bool().Draw(t, "shares given")
	for i := range shares {
		shares[i] = units.Fraction{Num: int64(i), Den: int64(n - 1)}
		if given && i > 0 && i < n-1 {
			// Between the even share before and the one after, exclusively.
			shares[i] = units.Fraction{Num: 1000*int64(i) + rapid.Int64Range(-499, 499).Draw(t, "off"), Den: 1000 * int64(n-1)}
		}
	}
	for i, x := range counts {
		tokens = append(tokens, x)
		if given {
			at = append(at, shares[i])
		}
		if i > 0 {
			from, to := shares[i-1], shares[i]
			pieces = append(pieces, piece{big.NewRat(from.Num, from.Den), big.NewRat(to.Num, to.Den), counts[i-1], x})
		}
	}
	return tokens, at, pieces
}

// exactly returns the tokens at a share of all requests, by linear interpolation.
func exactly(pieces []piece, share *big.Rat) *big.Rat {
	for _, p := range pieces {
		if share.Cmp(p.to) <= 0 {
			within := new(big.Rat).Sub(share, p.from)
			within.Quo(within, new(big.Rat).Sub(p.to, p.from))
			within.Mul(within, new(big.Rat).SetInt64(p.until-p.least))
			return within.Add(within, new(big.Rat).SetInt64(p.least))
		}
	}
	panic("a share above 1")
}

// TestQuantilesAgainstFractions checks the tokens of random ranks, and of those around
// the given quantiles, against exact fractions. They are rounded to nearest; the
// rounding of ranks adds at most a millionth of a token.
func TestQuantilesAgainstFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens, at, pieces := drawQuantiles(t)
		q, err := newQuantileCost(tokens, at)
		if err != nil {
			t.Fatal(err)
		}
		least, most := pieces[0].least, pieces[len(pieces)-1].until
		if q.Max() != most || q.Random() != (least != most) || q.at(0) != least || q.at(math.MaxUint64) != most {
			t.Fatalf("from %d to %d: max %d, random %v, from %d to %d", least, most, q.Max(), q.Random(), q.at(0), q.at(math.MaxUint64))
		}
		ranks := rapid.SliceOfN(rapid.Uint64(), 20, 20).Draw(t, "ranks")
		for _, p := range pieces[1:] {
			from := new(big.Int).Div(new(big.Int).Mul(power64, p.from.Num()), p.from.Denom()).Uint64()
			ranks = append(ranks, from-1, from, from+1)
		}
		for _, rank := range ranks {
			share := new(big.Rat).SetFrac(new(big.Int).SetUint64(rank), power64)
			off := exactly(pieces, share)
			off.Sub(off, new(big.Rat).SetInt64(q.at(rank)))
			if off.Abs(off).Cmp(big.NewRat(500_001, 1_000_000)) > 0 {
				t.Fatalf("%v at %v: %d at rank %d, off by %s", tokens, at, q.at(rank), rank, off.FloatString(7))
			}
		}
	})
}

// TestQuantilesThatCannotBe checks which lists are refused.
func TestQuantilesThatCannotBe(t *testing.T) {
	zero, half, all := units.Fraction{Num: 0, Den: 1}, units.Fraction{Num: 1, Den: 2}, units.Fraction{Num: 1, Den: 1}
	for _, c := range []struct {
		tokens, at []any
		fails      bool
	}{
		{list[int64](5), nil, true},
		{list[int64](5, 6), nil, false},
		{list[int64](5, 6), list(zero, all), false},
		{list[int64](5, 6), list(zero), true},
		{list[int64](5, 6, 7), list(zero, half, all), false},
		{list[int64](5, 6, 7), list(zero, zero, all), true},
		{list[int64](5, 6, 7, 8), list(zero, half, half, all), true},
	} {
		if _, err := newQuantileCost(c.tokens, c.at); (err != nil) != c.fails {
			t.Errorf("%v at %v: %v", c.tokens, c.at, err)
		}
	}
}
