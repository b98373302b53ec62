package baseline

import (
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/gate"
)

// Power is what a user asks of a gate: to catch a change of For with a probability
// of at least Probability. The zero value asks for nothing, and nothing is asked of a
// metric for which For states no change.
type Power struct {
	Probability float64 // 0 to 1, both excluded
	For         Effects
}

// requirePower makes cells unevaluated whose change would be caught with a lower
// probability than asked.
func requirePower(cells []Cell, asked Power) {
	for i := range cells {
		c := &cells[i]
		if c.Caught == nil || asked.Probability == 0 || c.Status == gate.Failed || c.Status == gate.Improved {
			continue
		}
		change, stated := asked.For.stated(c.Metric)
		if !stated {
			continue
		}
		goal := change.of(c.change.Base)
		smallest := c.smallest(asked.Probability)
		if smallest <= max(goal, c.rule.Effect)*(1+1e-9) {
			continue
		}
		c.Status = gate.Unevaluated
		c.Needed = c.replicationsFor(asked.Probability, goal)
		c.Reason = fmt.Sprintf("too little power: with a probability of %g %% it catches a change of %s, not of %s",
			100*asked.Probability, shown(smallest), format.Number(goal))
		if c.Needed > 0 {
			c.Reason += fmt.Sprintf("; %d replications suffice", c.Needed)
		} else {
			c.Reason += fmt.Sprintf("; no number of replications suffices, because only changes from %s on count (--min-effect): ask for an amount as well, such as --for 5%% --for 0.5", format.Number(c.rule.Effect))
		}
	}
}

// mostReplications bounds the search for a number of replications that suffices.
const mostReplications = 1 << 20

// replicationsFor returns the number of replications with which a change of goal is
// caught with a probability of power, 0 if there is none. Each figure keeps its
// level of significance.
func (c *Cell) replicationsFor(power, goal float64) int {
	if goal <= c.rule.Effect || math.IsInf(c.rule.Critical, 1) {
		return 0
	}
	level := stats.TAbove(c.rule.Critical, c.rule.DF)
	return c.fewest(func(n int) bool {
		noise, df := c.with(c.planned, n)
		rule := stats.Rule{Effect: c.rule.Effect, Critical: stats.TQuantile(level, df), DF: df}
		return rule.Catches(goal, noise, power)
	})
}

// with returns noise as it would be with n replications, and the degrees of freedom
// that a test of them has.
func (c *Cell) with(noise stats.Noise, n int) (of stats.Noise, df int) {
	if c.change.Method == stats.Independent {
		return stats.Noise{SD: noise.SD, DF: noise.DF, PerRun: math.Sqrt(2 / float64(n))}, 2*n - 2
	}
	return stats.Noise{SD: noise.SD, DF: noise.DF, PerRun: 1 / math.Sqrt(float64(n))}, n - 1
}

// fewest returns the smallest number of replications, above those at hand, that
// suffices, 0 if there is none up to mostReplications.
func (c *Cell) fewest(suffices func(n int) bool) int {
	lo, hi := c.change.Runs(), 0 // lo does not suffice
	for {
		if lo >= mostReplications {
			return 0
		}
		if hi = min(2*lo, mostReplications); suffices(hi) {
			break
		}
		lo = hi
	}
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; suffices(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// FixedBaselineCost returns how many times as large a change must be to be caught
// with 80 %, because independent runs are compared with one fixed baseline: the
// median over the figures. It is 0 if there are none.
func (c Comparison) FixedBaselineCost() float64 {
	var ratios []float64
	for _, cell := range c.Cells {
		if cell.Caught == nil || cell.change.Method != stats.Independent || cell.planned.SD == 0 || math.IsInf(cell.Caught.P80, 1) {
			continue
		}
		rule := cell.rule
		rule.Critical = cell.usual
		ratios = append(ratios, cell.rule.Caught(cell.planned, 0.8)/rule.Caught(cell.planned, 0.8))
	}
	if len(ratios) == 0 {
		return 0
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}

// shown formats a change that may be infinite.
func shown(x float64) string {
	if math.IsInf(x, 1) {
		return "any size never"
	}
	return format.Number(x)
}
