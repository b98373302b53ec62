package baseline

import (
	"fmt"
	"math"
	"strconv"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/gate"
)

// Verdicts returns the cells as verdicts of the gate. Append them to those of the
// thresholds to judge both together.
func (c Comparison) Verdicts() gate.Verdicts {
	all := gate.Verdicts{Partial: c.now.Partial, Stamp: c.now.Stamp, Metrics: c.options.Registry}
	c.MeasurePower()
	all.List = lists.Map(c.Cells, func(cell Cell) gate.Verdict {
		return cell.verdict(cell.allowed(c.options.AllowUnevaluated), gate.ScenarioFile(c.now.Stamp))
	})
	return all
}

func (c Cell) verdict(allowed bool, file string) gate.Verdict {
	v := gate.Verdict{
		Scenario: c.Scenario, Algorithm: c.Algorithm, Metric: c.Metric.Name, Status: c.Status,
		Figure: c.Now, Seed: c.Seed, File: file, Reason: c.Reason, Allowed: allowed && c.Status == gate.Unevaluated && !c.unproven(),
		Change: &gate.Change{Base: c.Base, P: c.P},
	}
	if c.Base != nil {
		v.Change.MinEffect = c.Effect.of(*c.Base)
	}
	if c.margin != nil {
		v.Line, v.Col, v.Change.NotWorse = c.margin.line, c.margin.col, c.margin.text
		if c.Base != nil {
			v.Change.Margin = &v.Change.MinEffect
		}
	}
	if c.Caught != nil {
		v.Change.Caught80, v.Change.Caught99, v.Change.AtLeast = finite(c.Caught.P80), finite(c.Caught.P99), c.Caught.AtLeast
	}
	if c.change == nil {
		return v
	}
	moved := c.change.Interval.Mean
	v.Change.Change, v.Change.Compared, v.Change.Replications = &moved, c.change.Method.String(), c.change.Runs()
	if c.Caught != nil {
		v.Change.LeastChanged = c.leastChanged()
	}
	v.Note = c.how()
	if _, worst := c.worsening(); c.margin != nil {
		v.Change.Worst = finite(worst)
	}
	return v
}

// unproven reports whether the cell could be compared, and the proof that it asks for
// is missing. Nothing excuses that.
func (c Cell) unproven() bool { return c.margin != nil && c.change != nil }

// finite returns nil for +Inf.
func finite(x float64) *float64 {
	if math.IsInf(x, 1) {
		return nil
	}
	return &x
}

// how returns how a change was judged: "paired over 10 replications, at least 0.2 worse
// (one-sided 95 % bound, jointly)".
func (c Cell) how() string {
	if c.change.Method == stats.Deterministic {
		return "compared directly"
	}
	text := fmt.Sprintf("%s over %s replications", c.change.Method, replications(*c.change))
	if i := c.change.Interval; c.margin != nil && !math.IsInf(i.Half, 0) {
		text += fmt.Sprintf(", the change's 95 %% interval is %s to %s", format.Signed(i.Lo()), format.Signed(i.Hi()))
	} else if bound := c.bound(); bound != "" {
		text += ", " + bound
	}
	return text
}

// replications returns the number of replications of a change, or both numbers
// if they differ.
func replications(c stats.Change) string {
	if c.Method != stats.OneSide && c.N[0] != c.N[1] {
		return fmt.Sprintf("%d and %d", c.N[0], c.N[1])
	}
	return strconv.Itoa(c.Runs())
}
