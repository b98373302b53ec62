package baseline

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/gate"
)

// family is a set of cells that one joint test judges, with that test's outcome.
type family struct {
	cells []*Cell
	level float64 // of the joint test: a cell is significant if its p-value is at most that
	joint stats.Joint
}

// judge sets the status of every cell that was compared.
func judge(cells []Cell) {
	for _, f := range families(cells) {
		f.test()
		for i, c := range f.cells {
			c.critical, c.level, c.jointly = f.joint.Critical(i, f.level), f.level, len(f.cells) > 1
			c.usual = c.critical
			if f.independent() {
				c.usual = f.joint.Critical(i, f.level/unluckyBaselines)
			}
			p := f.joint.Up[i]
			if !c.worse() {
				p = f.joint.Down[i]
			}
			p = min(1, p*Alpha/f.level)
			c.P = &p
		}
	}
	for i := range cells {
		if c := &cells[i]; c.change != nil && c.margin == nil && c.Reason == "" {
			c.decide()
		}
	}
}

// families divides the random cells that have enough replications into the sets
// that can be tested jointly: all pairs, and independent runs by their numbers of
// replications. It divides Alpha among them by their sizes, so that the chance of a
// false alarm is Alpha for the whole gate. It sets the Reason of the other cells.
func families(cells []Cell) []*family {
	var byRuns groups.Groups[[2]int, *Cell]
	random := 0.0
	for i := range cells {
		c := &cells[i]
		if c.change == nil || c.margin != nil || c.change.Method == stats.Deterministic {
			continue
		}
		if needed := c.replicationsNeeded(); c.change.Runs() < needed {
			c.Needed = needed
			c.Reason = fmt.Sprintf("too few replications: %s, need %d before any change could be told from chance", replications(*c.change), needed)
			continue
		}
		runs := [2]int{} // of pairs
		if c.change.Method == stats.Independent {
			runs = c.change.N
		}
		byRuns.Add(runs, c)
		random++
	}
	return lists.Map(byRuns.Keys, func(runs [2]int) *family {
		f := &family{cells: byRuns.Of[runs]}
		f.level = Alpha * float64(len(f.cells)) / random
		if f.independent() {
			f.level *= unluckyBaselines
		}
		return f
	})
}

func (f *family) independent() bool { return f.cells[0].change.Method == stats.Independent }

// test runs the joint test. It looks for changes for the worse.
func (f *family) test() {
	if f.independent() {
		figures := lists.Map(f.cells, func(c *Cell) stats.Samples {
			return stats.Samples{Base: c.oriented(c.base.Values), Now: c.oriented(c.now.Values), TwoSided: c.twoSided()}
		})
		f.joint = stats.JointLabels(figures)
		return
	}
	figures := lists.Map(f.cells, func(c *Cell) stats.Figure {
		return stats.Figure{Differences: c.oriented(c.change.Differences), TwoSided: c.twoSided()}
	})
	f.joint = stats.JointSignFlip(figures)
}

// decide sets the status of a cell whose p-value is known.
func (c *Cell) decide() {
	c.Status = gate.Passed
	if c.change.Same {
		c.Status = gate.Unchanged
	}
	if !c.Effect.reached(c.change.Interval.Mean, c.change.Base) || c.P != nil && *c.P > Alpha {
		return
	}
	if c.Status = gate.Improved; c.worse() {
		c.Status = gate.Failed
	}
}

// replicationsNeeded returns the number of replications below which no change of
// the cell could be significant, whatever the other cells do.
func (c *Cell) replicationsNeeded() int {
	if c.change.Method == stats.Independent {
		return stats.RunsNeeded(Alpha*unluckyBaselines, c.twoSided())
	}
	return stats.PairsNeeded(Alpha, c.twoSided())
}

// leastChanged returns in how many replications the figure must change for the test to
// find a change if the others do not differ, 0 if it is compared directly.
func (c *Cell) leastChanged() int {
	switch c.change.Method {
	case stats.Deterministic:
		return 0
	case stats.Independent:
		return stats.RunsChanged(c.change.N[0], c.change.N[1], c.level, c.twoSided())
	}
	return stats.PairsNeeded(c.level, c.twoSided())
}

// oriented returns values so that larger is worse.
func (c *Cell) oriented(values []float64) []float64 {
	if c.Metric.Better <= 0 {
		return values
	}
	return lists.Map(values, func(x float64) float64 { return -x })
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

// bound says how large the change is at least, by the test that its p-value belongs to:
// the bound excludes 0 if and only if the test finds a change. It returns "" if the figure
// does not vary or no change could be significant.
func (c *Cell) bound() string {
	noise := c.spread()
	half := c.critical * noise.SD * noise.PerRun
	if half == 0 || math.IsInf(half, 0) || math.IsNaN(half) || c.P == nil {
		return ""
	}
	sides, jointly := "one-sided", ""
	if c.twoSided() {
		sides = "two-sided"
	}
	if c.jointly {
		jointly = ", jointly"
	}
	kind := fmt.Sprintf("%s %s %% bound%s", sides, format.Number(100*(1-c.level)), jointly)
	moved := c.change.Interval.Mean
	size := math.Abs(moved) - half
	if chance := *c.P > Alpha; chance == (size > 0) || math.Abs(size) < 1e-9*half {
		size = 0 // sums are rounded, and equal patterns tie
	}
	least := "at least " + format.Number(size)
	if size == 0 {
		least = "more than 0"
	}
	switch {
	case *c.P > Alpha:
		return fmt.Sprintf("which may be chance (%s: %s)", kind, format.Signed(math.Copysign(1, moved)*size))
	case c.twoSided():
		return fmt.Sprintf("a change of %s (%s)", least, kind)
	case c.worse():
		return fmt.Sprintf("%s worse (%s)", least, kind)
	}
	return fmt.Sprintf("%s better (%s)", least, kind)
}
