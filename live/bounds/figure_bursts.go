package bounds

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// burstBounds returns the bounds of the bursts of the worst key.
func (c *scope) burstBounds(flows []flow) []bound {
	limit := c.s.Limit.Count
	sliding := bound{name: "worst_sliding_pct"}
	burst := bound{name: "burst_excess"}
	accumulated := bound{name: "accumulated_excess"}
	switch {
	case len(flows) == 0:
		burst.none, sliding.none = noTraffic, noTraffic
	case !c.known:
		burst.none = noPhase
	}
	accumulated.none = burst.none
	if c.s.Kind != Bucket {
		accumulated.none = "the policy's reference is no token bucket"
	}
	var least, most int64 // in the worst sliding window
	for _, f := range flows {
		certain, possible := c.within(f.admitted), c.reaching(f.admitted, f.failed)
		held := busiest(inside(certain, c.s.Limit.Window))
		mayHold := busiest(touching(possible, c.s.Limit.Window))
		least, most = max(least, held.Cost-limit), max(most, mayHold.Cost-limit)
		switch c.s.Kind {
		case Bucket:
			burst.raise(c.tokens(c.certifiedPair(certain)), c.tokens(c.possiblePair(possible)))
			if len(certain) > 0 {
				accumulated.raise(c.tokens(certifiedExcess(certain, c.rate())), 0)
			}
			if len(possible) > 0 {
				accumulated.raise(0, c.tokens(possibleExcess(possible, c.rate())))
			}
		case Calendar:
			p := c.placesOf(f)
			h := c.loadsOf(&p, f.admitted, f.failed)
			for i, k := range p.windows {
				if c.counts(k) {
					burst.raise(float64(h.sure[i]-limit), 0)
				}
				if c.mayCount(k) {
					burst.raise(0, float64(h.all[i]-limit))
				}
			}
		default:
			burst.raise(float64(least), float64(most))
		}
	}
	sliding.raise(ratio(100, least, limit), ratio(100, most, limit))
	return []bound{burst, accumulated, sliding}
}

const noTraffic = "no request was sent"

func (b *bound) raise(lo, hi float64) { b.lo, b.hi = max(b.lo, lo), max(b.hi, hi) }

func (c *scope) rate() slope { return c.s.rate() }

// tokens returns units beyond the depth of the bucket, in tokens.
func (c *scope) tokens(units int64) float64 { return c.rate().tokens(units, c.depth) }

// certifiedPair returns the largest cost that spans certainly have in an interval
// inside two consecutive windows beyond the rate, in units.
func (c *scope) certifiedPair(spans []span) (units int64) {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for len(spans) > 0 {
		k, next := c.window(spans[0].from), 0
		var pair []span
		for i, s := range spans {
			begin := c.window(s.from)
			if begin == k {
				next = i + 1
			}
			if begin > k+1 {
				break
			}
			if c.window(s.to) <= k+1 {
				pair = append(pair, s)
			}
		}
		if len(pair) > 0 {
			units = max(units, certifiedExcess(pair, c.rate()))
		}
		spans = spans[next:]
	}
	return units
}

func (c *scope) window(t int64) int64 { return integers.FloorDiv(t, c.s.Limit.Window) }

// possiblePair returns the largest cost that spans can have in an interval inside two
// consecutive windows beyond the rate, in units. A span that covers both windows can be
// in every interval.
func (c *scope) possiblePair(spans []span) (units int64) {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var pairs []int64
	ending := map[int64][]span{}  // by pair, spans that begin before it and end in it
	covering := map[int64]int64{} // by pair, the change of the cost of spans that cover it
	reach := func(s span) (first, last int64) {
		return c.window(s.from), min(c.window(s.to), c.lastMost+1)
	}
	for _, s := range spans {
		first, last := reach(s)
		for _, k := range []int64{first - 1, first, last - 1, last} {
			if n := len(pairs); n == 0 || pairs[n-1] != k {
				pairs = append(pairs, k)
			}
		}
		for k := max(first+1, last-1); k <= last; k++ {
			ending[k] = append(ending[k], s)
		}
		if first+1 < last-1 {
			covering[first+1] += s.cost
			covering[last-1] -= s.cost
			pairs = append(pairs, first+1)
		}
	}
	slices.Sort(pairs)
	rate := c.rate()
	var covered int64
	for _, k := range slices.Compact(pairs) {
		covered += covering[k]
		begin := k * c.s.Limit.Window
		var pair []span
		for _, s := range ending[k] {
			pair = append(pair, span{begin, s.to, s.cost})
		}
		for len(spans) > 0 && c.window(spans[0].from) < k {
			spans = spans[1:]
		}
		for _, s := range spans {
			if c.window(s.from) > k+1 {
				break
			}
			pair = append(pair, s)
		}
		u := rate.per * covered
		if len(pair) > 0 {
			u += possibleExcess(pair, rate)
		}
		units = max(units, u)
	}
	return units
}
