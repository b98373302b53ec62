package bounds

import (
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/exchange"
)

// Shortfall is what a limiter rejected although an exact limiter admits it, net of
// what it admitted in excess: in total for sliding windows and buckets, in each
// window for calendar windows.
type Shortfall struct {
	// ExactLeast and ExactMost are the cost that an exact limiter admits of the same
	// requests, at least and at most, whatever the times of decision were.
	ExactLeast, ExactMost int64
	// Certified and Possible are the least and the largest shortfall.
	Certified, Possible int64
}

func (s *Shortfall) add(t Shortfall) {
	s.ExactLeast += t.ExactLeast
	s.ExactMost += t.ExactMost
	s.Certified += t.Certified
	s.Possible += t.Possible
}

// demand is what one key asked for, as far as an exact limiter ever admits it.
type demand struct {
	spans                          []span // with a verdict
	dearest                        int64  // the largest cost of a request, at least 1
	admitted, failed, failedDemand int64  // costs
}

func demandOf(r *record, capacity int64) demand {
	d := demand{dearest: 1, admitted: costOf(r.admitted), failed: costOf(r.failed)}
	small := func(s span) bool { return s.cost <= capacity }
	d.spans = lists.Where(r.decided, small)
	failed := lists.Where(r.failed, small)
	d.failedDemand = costOf(failed)
	d.dearest = dearestOf(slices.Concat(d.spans, failed))
	return d
}

// shortfallOf returns the shortfall of one key. A nil phase of calendar windows is
// unknown.
func shortfallOf(r *record, s *Settings, phase *Phase) Shortfall {
	if s.Kind == Calendar && phase != nil {
		return calendarShortfall(r, s, *phase)
	}
	capacity := s.Limit.Count
	if s.Kind == Bucket {
		capacity = s.Limit.Burst
	}
	d := demandOf(r, capacity)
	least := leastCover(earlier(d.spans, s.ResolutionNs), d.dearest)
	if s.UsedBefore && len(r.asked) > 0 {
		least.partial = r.asked[0].SentNs
	}
	most := mostCover(d.spans)
	var f Shortfall
	end := []int64{never}
	switch s.Kind {
	case Bucket:
		f.ExactLeast = least.bucket(capacity, s.rate(), end)[0]
		f.ExactMost = most.bucket(capacity, s.rate(), end)[0]
	case Calendar:
		// Calendar windows of any phase admit at least what a log admits, and at
		// most everything.
		f.ExactLeast = least.windows(capacity, s.Limit.Window, end)[0]
		f.ExactMost = costOf(d.spans)
	default:
		f.ExactLeast = least.windows(capacity, s.Limit.Window, end)[0]
		f.ExactMost = most.windows(capacity, s.Limit.Window, end)[0]
	}
	f.ExactMost += d.failedDemand
	f.Certified = max(0, f.ExactLeast-d.admitted-d.failed)
	f.Possible = max(0, f.ExactMost-d.admitted)
	return f
}

// calendarShortfall compares each window with what is admitted in it. An exact
// counter that rejects a request of cost c has at least limit-c+1 in the window.
func calendarShortfall(r *record, s *Settings, phase Phase) Shortfall {
	limit, width := s.Limit.Count, s.Limit.Window
	d := demandOf(r, limit)
	asked := byWindow(insideCalendar(earlier(d.spans, s.ResolutionNs), width, phase))
	var admitted []span // by arrival, so that a request that waits counts where it was asked
	for _, e := range r.asked {
		if e.Verdict == exchange.Admitted {
			admitted = append(admitted, span{e.SentNs, e.AnsweredNs, e.Cost})
		}
	}
	windows := slices.Sorted(maps.Keys(asked))
	held := heldIn(windows, touchingCalendar(slices.Concat(earlier(admitted, s.ResolutionNs), r.failed), width, phase))
	var f Shortfall
	for i, k := range windows {
		if s.UsedBefore && phase.EarliestNs+k*width < r.asked[0].SentNs {
			continue
		}
		least := min(asked[k], limit-d.dearest+1)
		f.ExactLeast += least
		f.Certified += max(0, least-held[i])
	}
	surely := byWindow(insideCalendar(admitted, width, phase))
	wanted := map[int64]int64{}
	extra := d.failedDemand // demand of an unknown window raises what is admitted by its cost at most
	for _, t := range touchingCalendar(d.spans, width, phase) {
		if t.last-t.first > 2 {
			extra += t.cost
			continue
		}
		for k := t.first; k <= t.last; k++ {
			wanted[k] += t.cost
		}
	}
	for k, cost := range wanted {
		most := min(cost, limit)
		f.ExactMost += most
		f.Possible += max(0, most-surely[k])
	}
	f.ExactMost += extra
	f.Possible += extra
	return f
}

// heldIn returns the cost of the stays in each of the windows, which are sorted.
func heldIn(windows []int64, stays []stay) []int64 {
	change := make([]int64, len(windows)+1)
	for _, s := range stays {
		change[after(windows, s.first-1)] += s.cost
		change[after(windows, s.last)] -= s.cost
	}
	for i := range windows {
		change[i+1] += change[i]
	}
	return change[:len(windows)]
}
