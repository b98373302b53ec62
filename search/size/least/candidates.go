package least

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// steps are the counts of the rates that are tried in each decade.
var steps = []int64{1, 2, 3, 5}

// Candidates returns the limits to try, without allowances: for a bucket, rates from
// slow to fast; otherwise the windows. windows are in ns, and those that the log does not
// hold are left out; rates are counts per one of them, below 10 per the next shorter one.
// The fastest rate is the first that no key asks more than in any calendar second.
func (s *Study) Candidates(a *Algorithm, windows []int64) (list []counting.Limit) {
	windows = lists.Where(windows, s.Holds)
	slices.Sort(windows)
	slices.Reverse(windows)
	windows = slices.Compact(windows)
	if !a.Bucket {
		slices.Reverse(windows)
		return lists.Map(windows, func(w int64) counting.Limit { return counting.Limit{Window: w} })
	}
	peak := int64(0)
	for key, d := range s.Keys {
		if !s.IsAbuser(int32(key)) {
			peak = max(peak, d.PeakPerS)
		}
	}
	least := int64(1)
	for i, window := range windows {
		for decade := least; decade <= 1e15; decade *= 10 {
			for _, step := range steps {
				count := decade * step
				if i+1 < len(windows) && !slower(count, window, 10, windows[i+1]) {
					decade = 1e15
					break
				}
				list = append(list, counting.Limit{Count: count, Window: window})
				if !slower(count, window, peak, 1e9) {
					return list
				}
			}
		}
		least = 10
	}
	return list
}

// finer are the counts in a decade that Between adds to those of steps, in tenths.
var finer = []int64{12, 15, 25, 40, 60, 80}

// Between returns more rates around a limit, between the next slower and the next faster
// of the candidates, which are in the order of their rates. They are in the limit's window.
func Between(candidates []counting.Limit, limit counting.Limit) (list []counting.Limit) {
	at := slices.IndexFunc(candidates, func(c counting.Limit) bool { return c.Count == limit.Count && c.Window == limit.Window })
	low, high := candidates[max(at-1, 0)], candidates[min(at+1, len(candidates)-1)]
	for decade := int64(1); decade <= 1e15; decade *= 10 {
		for _, step := range finer {
			more := counting.Limit{Count: decade * step / 10, Window: limit.Window}
			whole := decade*step%10 == 0
			if whole && slower(low.Count, low.Window, more.Count, more.Window) && slower(more.Count, more.Window, high.Count, high.Window) {
				list = append(list, more)
			}
		}
	}
	return list
}

// Slower reports whether the rate of a limit is below that of another.
func Slower(x, y counting.Limit) bool { return slower(x.Count, x.Window, y.Count, y.Window) }

// slower reports whether a rate of n per window is below one of m per width.
func slower(n, window, m, width int64) bool { return !integers.Fits(m, window, width, n) }

// FewestWindows is how many windows a log must hold to show what one of them needs.
const FewestWindows = 10

// Holds reports whether the log is long enough for limits per window, in ns.
func (s *Study) Holds(window int64) bool { return s.span()/FewestWindows >= window }

func (s *Study) span() int64 { return s.LastNs - s.FirstNs }

// short reports whether the log holds too few windows of a limit, or shows a bucket fill
// fewer than four times. What the limit needs then depends on the length of the log.
func (s *Study) short(a *Algorithm, limit counting.Limit) bool {
	if !a.Bucket || !s.Holds(limit.Window) {
		return !s.Holds(limit.Window)
	}
	n, p := limit.Rate()
	return !integers.Fits(limit.Burst, p, n, s.span()/4)
}

// bound returns a lower bound on the allowance of a limit, from the totals of the keys alone:
// what a key asks for beyond the refill of the whole log, or in each of its windows.
func (s *Study) bound(a *Algorithm, limit counting.Limit, g Goal) int64 {
	need := func(d Demand) int64 { return integers.CeilDiv(d.Cost, a.spans(s.span()+1, limit.Window)) }
	if a.Bucket {
		n, p := limit.Rate()
		refill := integers.MulDivUp(n, s.span(), p, 1<<62)
		need = func(d Demand) int64 { return max(d.Cost-refill, 0) }
	}
	return lowest(lists.Map(s.Keys, need), s, g, s.Allowed(g))
}
