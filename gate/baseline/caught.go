package baseline

import (
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/gate"
	"github.com/limitgauge/limitgauge/stats"
)

// Caught states which changes of a figure for the worse a gate catches, in the
// figure's unit: the smallest ones that make it fail with a probability of at least
// 80 % and 99 %. They are +Inf if no change does.
//
// They hold for a change of the program that also changes its random draws. The
// noise is that of the differences at hand. If no difference is at hand, because
// nothing changed, it is at most that of two independent runs, and the probabilities
// are at least the stated ones.
type Caught struct {
	P80, P99 float64
	AtLeast  bool // the noise is an upper bound
}

// noise returns how much the figure's change varies by chance, as its replications
// show. ok is false if they show nothing: no difference is at hand.
func (c *Cell) noise() (noise stats.Noise, ok bool) {
	switch {
	case c.change == nil || c.change.Method == stats.Deterministic:
		return stats.Noise{}, false
	case c.change.Method == stats.Independent:
		x, y := c.change.N[0], c.change.N[1]
		squares := float64(x-1)*square(stats.SD(c.base.Values)) + float64(y-1)*square(stats.SD(c.now.Values))
		return stats.Noise{
			SD: math.Sqrt(squares / float64(x+y-2)), DF: x + y - 2, PerRun: math.Sqrt(1/float64(x) + 1/float64(y)),
		}, true
	case c.change.Same:
		return stats.Noise{}, false
	}
	return stats.PairNoise(stats.SD(c.change.Differences), len(c.change.Differences)), true
}

func square(x float64) float64 { return x * x }

// MeasurePower sets Caught of the cells with these numbers that were judged; of all
// without a number. Verdicts calls it; it is the slow part of a comparison.
func (c Comparison) MeasurePower(cells ...int) {
	planned := planningNoise(c.Cells)
	if len(cells) == 0 {
		cells = make([]int, len(c.Cells))
		for i := range cells {
			cells[i] = i
		}
	}
	for _, i := range cells {
		c := &c.Cells[i]
		if c.change == nil || c.margin != nil || c.Reason != "" || c.Caught != nil {
			continue
		}
		noise, shown := c.noise()
		critical := c.critical
		if !shown && c.change.Method != stats.Deterministic {
			noise, critical = stats.PairNoise(math.Sqrt2*stats.SD(c.base.Values), c.change.Runs()), planned
		}
		c.rule = stats.Rule{Effect: c.Effect.of(c.change.Base), Critical: critical, DF: max(1, noise.DF)}
		c.planned = noise
		c.Caught = &Caught{c.smallest(0.8), c.smallest(0.99), !shown && noise.SD > 0}
	}
}

// smallest returns the smallest change that is caught with a probability of power,
// rounded up to three digits.
func (c *Cell) smallest(power float64) float64 {
	return roundUp(c.rule.Caught(c.planned, power))
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

// planningNoise returns the critical t of a gate in which every figure changes by
// chance: that of the deviations of the baseline's figures from their means, which
// depend on one another as the changes would.
func planningNoise(cells []Cell) float64 {
	var figures []stats.Figure
	for i := range cells {
		c := &cells[i]
		if c.change == nil || c.margin != nil || c.Reason != "" || c.change.Method != stats.Paired {
			continue
		}
		values := c.base.Values[:c.change.Runs()]
		mean := stats.Mean(values)
		deviations := make([]float64, len(values))
		for i, x := range values {
			deviations[i] = x - mean
		}
		figures = append(figures, stats.Figure{Differences: deviations, TwoSided: c.twoSided()})
	}
	return stats.JointSignFlip(figures, Alpha).Critical
}

// Power is what a user asks of a gate: to catch a change of For with a probability
// of at least Probability. The zero value asks for nothing.
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
		goal := asked.For.For(c.Metric).of(c.change.Base)
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
	level := stats.TAbove(c.rule.Critical, c.rule.DF)
	independent := c.change.Method == stats.Independent
	suffices := func(n int) bool {
		noise, df := stats.PairNoise(c.planned.SD, n), n-1
		if independent {
			noise.PerRun, df = math.Sqrt(2/float64(n)), 2*n-2
		}
		noise.DF = c.planned.DF
		rule := stats.Rule{Effect: c.rule.Effect, Critical: stats.TQuantile(level, df), DF: df}
		return rule.Caught(noise, power) <= goal
	}
	lo := c.change.Runs() // does not suffice
	if goal <= c.rule.Effect || math.IsInf(c.rule.Critical, 1) {
		return 0
	}
	hi := 2 * lo
	for !suffices(hi) {
		if lo, hi = hi, 2*hi; hi > mostReplications {
			return 0
		}
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

// roundUp rounds a positive number up to three significant digits.
func roundUp(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) {
		return x
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-2)
	return math.Ceil(x/unit-1e-9) * unit
}

// shown formats a change that may be infinite.
func shown(x float64) string {
	if math.IsInf(x, 1) {
		return "any size never"
	}
	return format.Number(x)
}
