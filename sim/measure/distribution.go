package measure

import (
	"maps"
	"math"
	"math/big"
	"slices"
)

// distribution is an exact histogram of the cost admitted in a window: a table
// for small values, where most windows lie, and a map for the rest.
type distribution struct {
	limit int64
	count int64
	small []int64
	large map[int64]int64
}

// maxSmall bounds the table, which otherwise reaches twice the limit.
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

// point is a value and how often it occurred.
type point struct{ value, n int64 }

// points lists what occurred, in increasing order.
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

// figures reports how the windows lie about the limit. All of it follows from
// the histogram in integers.
func (d *distribution) figures(c *Config, emit Emit) {
	names := windowMetrics[:11] // those about saturated windows come first
	reason := c.finer(c.Window)
	if reason == "" && d.count == 0 {
		reason = "no saturated window"
	}
	if reason != "" {
		for _, m := range names {
			emit(m.Name, NoData(reason))
		}
		return
	}
	ps, limit := d.points(), d.limit
	over := func(p point) int64 { return max(0, p.value-limit) }
	sum, squares := new(big.Int), new(big.Int) // of A-L
	excess := new(big.Int)
	for _, p := range ps {
		excess.Add(excess, product(over(p), p.n))
		sum.Add(sum, product(p.value-limit, p.n))
		squares.Add(squares, product(p.value-limit, p.value-limit, p.n))
	}
	all := product(d.count, limit)
	hundred := big.NewInt(100)
	emit("over_limit_pct", Number(quotient(excess.Mul(excess, hundred), all)))

	for _, q := range []struct {
		name     string
		permille int64
	}{{"over_limit_pct_p50", 500}, {"over_limit_pct_p95", 950}, {"over_limit_pct_p99", 990}, {"over_limit_pct_max", 1000}} {
		emit(q.name, Number(ratio(100, over(quantile(ps, rank(q.permille, d.count))), limit)))
	}
	for _, s := range []struct {
		name string
		pct  int64
	}{{"over_limit_share_gt_0", 0}, {"over_limit_share_gt_1", 1}, {"over_limit_share_gt_5", 5}, {"over_limit_share_gt_10", 10}} {
		n, threshold := int64(0), product(s.pct, limit)
		for _, p := range ps {
			if product(100, over(p)).Cmp(threshold) > 0 {
				n += p.n
			}
		}
		emit(s.name, Number(ratio(100, n, d.count)))
	}

	// n*squares - sum^2 = n^2 * variance of A.
	spread := new(big.Int).Mul(squares, big.NewInt(d.count))
	spread.Sub(spread, new(big.Int).Mul(sum, sum))
	spread.Mul(spread, big.NewInt(100*100))
	emit("window_error_mean_pct", Number(quotient(sum.Mul(sum, hundred), all)))
	emit("window_error_sd_pct", Number(math.Sqrt(quotient(spread, all.Mul(all, all)))))
}

// quantile is the point at a rank counted from 1.
func quantile(ps []point, rank int64) point {
	for _, p := range ps {
		if rank -= p.n; rank <= 0 {
			return p
		}
	}
	return ps[len(ps)-1]
}
