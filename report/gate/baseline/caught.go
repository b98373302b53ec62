package baseline

import (
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/stats"
)

// Caught states which changes of a figure for the worse a gate catches, in the
// figure's unit: the smallest ones that make it fail with a probability of at least
// 80 % and 99 %. They are +Inf if no change does.
//
// They hold for a change of the program that also changes its random draws. The
// noise is that of the differences at hand. If the figure is equal in some
// replications, the differences do not show it; it is then at most that of two
// independent runs, and the probabilities are at least the stated ones.
type Caught struct {
	P80, P99 float64
	AtLeast  bool // the noise is an upper bound
}

// spread returns how much the figure's change varies by chance, as its replications
// show. It is zero if they do not vary at all.
func (c *Cell) spread() stats.Noise {
	if c.change.Method == stats.Independent {
		x, y := c.change.N[0], c.change.N[1]
		squares := float64(x-1)*square(stats.SD(c.base.Values)) + float64(y-1)*square(stats.SD(c.now.Values))
		return stats.Noise{
			SD: math.Sqrt(squares / float64(x+y-2)), DF: x + y - 2, PerRun: math.Sqrt(1/float64(x) + 1/float64(y)),
		}
	}
	return stats.PairNoise(stats.SD(c.change.Differences), len(c.change.Differences))
}

// noise returns the noise of the figure's change, and whether its replications show
// it. They do not if the figure is equal in some of them: then it is that of two
// independent runs.
func (c *Cell) noise() (noise stats.Noise, shown bool) {
	switch {
	case c.change.Method == stats.Deterministic:
		return stats.Noise{}, true
	case c.change.Method == stats.Paired && slices.Contains(c.change.Differences, 0):
		return stats.PairNoise(math.Sqrt2*stats.SD(c.base.Values), c.change.Runs()), false
	}
	return c.spread(), true
}

func square(x float64) float64 { return x * x }

// MeasurePower sets Caught of the cells with these numbers that were judged; of all
// without a number. Verdicts calls it; it is the slow part of a comparison.
func (c Comparison) MeasurePower(cells ...int) {
	planned := planningTest(c.Cells)
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
		if !shown {
			critical = planned[c]
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

// planningTest returns the critical t of each cell in a gate in which every figure changes
// by chance: that of the deviations of the baseline's figures from their means, which
// depend on one another as the changes would.
func planningTest(cells []Cell) map[*Cell]float64 {
	var figures []stats.Figure
	var tested []*Cell
	for i := range cells {
		c := &cells[i]
		if c.change == nil || c.margin != nil || c.Reason != "" || c.change.Method != stats.Paired {
			continue
		}
		values := c.base.Values[:c.change.Runs()]
		mean := stats.Mean(values)
		deviations := lists.Map(values, func(x float64) float64 { return x - mean })
		figures = append(figures, stats.Figure{Differences: deviations, TwoSided: c.twoSided()})
		tested = append(tested, c)
	}
	joint, critical := stats.JointSignFlip(figures), map[*Cell]float64{}
	for i, c := range tested {
		critical[c] = joint.Critical(i, Alpha)
	}
	return critical
}

// roundUp rounds a positive number up to three significant digits.
func roundUp(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) {
		return x
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-2)
	return math.Ceil(x/unit-1e-9) * unit
}
