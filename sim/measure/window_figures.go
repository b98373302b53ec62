package measure

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
)

// distribution is an exact histogram of the cost admitted in a window: a table
// for small values, which are most frequent, and a map for the others.
type distribution struct {
	limit int64
	count int64
	small []int64
	large map[int64]int64
}

// maxSmall is the largest size of the table, which otherwise is twice the
// limit.
const maxSmall = 1 << 14

func newDistribution(limit int64) distribution {
	return distribution{
		limit: limit,
		small: make([]int64, min(limit, maxSmall/2)*2+1),
		large: map[int64]int64{},
	}
}

func (d *distribution) add(value, n int64) {
	d.count += n
	if value < int64(len(d.small)) {
		d.small[value] += n
	} else {
		d.large[value] += n
	}
}

// point is a value and its frequency.
type point struct{ value, n int64 }

// points returns the values that occurred, in increasing order.
func (d *distribution) points() []point {
	var ps []point
	for v, n := range d.small {
		if n > 0 {
			ps = append(ps, point{int64(v), n})
		}
	}
	for _, v := range slices.Sorted(maps.Keys(d.large)) {
		ps = append(ps, point{v, d.large[v]})
	}
	return ps
}

// saturatedFigures emits how the saturated windows differ from their limit, for
// one distribution per limit, and nothing if there is no such window. The
// computation is exact up to the final rounding.
func saturatedFigures(ds []*distribution, emit Emit) {
	count := int64(0)
	for _, d := range ds {
		count += d.count
	}
	if count == 0 {
		return
	}
	// Sums over windows of (A-L)/L: positive part, signed, and squared.
	excess, sum, squares := new(big.Rat), new(big.Rat), new(big.Rat)
	var all []share
	for _, d := range ds {
		over, signed, squared := new(big.Int), new(big.Int), new(big.Int)
		for _, p := range d.points() {
			all = append(all, share{max(0, p.value-d.limit), d.limit, p.n})
			over.Add(over, product(max(0, p.value-d.limit), p.n))
			signed.Add(signed, product(p.value-d.limit, p.n))
			squared.Add(squared, product(p.value-d.limit, p.value-d.limit, p.n))
		}
		limit := big.NewInt(d.limit)
		excess.Add(excess, new(big.Rat).SetFrac(over, limit))
		sum.Add(sum, new(big.Rat).SetFrac(signed, limit))
		squares.Add(squares, new(big.Rat).SetFrac(squared, product(d.limit, d.limit)))
	}
	if len(ds) > 1 {
		slices.SortStableFunc(all, func(a, b share) int { return product(a.over, b.limit).Cmp(product(b.over, a.limit)) })
	}
	mean := func(x *big.Rat, factor int64) *big.Rat { return new(big.Rat).Mul(x, big.NewRat(factor, count)) }
	emit("over_limit_pct", numberOf(mean(excess, 100)))
	for _, q := range []statistic{{"p50", 500}, {"p95", 950}, {"p99", 990}, {"max", 1000}} {
		at := quantile(all, rank(q.permille, count))
		emit.ratio("over_limit_pct_"+q.name, 100, at.over, at.limit)
	}
	for _, pct := range []int64{0, 1, 5, 10} {
		n := int64(0)
		for _, a := range all {
			if product(100, a.over).Cmp(product(pct, a.limit)) > 0 {
				n += a.n
			}
		}
		emit.ratio(fmt.Sprintf("over_limit_share_gt_%d", pct), 100, n, count)
	}
	signed := mean(sum, 100)
	emit("window_error_mean_pct", numberOf(signed))
	variance := mean(squares, 100*100)
	variance.Sub(variance, signed.Mul(signed, signed))
	emit("window_error_sd_pct", Number(math.Sqrt(numberOf(variance).X)))
}

// share is a number of windows that are over their limit by the same cost.
type share struct{ over, limit, n int64 }

// quantile returns the share at a rank, counted from 1.
func quantile(all []share, rank int64) share {
	for _, a := range all {
		if rank -= a.n; rank <= 0 {
			return a
		}
	}
	return all[len(all)-1]
}
