package bounds

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// An exact limiter that rejects a request of cost c at t has little left at t: a
// bucket that was last full at s has admitted at least burst + rate*(t-s) - c + 1
// since s, rounded down, and a sliding window at least limit - c + 1 in (t-w, t]. It
// admits everything outside of such intervals. Conversely it admits at most the
// capacity of any interval. So for every order of the decisions
//
//	admitted >= min over sets of disjoint intervals of (capacities - c + 1 + cost outside)
//	admitted <= min over sets of disjoint intervals of (capacities + cost outside)
//
// with the cost that is certainly outside in the first line and the cost that is
// possibly outside in the second. cover computes both minima. A request that is
// possibly in two gaps may count twice, so that the second bound holds all the more.

// cover is the search for the cheapest set of intervals.
type cover struct {
	// moments has, for each request, the times that decide whether it is outside:
	// it counts in the gap between two intervals if the first ends before leaves, and
	// the second begins after enters.
	moments []moment
	reserve int64 // what an interval's capacity is reduced by
	partial int64 // an interval that begins at this time or before may have no capacity of its own
}

type moment struct{ enters, leaves, cost int64 }

// leastCover prepares the lower bound. Requests have the given spans, and the most
// expensive one costs dearest.
func leastCover(spans []span, dearest int64) cover {
	return cover{reserve: dearest - 1, partial: -unset,
		moments: lists.Map(spans, func(s span) moment { return moment{enters: s.to, leaves: s.from, cost: s.cost} })}
}

// mostCover prepares the upper bound.
func mostCover(spans []span) cover {
	return cover{partial: -unset,
		moments: lists.Map(spans, func(s span) moment { return moment{enters: s.from, leaves: s.to, cost: s.cost} })}
}

// times returns the times at which intervals need to begin and end, which include the
// last instants before the edges, and sorts the moments by the time at which they
// enter.
func (c *cover) times(edges []int64) []int64 {
	var times []int64
	for _, m := range c.moments {
		times = append(times, m.enters, m.leaves)
	}
	for _, edge := range edges {
		if edge < never {
			times = append(times, edge-1)
		}
	}
	slices.Sort(times)
	slices.SortFunc(c.moments, func(a, b moment) int { return cmp.Compare(a.enters, b.enters) })
	return slices.Compact(times)
}

// windows returns, for each of the sorted edges, the cheapest cover of what is before
// it by windows (t-width, t] of a capacity. An edge of never is after everything.
func (c *cover) windows(capacity, width int64, edges []int64) []int64 {
	times := c.times(edges)
	before, until := newGaps(times, c.moments), newGaps(times, c.moments) // up to a window, and up to an edge
	costs := make([]int64, 0, len(edges))
	reach := func(t int64) { costs = until.reach(t, edges, costs) }
	for _, t := range times {
		reach(t)
		before.enter(t - width)
		cost := before.least(t-width) + capacity - c.reserve
		if t-width < c.partial {
			cost = 0
		}
		before.put(cost)
		until.put(cost)
	}
	reach(never)
	return costs
}

// bucket returns, for each of the sorted edges, the cheapest cover of what is before
// it by intervals [s, t] with a capacity of burst and the refill of t-s, rounded down.
// An edge of never is after everything.
//
// With whole(x) and part(x) of the refill from the first time to x, the refill from s
// to t rounded down is whole(t)-whole(s), less 1 if part(s) > part(t). So among the
// starts at which the cheapest cost less whole(s) is least, the one with the largest
// part(s) is best for every t.
func (c *cover) bucket(burst int64, rate slope, edges []int64) []int64 {
	times := c.times(edges)
	g := newGaps(times, c.moments)
	costs := make([]int64, 0, len(edges))
	reach := func(t int64) { costs = g.reach(t, edges, costs) }
	start, startPart := unset, int64(0)
	for i, t := range times {
		reach(t)
		g.enter(t - 1)
		whole, part := refill(rate, t-times[0])
		from := g.least(t-1) - whole
		if t <= c.partial || i == 0 && c.partial > -unset { // also if all requests before t failed
			from = min(from, -burst)
		}
		if from < start || from == start && part > startPart {
			start, startPart = from, part
		}
		cost := start + whole + burst - c.reserve
		if startPart > part {
			cost--
		}
		g.put(max(cost, 0))
	}
	reach(never)
	return costs
}

// refill returns what the rate adds in ns: whole tokens, and units below a token.
func refill(rate slope, ns int64) (whole, part int64) {
	hi, lo := bits.Mul64(uint64(rate.n), uint64(ns))
	q, r := bits.Div64(hi, lo, uint64(rate.per))
	return int64(q), int64(r)
}
