package bounds

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// places lists the windows of a key in which something begins or ends, in order.
// Before a gap in the list, and after it, there is a window without either.
type places struct {
	windows []int64
	dense   bool // whether there is no gap
}

// placesOf returns the places of a flow. The last one is the window after the span,
// which stands for everything after it.
func (c *scope) placesOf(f flow) places {
	windows := []int64{c.lastMost, c.lastMost + 1}
	add := func(k int64) {
		if n := len(windows); windows[n-1] != k {
			windows = append(windows, k)
		}
	}
	for _, spans := range [][]span{f.sent, f.decided, f.admitted, f.failed} {
		for _, s := range spans {
			t := c.touched(s)
			add(t.first)
			add(t.last)
		}
	}
	slices.Sort(windows)
	windows = slices.Compact(windows)
	p := places{dense: true}
	for i, k := range windows {
		if i > 0 && windows[i-1] < k-1 {
			p.windows = append(p.windows, k-1)
			p.dense = p.dense && windows[i-1] == k-2
		}
		p.windows = append(p.windows, k)
	}
	return p
}

// touched returns the windows that a span possibly is in.
func (c *scope) touched(s span) stay {
	width := c.s.Limit.Window
	after := c.lastMost + 1
	return stay{
		min(after, integers.FloorDiv(s.from-c.phase.LatestNs, width)),
		min(after, integers.FloorDiv(s.to-c.phase.EarliestNs, width)),
		s.cost,
	}
}

// of returns the place of a listed window.
func (p *places) of(window int64) int {
	if p.dense {
		return int(window - p.windows[0])
	}
	return after(p.windows, window) - 1
}

// loads is the cost in the windows of a key. Most requests are certainly in one
// window, or in one of two that follow each other.
type loads struct {
	sure  []int64 // by place, cost that is certainly in the window
	next  []int64 // by place, cost that is in the window or in the one after it
	touch []int64 // by place, the largest cost of both kinds
	all   []int64 // by place, the largest cost with what is loose
	loose int64   // cost that may be in more windows, or in none
}

// loadsOf returns the loads by requests that are each in one window, and of those
// that may be in none.
func (c *scope) loadsOf(p *places, certain, possible []span) *loads {
	n := len(p.windows)
	h := &loads{sure: make([]int64, n), next: make([]int64, n), touch: make([]int64, n), all: make([]int64, n+1)}
	loosen := func(t stay) {
		h.loose += t.cost
		h.all[p.of(t.first)] += t.cost
		h.all[p.of(t.last)+1] -= t.cost
	}
	for _, s := range certain {
		switch t := c.touched(s); t.last - t.first {
		case 0:
			h.sure[p.of(t.first)] += t.cost
		case 1:
			h.next[p.of(t.first)] += t.cost
		default:
			loosen(t)
		}
	}
	for _, s := range possible {
		loosen(c.touched(s))
	}
	for i := range n {
		h.touch[i] = h.sure[i] + h.next[i]
		h.all[i+1] += h.all[i]
		if i > 0 {
			h.touch[i] += h.next[i-1]
		}
	}
	h.all = h.all[:n]
	for i := range n {
		h.all[i] += h.touch[i]
	}
	return h
}

// most returns the largest sum of a convex function of the cost in each window,
// without what is loose. The sum is convex in how each cost of two windows is divided,
// so it is largest if all of it is in one of them.
func (h *loads) most(of func(place int, cost int64) int64) int64 {
	stayed, moved := int64(0), -unset // the largest sums so far, by where the cost of two windows went
	var carried int64
	for i, sure := range h.sure {
		at := func(cost int64) int64 { return max(stayed+of(i, cost), moved+of(i, cost+carried)) }
		stayed, moved = at(sure+h.next[i]), at(sure)
		carried = h.next[i]
	}
	return stayed // nothing is next after the last window
}

// fill divides each cost of two windows such that as little as possible is beyond
// the room of windows. It returns that, and how much room is left. Filling the earlier
// window first is best.
func (h *loads) fill(room func(place int) int64) (beyond, left int64) {
	var carried int64
	for i, sure := range h.sure {
		free := room(i) - sure - carried
		beyond += max(0, -free)
		free = max(0, free)
		stays := min(free, h.next[i])
		left += free - stays
		carried = h.next[i] - stays
	}
	return beyond, left
}

// sum adds up a function of the places.
func (p *places) sum(of func(place int) int64) (sum int64) {
	for i := range p.windows {
		sum += of(i)
	}
	return sum
}
