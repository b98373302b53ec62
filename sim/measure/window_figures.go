package measure

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// saturatedWindows counts saturated windows, by their limit and the cost
// admitted in them.
type saturatedWindows map[int64]map[int64]int64

func (s saturatedWindows) add(limit, admitted, n int64) {
	windows := s[limit]
	if windows == nil {
		windows = map[int64]int64{}
		s[limit] = windows
	}
	windows[admitted] += n
}

// saturatedFigures emits how the saturated windows of policies differ from
// their limits, and nothing if there is no such window. The computation is exact
// up to the final rounding.
func saturatedFigures(policies []*windowMeter, emit Emit) {
	count := int64(0)
	// Sums over windows of (A-L)/L: positive part, signed, and squared.
	excesses, sum, squares := new(big.Rat), new(big.Rat), new(big.Rat)
	var all []share
	for _, m := range policies {
		for limit, windows := range m.saturated {
			over, signed, squared := new(big.Int), new(big.Int), new(big.Int)
			for admitted, n := range windows {
				count += n
				all = append(all, share{excess{max(0, admitted-limit), limit}, n})
				over.Add(over, product(max(0, admitted-limit), n))
				signed.Add(signed, product(admitted-limit, n))
				squared.Add(squared, product(admitted-limit, admitted-limit, n))
			}
			excesses.Add(excesses, new(big.Rat).SetFrac(over, big.NewInt(limit)))
			sum.Add(sum, new(big.Rat).SetFrac(signed, big.NewInt(limit)))
			squares.Add(squares, new(big.Rat).SetFrac(squared, product(limit, limit)))
		}
	}
	if count == 0 {
		return
	}
	slices.SortFunc(all, func(a, b share) int { return a.compare(b.excess) })
	mean := func(x *big.Rat, factor int64) *big.Rat { return new(big.Rat).Mul(x, big.NewRat(factor, count)) }
	emit("over_limit_pct", numberOf(mean(excesses, 100)))
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
type share struct {
	excess
	n int64
}

// quantile returns the share at a rank, counted from 1.
func quantile(all []share, rank int64) share {
	for _, a := range all {
		if rank -= a.n; rank <= 0 {
			return a
		}
	}
	return all[len(all)-1]
}
