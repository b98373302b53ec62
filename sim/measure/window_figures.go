package measure

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// saturatedWindows counts the saturated windows under one limit.
type saturatedWindows struct {
	limit int64
	parts [spanParts]windowCounts
	first overLimit     // in the first windows of the span
	byKey [2]overLimits // in the first half, and later
}

// windowCounts counts windows by the cost admitted in them. With many keys this is
// called often, and a table of small costs is several times as fast as a map.
type windowCounts struct {
	small [1024]int64
	large map[int64]int64
}

func (c *windowCounts) add(admitted, n int64) {
	switch {
	case admitted < int64(len(c.small)):
		c.small[admitted] += n
		return
	case c.large == nil:
		c.large = map[int64]int64{}
	}
	c.large[admitted] += n
}

// all yields each cost that occurred and the number of its windows.
func (c *windowCounts) all(yield func(admitted, n int64) bool) {
	for admitted, n := range c.small {
		if n > 0 && !yield(int64(admitted), n) {
			return
		}
	}
	for admitted, n := range c.large {
		if !yield(admitted, n) {
			return
		}
	}
}

// all yields each cost that occurred in each part of the span.
func (s *saturatedWindows) all(yield func(admitted, n int64) bool) {
	for i := range s.parts {
		for admitted, n := range s.parts[i].all {
			if !yield(admitted, n) {
				return
			}
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
	s := &saturatedWindows{limit: limit}
	m.saturated = append(m.saturated, s)
	return s
}

// largest returns the largest cost admitted in a saturated window of some parts of the
// span, from <= part < to, under each limit. A window in which more than the limit was
// admitted is saturated.
func (m *windowMeter) largest(from, to int) map[int64]int64 {
	sums := map[int64]int64{}
	for _, s := range m.saturated {
		for i := from; i < to; i++ {
			for admitted := range s.parts[i].all {
				sums[s.limit] = max(sums[s.limit], admitted)
			}
		}
	}
	return sums
}

// saturatedFigures emits how the saturated windows of policies differ from
// their limits, or that there is no such window. The computation is exact
// up to the final rounding. It returns the cost admitted beyond the limits.
func saturatedFigures(policies []*windowMeter, emit Emit) (beyond int64) {
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
				beyond += max(0, admitted-limit) * n
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
	emitFirstWindows(policies, excesses, count, emit)
	emit("over_limit_pct", meanOf("", percent(excesses), count))
	for _, pct := range []int64{0, 1, 5, 10} {
		n := int64(0)
		for _, a := range all {
			if product(100, a.over).Cmp(product(pct, a.limit)) > 0 {
				n += a.n
			}
		}
		emit.ratio(fmt.Sprintf("over_limit_share_gt_%d", pct), 100, n, count)
	}
	emit("window_error_mean_pct", meanOf("", percent(sum), count))
	emit("window_error_sd_pct", deviation(sum, squares, count))
	emitExcesses(all, count, emit)
	return beyond
}

// deviation returns the standard deviation of count values in percent, from their sum
// and the sum of their squares. Over replications it is the mean by number of values.
func deviation(sum, squares *big.Rat, count int64) Value {
	if count == 0 {
		return meanOf("", sum, 0)
	}
	mean := func(x *big.Rat, factor int64) *big.Rat { return new(big.Rat).Mul(x, big.NewRat(factor, count)) }
	signed, variance := mean(sum, 100), mean(squares, 100*100)
	variance.Sub(variance, signed.Mul(signed, signed))
	sd := math.Sqrt(numberOf(variance).X)
	return Value{X: sd, Pool: Pool{Kind: Ratio, Num: sd * float64(count), Den: float64(count)}}
}

// emitExcesses emits quantiles of the excess of windows.
func emitExcesses(all []share, count int64, emit Emit) {
	slices.SortFunc(all, func(a, b share) int { return a.compare(b.excess) })
	var d Distribution
	for _, a := range all {
		d.add(ratio(100, a.over, a.limit), a.n)
	}
	for _, q := range []statistic{{"p50", 500}, {"p95", 950}, {"p99", 990}, {"max", 1000}} {
		emit("over_limit_pct_"+q.name, quantileOf("", d.quantile(q.permille, count), &d, q.permille))
	}
}

// share is a number of windows that are over their limit by the same cost.
type share struct {
	excess
	n int64
}
