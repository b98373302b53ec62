package baseline

import (
	"fmt"

	"github.com/limitgauge/limitgauge/gate"
	"github.com/limitgauge/limitgauge/stats"
)

// direction is one of the two tests over all cells: whether figures got worse, or
// whether they got better. Each is its own family, so that the chance of a false
// alarm is alpha for the whole gate.
type direction struct {
	worse  bool
	family stats.Family
	tested int         // cells in the family that moved at all
	at     map[int]int // cell to its place in the family
}

// judge sets the status of every cell that was compared.
func judge(cells []Cell) {
	worse, better := gather(cells, true), gather(cells, false)
	for i := range cells {
		c := &cells[i]
		if c.change == nil {
			continue
		}
		if needed := c.change.Needed(Alpha, 1, c.twoSided()); !c.change.Enough(Alpha, c.twoSided()) {
			c.Needed = needed
			c.Reason = tooFew(*c.change, needed, "any change could be told from chance")
			continue
		}
		if c.worse() {
			c.decide(i, worse, gate.Failed)
		} else {
			c.decide(i, better, gate.Improved)
		}
	}
}

// gather corrects the p-values of all cells for one direction.
func gather(cells []Cell, worse bool) direction {
	d := direction{worse: worse, at: map[int]int{}}
	var p, least []float64
	for i := range cells {
		c := &cells[i]
		if c.change == nil || c.change.Method == stats.Deterministic || !c.change.Enough(Alpha, c.twoSided()) {
			continue
		}
		d.at[i] = len(p)
		p = append(p, c.p(worse))
		one := c.change.Test.Least
		if c.twoSided() {
			one = min(1, 2*one)
		}
		if one < 1 {
			d.tested++
		}
		least = append(least, one)
	}
	d.family = stats.Correct(p, least, Alpha)
	return d
}

// decide sets the status of cell i, which changed in direction d. Beyond is the
// status of a change that counts and is significant.
func (c *Cell) decide(i int, d direction, beyond gate.Status) {
	moved, base := c.change.Interval.Mean, c.change.Base
	counts := c.Effect.reached(moved, base)
	c.Status = gate.Passed
	if c.change.Same {
		c.Status = gate.Unchanged
	}
	if c.change.Method == stats.Deterministic {
		if counts {
			c.Status = beyond
		}
		return
	}
	at := d.at[i]
	c.P = &d.family.Corrected[at]
	if !counts {
		return
	}
	if d.family.Able[at] {
		if *c.P <= Alpha {
			c.Status = beyond
		}
		return
	}
	if beyond == gate.Failed {
		c.Status, c.P = gate.Unevaluated, nil
		c.Needed = c.change.Needed(Alpha, d.tested, c.twoSided())
		c.Reason = tooFew(*c.change, c.Needed, fmt.Sprintf("a change for the worse could be told from chance among %d figures that changed", d.tested))
	}
}

// worse reports whether the metric got worse. If the metric has no better
// direction, any change counts as worse.
func (c *Cell) worse() bool {
	moved := c.change.Interval.Mean
	switch c.Metric.Better {
	case -1:
		return moved > 0
	case 1:
		return moved < 0
	}
	return moved != 0
}

func (c *Cell) twoSided() bool { return c.Metric.Better == 0 }

// p returns the p-value of a change in one direction: worse or better.
func (c *Cell) p(worse bool) float64 {
	switch {
	case c.Metric.Better == 0:
		return c.change.Test.Either
	case (c.Metric.Better < 0) == worse:
		return c.change.Test.Up
	}
	return c.change.Test.Down
}

func tooFew(c stats.Change, needed int, before string) string {
	have := replications(c)
	if needed == 0 {
		return fmt.Sprintf("too many figures at once: no number of replications (here %s) is enough before %s; gate fewer metrics", have, before)
	}
	return fmt.Sprintf("too few replications: %s, need %d before %s", have, needed, before)
}
