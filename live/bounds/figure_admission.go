package bounds

import (
	"cmp"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// admission compares what a limiter admits with what the exact limiter admits.
type admission struct {
	over, under         pair // the sums over windows of what one admits beyond the other
	admitted, reference pair // in the span
}

// admissionOf compares one key.
//
// Windows are bounded one by one, and together by the path of the difference between
// what both have admitted so far: its rises are the over-admission, its falls the
// under-admission, and at the end of each window it is between two bounds. Failed
// requests can only raise the path, each once.
func (c *scope) admissionOf(f flow) admission {
	p := c.placesOf(f)
	r := c.referenceOf(f, &p)
	h := c.loadsOf(&p, f.admitted, f.failed)
	a := admission{reference: r.total}
	a.admitted = pair{costOf(c.within(f.admitted)), costOf(c.reaching(f.admitted, f.failed))}
	pick := func(counts func(int64) bool, i int, x, otherwise int64) int64 {
		if counts(p.windows[i]) {
			return x
		}
		return otherwise
	}

	// Over-admission, window by window.
	a.over.most = h.loose + h.most(func(i int, cost int64) int64 { return pick(c.mayCount, i, max(0, cost-r.least[i]), 0) })
	if p.dense || h.loose == 0 {
		a.over.most = min(a.over.most, p.sum(func(i int) int64 { return pick(c.mayCount, i, max(0, h.all[i]-r.least[i]), 0) }))
	}
	known, _ := h.fill(func(i int) int64 { return pick(c.counts, i, r.known[i], unset) })
	all, _ := h.fill(func(i int) int64 { return pick(c.counts, i, r.most[i], unset) })
	a.over.least = max(known-r.loose, all)

	// Under-admission, window by window.
	short := func(most []int64) int64 {
		return h.most(func(i int, cost int64) int64 { return pick(c.mayCount, i, max(0, most[i]-cost), 0) })
	}
	a.under.most = short(r.known) + max(r.loose, r.unlisted)
	if p.dense || r.loose == 0 {
		a.under.most = min(a.under.most, short(r.most)+r.unlisted)
	}
	_, left := h.fill(func(i int) int64 { return pick(c.counts, i, r.least[i], 0) })
	a.under.least = max(left-h.loose, p.sum(func(i int) int64 { return pick(c.counts, i, max(0, r.least[i]-h.all[i]), 0) }))

	if r.before != nil {
		failed := costOf(f.failed)
		extra := failed
		if !p.dense {
			extra = h.loose
		}
		rises := c.difference(f, &p, r)
		falls := lists.Map(rises, func(d pair) pair { return pair{-d.most, -d.least} })
		a.over = pair{max(a.over.least, leastRise(rises)), min(a.over.most, mostRise(rises)+extra)}
		a.under = pair{max(a.under.least, leastRise(falls)-failed), min(a.under.most, mostRise(falls)+r.unlisted)}
	}
	a.intersect()
	return a
}

// intersect uses that over-admission less under-admission is the difference between
// what both admit in the span.
func (a *admission) intersect() {
	net := pair{a.admitted.least - a.reference.most, a.admitted.most - a.reference.least}
	a.over.least = max(a.over.least, a.under.least+net.least)
	a.under.least = max(a.under.least, a.over.least-net.most)
	a.over.most = min(a.over.most, a.under.most+net.most, a.admitted.most)
	a.under.most = min(a.under.most, a.over.most-net.least, a.reference.most)
}

// difference returns, for the end of each place, the cost of admitted requests before
// it less what the reference has admitted.
func (c *scope) difference(f flow, p *places, r *reference) []pair {
	ended := before(p, f.admitted, c.s.Limit.Window, func(s span) int64 { return s.to })
	begun := before(p, f.admitted, c.s.Limit.Window, func(s span) int64 { return s.from })
	d := make([]pair, len(r.before))
	for i, b := range r.before {
		d[i] = pair{ended[i] - b.most, begun[i] - b.least}
	}
	return d
}

// before returns the cost of the spans of which a time is before the end of each place.
func before(p *places, spans []span, width int64, of func(span) int64) []int64 {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(of(a), of(b)) })
	costs := make([]int64, len(p.windows))
	var cost int64
	for i, k := range p.windows {
		for ; len(spans) > 0 && of(spans[0]) < (k+1)*width; spans = spans[1:] {
			cost += spans[0].cost
		}
		costs[i] = cost
	}
	return costs
}

// mostRise returns the largest sum of the rises of a path that begins at 0 and goes
// through each of the bounds in turn. The sum is convex in each value of the path, so
// it is largest if all values are at bounds.
func mostRise(path []pair) int64 {
	low, high := int64(0), int64(0) // the largest sums of paths that end at the least and at the most
	var last pair
	for _, b := range path {
		to := func(x int64) int64 { return max(low+max(0, x-last.least), high+max(0, x-last.most)) }
		low, high = to(b.least), to(b.most)
		last = b
	}
	return max(low, high)
}

// leastRise returns the least sum of the rises of such a path. Falls are free, so it
// stays where it is as long as the bounds permit.
func leastRise(path []pair) (sum int64) {
	var at int64
	for _, b := range path {
		sum += max(0, b.least-at)
		at = min(max(at, b.least), b.most)
	}
	return sum
}

// admissionBounds returns the bounds of what all keys admit, compared with the exact
// limiter.
func (c *scope) admissionBounds(flows []flow) []bound {
	var all admission
	none := ""
	switch {
	case !c.known:
		none = noPhase
	case c.waits:
		none = "requests waited, and what an exact queue admits has no bounds here"
	default:
		for _, f := range flows {
			a := c.admissionOf(f)
			for _, x := range []struct {
				sum *pair
				add pair
			}{{&all.over, a.over}, {&all.under, a.under}, {&all.admitted, a.admitted}, {&all.reference, a.reference}} {
				x.sum.least += x.add.least
				x.sum.most += x.add.most
			}
		}
		switch {
		case all.reference.most == 0:
			none = "the reference admitted nothing"
		case all.reference.least == 0:
			none = "the reference may have admitted nothing"
		}
	}
	r := all.reference
	share := func(name string, x pair) bound {
		return bound{name, ratio(100, x.least, r.most), ratio(100, x.most, r.least), none}
	}
	under := share("under_admission_pct", all.under)
	under.hi = math.Min(under.hi, 100)
	return []bound{share("over_admission_pct", all.over), under, {
		"long_run_error_pct", signedPct(all.admitted.least, r.most), signedPct(all.admitted.most, r.least), none,
	}}
}

// signedPct returns 100*(a/b - 1).
func signedPct(a, b int64) float64 { return ratio(100, a-b, b) }
