package bounds

// gaps is the cheapest cost up to a gap, for each interval that may be the last one
// before it. Place 0 is of no interval, place i+1 of one that ends at times[i]. A
// place counts the requests that enter after it was put in, and those before that
// leave later than its interval ends.
//
// What is counted at a place is counted at all earlier ones. So a place is never the
// cheapest again once a later one is as cheap, and is dropped. The costs of the places
// that are kept rise from each to the next, and rises has by how much.
type gaps struct {
	times []int64
	rest  []moment // that have not entered

	before      []int   // of a kept place, the kept one before it, or -1
	later       []int   // of a dropped place, one after it that is kept, perhaps by way of others
	rises       []int64 // of a kept place, above the one before it
	first, last int     // of the kept places
	low, high   int64   // their costs
	leaving     []int64 // cost that does not count at a place and after it, of places that are not put in yet
	pending     int64   // cost that counts at the next place
	bare        []int64 // the cost of each place as it was put in
	end         int     // the first of the times that is not before the end of the last gap
}

func newGaps(times []int64, moments []moment) *gaps {
	n := len(times) + 2
	g := &gaps{
		times: times, rest: moments, before: make([]int, 1, n), later: make([]int, 1, n),
		rises: make([]int64, 1, n), leaving: make([]int64, n), bare: make([]int64, 1, n),
	}
	g.before[0] = -1
	return g
}

// least returns the least cost of a place if the gap goes up to end, which is not
// before that of the last call. Nothing counts in the gap if an interval ends just there.
func (g *gaps) least(end int64) int64 {
	for g.end < len(g.times) && g.times[g.end] < end {
		g.end++
	}
	if g.end+1 < len(g.bare) && g.times[g.end] == end {
		return min(g.low, g.bare[g.end+1])
	}
	return g.low
}

// enter counts the requests that enter at end or before.
func (g *gaps) enter(end int64) {
	for ; len(g.rest) > 0 && g.rest[0].enters <= end; g.rest = g.rest[1:] {
		m := g.rest[0]
		g.addBefore(1+after(g.times, m.leaves-1), m.cost)
	}
}

// reach adds the least costs up to the edges until t to those of the edges before.
func (g *gaps) reach(t int64, edges, costs []int64) []int64 {
	for ; len(costs) < len(edges) && edges[len(costs)] <= t; costs = append(costs, g.least(edges[len(costs)]-1)) {
		g.enter(edges[len(costs)] - 1)
	}
	return costs
}

// put puts in the next place at a cost, on top of what counts there already.
func (g *gaps) put(cost int64) {
	place := len(g.before)
	g.bare = append(g.bare, cost)
	g.pending -= g.leaving[place]
	cost += g.pending
	for g.last >= 0 && g.high >= cost {
		g.later[g.last] = place
		g.high -= g.rises[g.last]
		g.last = g.before[g.last]
	}
	if g.last < 0 {
		g.first, g.low, g.high = place, cost, cost
	}
	g.before = append(g.before, g.last)
	g.later = append(g.later, place)
	g.rises = append(g.rises, cost-g.high)
	g.last, g.high = place, cost
}

// addBefore adds a cost to all places before end.
func (g *gaps) addBefore(end int, cost int64) {
	if end > len(g.before) {
		g.leaving[end] += cost
		g.pending += cost
	}
	if g.first >= end {
		return
	}
	g.low += cost
	if g.last < end {
		g.high += cost
		return
	}
	x := g.kept(end)
	g.rises[x] -= cost
	for g.rises[x] <= 0 {
		y := g.before[x]
		g.later[y] = x
		g.before[x] = g.before[y]
		if y == g.first {
			g.first = x
			g.low += g.rises[x]
			g.rises[x] = 0
			return
		}
		g.rises[x] += g.rises[y]
	}
}

// kept returns the first place from this one on that is kept.
func (g *gaps) kept(place int) int {
	for g.later[place] != place {
		g.later[place] = g.later[g.later[place]]
		place = g.later[place]
	}
	return place
}
