package measure

import (
	"math"
	"slices"
)

// demandGroup is the number of flows with the same demand.
type demandGroup struct{ demand, flows int64 }

// demandGroups groups flows by their demand. It reuses its memory.
type demandGroups struct {
	groups []demandGroup // in increasing order of demand
	flows  int64         // in all of them
	count  []int64       // number of flows by demand, for small demands
	sorted []int64       // larger demands
}

// set groups the demands that are above 0. Most of a million tenants have small
// demands; these are counted instead of sorted, in a tenth of the time and a
// fraction of the memory.
func (g *demandGroups) set(demands []int64) {
	g.flows = 0
	for _, d := range demands {
		if d > 0 {
			g.flows++
		}
	}
	little := g.flows / 16
	g.count = slices.Grow(g.count[:0], int(little)+1)[:little+1]
	clear(g.count)
	g.sorted = g.sorted[:0]
	for _, d := range demands {
		if d > little {
			g.sorted = append(g.sorted, d)
		} else {
			g.count[d]++
		}
	}
	slices.Sort(g.sorted)
	g.groups = g.groups[:0]
	for d, flows := range g.count[1:] {
		if flows > 0 {
			g.groups = append(g.groups, demandGroup{int64(d) + 1, flows})
		}
	}
	for _, d := range g.sorted {
		if n := len(g.groups); n > 0 && g.groups[n-1].demand == d {
			g.groups[n-1].flows++
		} else {
			g.groups = append(g.groups, demandGroup{d, 1})
		}
	}
}

// fairLevel is a max-min fair division: demand d gets min(d, num/den). The zero fairLevel
// meets no demand.
type fairLevel struct {
	num, den int64
	met      int64   // the largest demand that is met
	share    float64 // of larger ones
}

// allMet is the level at which all demands are met.
var allMet = fairLevel{met: math.MaxInt64}

func newFairLevel(num, den int64) fairLevel {
	return fairLevel{num, den, num / den, ratio(1, num, den)}
}

// level returns the division of total among the flows.
func (g *demandGroups) level(total int64) fairLevel {
	left := g.flows
	for _, group := range g.groups {
		if group.demand > total/left {
			return newFairLevel(total, left)
		}
		total -= group.demand * group.flows
		left -= group.flows
	}
	return allMet
}

// of returns the fair share of a demand.
func (l *fairLevel) of(demand int64) float64 {
	if demand <= l.met {
		return float64(demand)
	}
	return l.share
}

// ratio returns admitted over the fair share of demand: x_g in the definition of fairness.
func (l *fairLevel) ratio(admitted, demand int64) float64 {
	if demand <= l.met {
		return ratio(1, admitted, demand)
	}
	return ratio(l.den, admitted, l.num)
}

// evenness accumulates Jain's index and the extremes of x over flows.
type evenness struct {
	n            int64
	sum, squares float64
	low, high    float64
}

func (e *evenness) add(x float64) {
	if e.n == 0 {
		e.low, e.high = x, x
	}
	e.n++
	e.sum += x
	e.squares += float64(x * x) // the conversion keeps arm64 from fusing the operations
	e.low, e.high = min(e.low, x), max(e.high, x)
}

// jain returns (sum x)^2 / (n * sum x^2): 1 if all x are equal, 1/n if one flow
// has everything.
func (e *evenness) jain() float64 {
	if e.squares == 0 {
		return 0
	}
	return float64(e.sum*e.sum) / float64(float64(e.n)*e.squares)
}
