package bounds

import (
	"cmp"
	"slices"
	"sort"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// slope is the rate of a bucket: n units in a nanosecond, of which a token has per.
type slope struct{ n, per int64 }

func (s *Settings) rate() slope {
	n, per := s.Limit.Rate()
	return slope{n, per}
}

// tokens returns units beyond the depth of a bucket, in tokens.
func (r slope) tokens(units, depth int64) float64 {
	return float64(units-depth*r.per) / float64(r.per)
}

// certifiedExcess returns the largest cost that the spans certainly have in an
// interval [from, to] beyond the rate, in units. An empty interval has none, so that it is
// 0 or more. There must be a span.
//
// It moves the end of the interval over the ends of the spans. For each start, a tree
// holds the refill up to the start plus the cost inside, negated.
func certifiedExcess(spans []span, rate slope) (units int64) {
	starts := distinct(spans, func(s span) int64 { return s.from })
	zero := starts[0]
	ends := slices.Clone(spans)
	slices.SortFunc(ends, func(a, b span) int { return cmp.Compare(a.to, b.to) })
	t := newTree(len(starts))
	next := 0
	for _, s := range ends {
		for ; next < len(starts) && starts[next] <= s.to; next++ {
			t.set(next, -rate.n*(starts[next]-zero))
		}
		t.addBefore(after(starts, s.from), -rate.per*s.cost)
		units = max(units, -t.least()-rate.n*(s.to-zero))
	}
	return units
}

// possibleExcess returns the largest cost that the spans can have in an interval
// beyond the rate, in units.
//
// A span is outside of [s, t] if it ends before s or begins after t, never both. So
// the best start for an end t is the best one of t and all ends of spans up to t.
func possibleExcess(spans []span, rate slope) int64 {
	byFrom, byTo := slices.Clone(spans), slices.Clone(spans)
	slices.SortFunc(byFrom, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	slices.SortFunc(byTo, func(a, b span) int { return cmp.Compare(a.to, b.to) })
	zero := byFrom[0].from
	best, start := -unset, -unset
	var begun, ended int64 // costs
	next := 0
	for _, s := range byFrom {
		begun += s.cost
		for ; next < len(byTo) && byTo[next].to < s.from; next++ {
			start = max(start, rate.n*(byTo[next].to-zero)-rate.per*ended)
			ended += byTo[next].cost
		}
		start = max(start, rate.n*(s.from-zero)-rate.per*ended)
		best = max(best, start+rate.per*begun-rate.n*(s.from-zero))
	}
	return best
}

// distinct returns the times of spans in order, each once.
func distinct(spans []span, of func(span) int64) []int64 {
	times := lists.Map(spans, of)
	slices.Sort(times)
	return slices.Compact(times)
}

// after returns how many of the sorted times are at most t.
func after(times []int64, t int64) int {
	return sort.Search(len(times), func(i int) bool { return times[i] > t })
}
