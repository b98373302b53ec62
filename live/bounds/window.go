package bounds

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// Amount is a number of requests and their cost.
type Amount struct{ Requests, Cost int64 }

// stay states that a request counts in every window whose number is from first to
// last. The number of a sliding window is its start, that of a calendar window its
// place in the calendar.
type stay struct{ first, last, cost int64 }

// busiest returns what the window holds in which the stays cost most. Of windows that tie,
// it is the first.
func busiest(stays []stay) (held Amount) {
	byLast := slices.Clone(stays)
	slices.SortFunc(stays, func(a, b stay) int { return cmp.Compare(a.first, b.first) })
	slices.SortFunc(byLast, func(a, b stay) int { return cmp.Compare(a.last, b.last) })
	var now Amount
	for i, s := range stays {
		for byLast[0].last < s.first {
			now.Requests--
			now.Cost -= byLast[0].cost
			byLast = byLast[1:]
		}
		now.Requests++
		now.Cost += s.cost
		if i+1 < len(stays) && stays[i+1].first == s.first {
			continue
		}
		if now.Cost > held.Cost || held.Requests == 0 {
			held = now
		}
	}
	return held
}

// inside returns the sliding windows [s, s+width) that certainly hold the spans.
func inside(spans []span, width int64) []stay {
	certain := lists.Where(spans, func(s span) bool { return s.to-s.from < width })
	return lists.Map(certain, func(s span) stay { return stay{s.to - width + 1, s.from, s.cost} })
}

// touching returns the sliding windows [s, s+width) that possibly hold the spans.
func touching(spans []span, width int64) []stay {
	return lists.Map(spans, func(s span) stay { return stay{s.from - width + 1, s.to, s.cost} })
}

// insideCalendar returns the calendar windows that certainly hold the spans: window
// k begins at k windows after the phase.
func insideCalendar(spans []span, width int64, p Phase) []stay {
	var stays []stay
	for _, s := range spans {
		k := integers.FloorDiv(s.from-p.LatestNs, width)
		if s.to < p.EarliestNs+(k+1)*width {
			stays = append(stays, stay{k, k, s.cost})
		}
	}
	return stays
}

// touchingCalendar returns the calendar windows that possibly hold the spans.
func touchingCalendar(spans []span, width int64, p Phase) []stay {
	return lists.Map(spans, func(s span) stay {
		return stay{integers.FloorDiv(s.from-p.LatestNs, width), integers.FloorDiv(s.to-p.EarliestNs, width), s.cost}
	})
}

// byWindow returns the cost of the stays in each window that one of them begins in.
func byWindow(stays []stay) map[int64]int64 {
	cost := map[int64]int64{}
	for _, s := range stays {
		cost[s.first] += s.cost
	}
	return cost
}
