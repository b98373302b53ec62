package bounds

import (
	"cmp"
	"math/bits"
	"slices"
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
	c := cover{reserve: dearest - 1, partial: -unset}
	for _, s := range spans {
		c.moments = append(c.moments, moment{enters: s.to, leaves: s.from, cost: s.cost})
	}
	return c
}

// mostCover prepares the upper bound.
func mostCover(spans []span) cover {
	c := cover{partial: -unset}
	for _, s := range spans {
		c.moments = append(c.moments, moment{enters: s.from, leaves: s.to, cost: s.cost})
	}
	return c
}

// times returns the times at which intervals need to begin and end, and sorts the
// moments by the time at which they enter.
func (c *cover) times() []int64 {
	var times []int64
	for _, m := range c.moments {
		times = append(times, m.enters, m.leaves)
	}
	slices.Sort(times)
	slices.SortFunc(c.moments, func(a, b moment) int { return cmp.Compare(a.enters, b.enters) })
	return slices.Compact(times)
}

// gaps is the cheapest cost up to a gap, for each interval that may be the last one
// before it. Place 0 is of no interval, place i+1 of one that ends at times[i].
type gaps struct {
	*tree
	times []int64
	rest  []moment // that have not entered
}

func (c *cover) gaps(times []int64) gaps {
	g := gaps{newTree(len(times) + 1), times, c.moments}
	g.set(0, 0)
	return g
}

// enter counts the requests that enter at end or before in the gaps.
func (g *gaps) enter(end int64) {
	for ; len(g.rest) > 0 && g.rest[0].enters <= end; g.rest = g.rest[1:] {
		m := g.rest[0]
		g.addBefore(1+after(g.times, m.leaves-1), m.cost)
	}
}

// windows returns the cheapest cover by windows (t-width, t] of a capacity.
func (c *cover) windows(capacity, width int64) int64 {
	times := c.times()
	g := c.gaps(times)
	for i, t := range times {
		g.enter(t - width)
		least := g.least() + capacity - c.reserve
		if t-width < c.partial {
			least = 0
		}
		g.set(i+1, least)
	}
	g.enter(never)
	return g.least()
}

// bucket returns the cheapest cover by intervals [s, t] with a capacity of burst and
// the refill of t-s, rounded down.
//
// With whole(x) and part(x) of the refill from the first time to x, the refill from s
// to t rounded down is whole(t)-whole(s), less 1 if part(s) > part(t).
func (c *cover) bucket(burst int64, rate slope) int64 {
	times := c.times()
	g := c.gaps(times)
	parts := make([]int64, len(times))
	for i, t := range times {
		_, parts[i] = refill(rate, t-times[0])
	}
	ranks := slices.Clone(parts)
	slices.Sort(ranks)
	ranks = slices.Compact(ranks)
	begun := newTree(len(ranks)) // by part, the cheapest cost up to a start less its whole refill
	least := make([]int64, len(ranks))
	for i := range least {
		least[i] = unset
	}
	for i, t := range times {
		g.enter(t - 1)
		whole, part := refill(rate, t-times[0])
		rank := after(ranks, part) - 1
		start := g.least() - whole
		if t <= c.partial {
			start = min(start, -burst)
		}
		if start < least[rank] {
			least[rank] = start
			begun.set(rank, start)
		}
		// Starts with at most this part cost one more than the others.
		begun.addBefore(rank+1, 1)
		g.set(i+1, max(begun.least()-1+whole+burst-c.reserve, 0))
		begun.addBefore(rank+1, -1)
	}
	g.enter(never)
	return g.least()
}

// refill returns what the rate adds in ns: whole tokens, and units below a token.
func refill(rate slope, ns int64) (whole, part int64) {
	hi, lo := bits.Mul64(uint64(rate.n), uint64(ns))
	q, r := bits.Div64(hi, lo, uint64(rate.per))
	return int64(q), int64(r)
}
