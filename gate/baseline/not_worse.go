package baseline

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/gate"
	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/stats"
)

// margin is by how much a figure may be worse than the baseline, for a cell that is
// to be proven not worse instead of tested for a change.
type margin struct {
	Effect
	line, col int // of the expectation that states it; 0 if the command line does
}

// margins returns the margins of the expectations of a document, by row and metric.
func margins(now *results.Document) map[Row]map[string]margin {
	list := map[Row]map[string]margin{}
	for _, s := range now.Scenarios {
		for _, e := range s.Expectations {
			if e.Op != gate.NotWorse {
				continue
			}
			at := gate.RowOf(now, s.Name, e.Algorithm)
			if at < 0 {
				continue
			}
			row := rowOf(now.Results[at])
			if list[row] == nil {
				list[row] = map[string]margin{}
			}
			m := margin{Effect{Absolute: e.Threshold}, e.Line, e.Col}
			if e.Relative {
				m.Effect = Effect{Relative: e.Threshold / 100}
			}
			list[row][e.Metric] = m
		}
	}
	return list
}

// judgeNotWorse sets the status of the cells that have a margin. Passed is proof:
// the whole 95 % interval of the change lies inside the margin. Failed is proof of the
// opposite. Otherwise the replications do not suffice, and the cell is unevaluated.
// A cell passes although the figure is worse by more than the margin with a
// probability of at most 2.5 %. No correction for several cells is needed, because
// the gate passes only if all of them do.
//
// Source: Schuirmann, "A comparison of the two one-sided tests procedure and the
// power approach", Journal of Pharmacokinetics and Biopharmaceutics 15 (1987).
func judgeNotWorse(cells []Cell) {
	for i := range cells {
		c := &cells[i]
		if c.margin == nil || c.change == nil || c.Reason != "" {
			continue
		}
		allowed := c.margin.of(c.change.Base) * (1 + 1e-9)
		best, worst := c.worsening()
		switch {
		case worst <= allowed:
			c.Status = gate.Passed
			if c.change.Same {
				c.Status = gate.Unchanged
			}
		case best > allowed:
			c.Status = gate.Failed
		case c.change.Method == stats.Deterministic:
			c.Status = gate.Failed
		default:
			c.Needed = c.replicationsToProve(allowed)
			c.Reason = fmt.Sprintf("not shown to be not worse by more than %s: by the 95 %% interval it may be worse by %s",
				format.Number(c.margin.of(c.change.Base)), shownBound(worst))
			if c.Needed > 0 {
				c.Reason += fmt.Sprintf("; if nothing changed, %d replications suffice", c.Needed)
			}
		}
	}
}

// worsening returns the bounds of the change in the bad direction, by its 95 %
// interval.
func (c *Cell) worsening() (best, worst float64) {
	lo, hi := c.change.Interval.Lo(), c.change.Interval.Hi()
	switch c.Metric.Better {
	case -1:
		return lo, hi
	case 1:
		return -hi, -lo
	}
	if lo <= 0 && hi >= 0 {
		return 0, max(-lo, hi)
	}
	return min(math.Abs(lo), math.Abs(hi)), max(math.Abs(lo), math.Abs(hi))
}

// replicationsToProve returns with how many replications the interval of a figure
// that did not change lies inside the margin with a probability of 80 %, 0 if there
// is no such number.
func (c *Cell) replicationsToProve(allowed float64) int {
	noise := c.spread()
	if noise.SD == 0 || allowed <= 0 || c.change.Runs() < 2 {
		return 0
	}
	for n := c.change.Runs() + 1; n < mostReplications; n += max(1, n/50) {
		perRun, df := 1/math.Sqrt(float64(n)), n-1
		if c.change.Method == stats.Independent {
			perRun, df = math.Sqrt(2/float64(n)), 2*n-2
		}
		if (stats.T975(df)+stats.TQuantile(0.2, df))*noise.SD*perRun <= allowed {
			return n
		}
	}
	return 0
}

func shownBound(x float64) string {
	if math.IsInf(x, 1) {
		return "any amount"
	}
	return format.Number(x)
}
