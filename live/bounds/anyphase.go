package bounds

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// ofAnyPhase returns what the busiest calendar window certainly holds whatever the
// phase of the calendar is, from the sliding windows that certainly hold each span:
// the least, over all phases, of the busiest window of that phase.
func ofAnyPhase(stays []stay, width int64) Amount {
	// A turn is a phase from which on a window holds more or less.
	type turn struct{ phase, window, cost int64 }
	var turns []turn
	var windows []int64
	for _, s := range stays {
		for first := s.first; first <= s.last; {
			k := integers.FloorDiv(first, width)
			last := min(s.last, (k+1)*width-1)
			turns = append(turns, turn{first - k*width, k, s.cost}, turn{last + 1 - k*width, k, -s.cost})
			windows = append(windows, k)
			first = last + 1
		}
	}
	slices.Sort(windows)
	windows = slices.Compact(windows)
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Compare(a.phase, b.phase) })
	costs := make([]int64, len(windows))
	t := newTree(len(windows)) // of costs, negated
	if len(turns) == 0 || turns[0].phase > 0 {
		return Amount{} // at phase 0 no window holds anything
	}
	phase, least := int64(0), unset
	for i, x := range turns {
		place := after(windows, x.window) - 1
		costs[place] += x.cost
		t.set(place, -costs[place])
		if x.phase == width || i+1 < len(turns) && turns[i+1].phase == x.phase {
			continue
		}
		if most := -t.least(); most < least {
			phase, least = x.phase, most
		}
	}
	var of []stay
	for _, s := range stays {
		if k := integers.FloorDiv(s.last-phase, width); phase+k*width >= s.first {
			of = append(of, stay{k, k, s.cost})
		}
	}
	return busiest(of)
}
