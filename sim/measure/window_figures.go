package measure

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// saturatedWindows counts the saturated windows under one limit by the cost
// admitted in them. With many keys this is called often, and a table of small
// costs is several times as fast as a map.
type saturatedWindows struct {
	limit int64
	small [1024]int64
	large map[int64]int64
	first overLimit // in the first windows of the span
	byKey overLimits
}

func (s *saturatedWindows) add(admitted, n int64) {
	if admitted < int64(len(s.small)) {
		s.small[admitted] += n
	} else {
		s.large[admitted] += n
	}
}

// all yields each cost that occurred and the number of its windows.
func (s *saturatedWindows) all(yield func(admitted, n int64) bool) {
	for admitted, n := range s.small {
		if n > 0 && !yield(int64(admitted), n) {
			return
		}
	}
	for admitted, n := range s.large {
		if !yield(admitted, n) {
			return
		}
	}
}

// under returns the counts of windows under a limit.
func (m *windowMeter) under(limit int64) *saturatedWindows {
	for _, s := range m.saturated {
		if s.limit == limit {
			return s
		}
	}
	s := &saturatedWindows{limit: limit, large: map[int64]int64{}}
	m.saturated = append(m.saturated, s)
	return s
}

// largest returns the largest cost admitted in a saturated window under each
// limit. A window in which more than the limit was admitted is saturated.
func (m *windowMeter) largest() map[int64]int64 {
	sums := map[int64]int64{}
	for _, s := range m.saturated {
		for admitted := range s.all {
			sums[s.limit] = max(sums[s.limit], admitted)
		}
	}
	return sums
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
		for _, s := range m.saturated {
			limit := s.limit
			over, signed, squared := new(big.Int), new(big.Int), new(big.Int)
			for admitted, n := range s.all {
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
	emitWorstKey(policies, emit)
	if count == 0 {
		return
	}
	emitFirstWindows(policies, excesses, count, emit)
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
