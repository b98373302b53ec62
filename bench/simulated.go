package main

import "strings"

// row is one of limitgauge's own simulations.
type row struct {
	group string
	contestant
}

func (r row) String() string { return r.group + ": " + r.name }

// simulated returns limitgauge's own simulations of the groups whose names contain a
// word.
func simulated(groups []group, only string) (rows []row) {
	for _, g := range groups {
		for _, c := range g.contestants {
			if c.scenario != "" && strings.Contains(g.name, only) {
				rows = append(rows, row{g.name, c})
			}
		}
	}
	return rows
}

// central returns the simulation that others are multiples of: it needs no memory beyond the first
// caches, so that neighbours on the machine change it little.
func central() contestant {
	return engine("limitgauge, metric set basic", centralText("basic", onePolicy, "key: k"))
}
