package sweep

import "github.com/limitgauge/limitgauge/scenarios"

// axis is an axis of one or more scenarios with what declarations say of its values.
type axis struct {
	cells, idle map[string]int // by value: cells, and those where it has no effect
	first       scenarios.Cell // where a value has none
	number      int            // of the axis in this cell
	conditions  string
}

// see records where the values of a cell have no effect.
func (c *checks) see(cell scenarios.Cell, bound *scenarios.File) {
	without := cell.Without(bound)
	c.mu.Lock()
	defer c.mu.Unlock()
	for j, text := range cell.Values() {
		of := cell.Scenario.Axes[j]
		a := c.axes[of.Name+"="+of.Of]
		if a == nil {
			a = &axis{cells: map[string]int{}, idle: map[string]int{}}
			c.axes[of.Name+"="+of.Of] = a
		}
		a.cells[text]++
		if without[j] == "" {
			continue
		}
		a.idle[text]++
		if a.conditions == "" || cell.Number < a.first.Number {
			a.first, a.number, a.conditions = cell, j, without[j]
		}
	}
}

// idle adds a problem for each axis that has no effect in any cell. One value may be the
// default, of which declarations say nothing.
func (c *checks) idle(g *scenarios.Grid) {
	for _, a := range c.axes {
		effective := false
		for text, n := range a.idle {
			effective = effective || n < a.cells[text]
		}
		if len(a.cells) > 1 && len(a.idle) > 0 && len(a.idle) >= len(a.cells)-1 && !effective {
			c.add(g.Idle(a.first, a.number, a.conditions), a.first.Number)
		}
	}
}
