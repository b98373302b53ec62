package bounds

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// reference is what the exact limiter admits of the requests of one key.
type reference struct {
	// By place, the least and the largest cost admitted in the window. known leaves out
	// of the largest one what is loose, of which the windows share the cost loose.
	least, known, most []int64
	loose              int64
	unlisted           int64 // cost that may be admitted in windows that have no place
	total              pair  // in the span
	// before is the cost admitted before the end of each place, or nil.
	before []pair
}

// pair is the least and the largest value of a cost.
type pair struct{ least, most int64 }

// referenceOf returns what the exact limiter of the kind admits. The demand has the
// requests that it ever admits, and what of them is in each window.
func (c *scope) referenceOf(f flow, p *places) *reference {
	capacity := c.s.Limit.Count
	if c.s.Kind == Bucket {
		capacity = c.depth
	}
	small := func(s span) bool { return s.cost > 0 && s.cost <= capacity }
	decided, failed := lists.Where(f.decided, small), lists.Where(f.failed, small)
	dearest := dearestOf(slices.Concat(decided, failed))
	demand := c.loadsOf(p, decided, failed)
	switch {
	case c.simple:
		return c.simulated(decided, p)
	case c.s.Kind == Calendar:
		return c.calendarReference(f, p, demand, dearest)
	}
	return c.coveredReference(f, p, demand, decided, failed, dearest)
}

// simulated returns what the exact limiter admits of requests that are decided at
// known times.
func (c *scope) simulated(decided []span, p *places) *reference {
	limit := c.s.Limit
	var take func(now, cost int64) counting.Verdict
	shift := int64(0)
	switch c.s.Kind {
	case Calendar:
		take, shift = counting.NewFixedWindow(limit, counting.WindowOptions{}).Take, limit.Window-c.phase.EarliestNs%limit.Window
	case Bucket:
		take = counting.NewTokenBucket(limit, counting.TokenBucketOptions{Burst: c.depth}).Take
	default:
		take = counting.NewSlidingLog(limit, counting.WindowOptions{}).Take
	}
	slices.SortStableFunc(decided, func(a, b span) int { return cmp.Compare(a.to, b.to) })
	admitted := make([]int64, len(p.windows))
	r := &reference{least: admitted, known: admitted, most: admitted}
	for _, s := range decided {
		if !take(s.to+shift, s.cost).Admitted() {
			continue
		}
		k := c.touched(s).first
		admitted[p.of(k)] += s.cost
		if c.counts(k) {
			r.total.least += s.cost
		}
	}
	r.total.most = r.total.least
	return r
}

// calendarReference bounds a limiter of calendar windows, which are independent. One
// that rejects a request of cost c has at least limit-c+1 in the window.
func (c *scope) calendarReference(f flow, p *places, demand *loads, dearest int64) *reference {
	limit, width, n := c.s.Limit.Count, c.s.Limit.Window, len(p.windows)
	r := &reference{least: make([]int64, n), known: make([]int64, n), most: make([]int64, n), loose: demand.loose}
	full := func(i int) int64 { // admitted at least if there is the demand
		if !c.counts(p.windows[i]) || c.s.UsedBefore && c.phase.EarliestNs+p.windows[i]*width < f.sent[0].from {
			return 0
		}
		return limit - dearest + 1
	}
	room := func(i int) int64 {
		if c.mayCount(p.windows[i]) {
			return limit
		}
		return 0
	}
	for i := range n {
		r.least[i] = min(demand.sure[i], full(i))
		r.known[i], r.most[i] = min(demand.touch[i], room(i)), min(demand.all[i], room(i))
	}
	all := p.sum(func(i int) int64 { return demand.sure[i] + demand.next[i] })
	r.total.least = all - demand.most(func(i int, cost int64) int64 { return max(0, cost-full(i)) })
	refused, _ := demand.fill(room)
	r.total.most = all - refused + demand.loose
	if p.dense || demand.loose == 0 {
		r.total.most = min(r.total.most, p.sum(func(i int) int64 { return r.most[i] }))
	}
	return r
}

// coveredReference bounds a log or a bucket by covers of what is before the end of
// each window.
func (c *scope) coveredReference(f flow, p *places, demand *loads, decided, failed []span, dearest int64) *reference {
	limit, n := c.s.Limit, len(p.windows)
	// The last place is after the span.
	edges := make([]int64, n-1)
	for i := range edges {
		edges[i] = (p.windows[i] + 1) * limit.Window
	}
	end := edges[n-2]
	least := leastCover(decided, dearest)
	if c.s.UsedBefore {
		least.partial = f.sent[0].from
	}
	asked := lists.Where(slices.Concat(decided, failed), func(s span) bool { return s.from < end })
	for i := range asked {
		asked[i].to = min(asked[i].to, end)
	}
	most := mostCover(asked)
	var low, high []int64
	inWindow := limit.Count
	if c.s.Kind == Bucket {
		low, high = least.bucket(c.depth, c.rate(), edges), most.bucket(c.depth, c.rate(), edges)
		inWindow += c.depth
	} else {
		low, high = least.windows(limit.Count, limit.Window, edges), most.windows(limit.Count, limit.Window, edges)
	}
	r := &reference{least: make([]int64, n), most: make([]int64, n), total: pair{low[n-2], high[n-2]}}
	var last pair
	for i := range edges {
		now := pair{low[i], high[i]}
		r.most[i] = min(now.most-last.least, demand.all[i], inWindow)
		r.least[i] = max(0, now.least-last.most)
		r.before = append(r.before, now)
		last = now
	}
	if c.s.Kind == Bucket && c.s.UsedBefore {
		c.coupled(r, decided, asked, edges, high)
	}
	r.known = r.most
	if !p.dense {
		r.unlisted = demand.loose
	}
	return r
}

// coupled bounds what a bucket admits in each window of which nobody knows how full it
// was at the start, if all requests cost the same. Of two buckets that decide the same
// requests, the fuller one admits every request that only one of them admits. If the
// other one is fuller after that, it is by less than the cost, and from then on each in
// turn admits what the other rejects. So in each window the bucket admits at least what
// one admits that was empty at the start, and at most what one admits that was full, up
// to the cost of a request. fromFull is the largest cost that the full one admits before
// the end of each place.
func (c *scope) coupled(r *reference, decided, asked []span, edges, fromFull []int64) {
	if len(asked) == 0 {
		return
	}
	cost := asked[0].cost
	if slices.ContainsFunc(slices.Concat(decided, asked), func(s span) bool { return s.cost != cost }) {
		return
	}
	begin := slices.MinFunc(asked, func(a, b span) int { return cmp.Compare(a.from, b.from) }).from
	emptyLeast, emptyMost, fullLeast := leastCover(decided, cost), mostCover(asked), leastCover(decided, cost)
	emptyLeast.partial, emptyMost.partial = begin, begin
	empty := [2][]int64{emptyLeast.bucket(c.depth, c.rate(), edges), emptyMost.bucket(c.depth, c.rate(), edges)}
	full := fullLeast.bucket(c.depth, c.rate(), edges)
	var last struct{ empty, full int64 } // the most that the empty one, and the least that the full one has admitted
	for i := range edges {
		r.least[i] = max(r.least[i], empty[0][i]-last.empty-cost)
		r.most[i] = min(r.most[i], fromFull[i]-last.full+cost)
		last.empty, last.full = empty[1][i], full[i]
	}
}
