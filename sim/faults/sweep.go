package faults

import (
	"cmp"
	"slices"
)

// sweep splits time at every change and computes the state between two changes.
func (c *compiler) sweep() {
	t := c.timeline
	slices.Sort(c.instants)
	t.begins = slices.Compact(c.instants)
	slices.SortStableFunc(t.restarts, func(a, b Restart) int { return cmp.Compare(a.At, b.At) })
	slices.SortStableFunc(t.moves, func(a, b move) int { return cmp.Compare(a.at, b.at) })
	slices.SortStableFunc(t.spans, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	t.numberServers(c.world.Servers)
	slices.Sort(t.saves)
	t.saves = slices.Compact(t.saves)

	byBegin := make([]int, len(c.effects))
	for i := range byBegin {
		byBegin[i] = i
	}
	slices.SortStableFunc(byBegin, func(a, b int) int { return cmp.Compare(c.effects[a].from, c.effects[b].from) })
	var inForce []int // indexes of effects, in the order of the scenario's list
	for _, begin := range t.begins {
		inForce = slices.DeleteFunc(inForce, func(i int) bool { return c.effects[i].to <= begin })
		for len(byBegin) > 0 && c.effects[byBegin[0]].from <= begin {
			inForce = append(inForce, byBegin[0])
			byBegin = byBegin[1:]
		}
		slices.Sort(inForce)
		s := healthy
		for _, i := range inForce {
			c.effects[i].on(&s)
		}
		t.states = append(t.states, s)
	}
}
