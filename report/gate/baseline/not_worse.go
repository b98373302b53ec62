package baseline

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// margin is by how much a figure may be worse than the baseline, for a cell that is
// to be proven not worse instead of tested for a change.
type margin struct {
	Effect
	text      string // as verdicts print it: "5 %", of the baseline's figure, or "0.5"
	stated    bool   // by an expectation, not by the options
	line, col int    // of the expectation
}

// margins returns the margins of the expectations of now, by row and metric, and
// the rows in the order of the document. A row that now lacks is that of base, if
// there is one.
func margins(base, now *results.Document) (list map[Row]map[string]margin, order []Row) {
	list = map[Row]map[string]margin{}
	for _, s := range now.Scenarios {
		for _, e := range s.Expectations {
			if e.Op != catalog.NotWorse {
				continue
			}
			row := Row{Scenario: s.Name, Algorithm: e.Algorithm}
			for _, doc := range []*results.Document{now, base} {
				if at := gate.RowOf(doc, s.Name, e.Algorithm); at >= 0 {
					row = rowOf(doc.Results[at])
					break
				}
			}
			if list[row] == nil {
				list[row] = map[string]margin{}
				order = append(order, row)
			}
			m := margin{Effect{Absolute: e.Threshold}, gate.MarginText(e), true, e.Line, e.Col}
			if e.Relative {
				m.Effect = Effect{Relative: e.Threshold / 100}
			}
			list[row][e.Metric] = m
		}
	}
	return list, order
}

// margin returns the margin of a figure: the one that an expectation states, else
// that of the options, else nil.
func (o Options) margin(stated map[string]margin, metric catalog.Metric) *margin {
	if m, ok := stated[metric.Name]; ok {
		return &m
	}
	for _, name := range []string{metric.Name, ""} {
		if e, ok := o.NotWorse[name]; ok {
			return &margin{Effect: e, text: e.text()}
		}
	}
	return nil
}

// metricsOf returns the metrics to compare of a row: the gated ones, and others that
// the row has margins for. Of a reference it returns the latter alone, unless the
// options include references.
func (o Options) metricsOf(row Row, gated []catalog.Metric, stated map[string]margin) (list []catalog.Metric) {
	if !row.Reference || o.References {
		list = slices.Clone(gated)
	}
	for _, name := range slices.Sorted(maps.Keys(stated)) {
		if catalog.Find(list, name) != nil {
			continue
		}
		ofAnotherVersion := &catalog.Metric{Name: name} // must not change in either direction
		list = append(list, *cmp.Or(catalog.Find(o.Registry, name), ofAnotherVersion))
	}
	return list
}

// beyondMargin is the largest probability that a figure passes which is worse by
// more than its margin.
const beyondMargin = 0.025

// judgeNotWorse sets the status of the cells that have a margin. Passed is proof:
// the whole 95 % interval of the change lies inside the margin. Failed is proof of the
// opposite. Otherwise the replications do not suffice, and the cell is unevaluated.
// A cell passes although the figure is worse by more than the margin with a
// probability of at most beyondMargin, on either side. No correction for several cells
// is needed, because the gate passes only if all of them do.
//
// Source: Schuirmann, "A comparison of the two one-sided tests procedure and the
// power approach", Journal of Pharmacokinetics and Biopharmaceutics 15 (1987).
func judgeNotWorse(cells []Cell) {
	for i := range cells {
		if c := &cells[i]; c.margin != nil && c.change != nil && c.Reason == "" {
			c.judgeMargin()
		}
	}
}

func (c *Cell) judgeMargin() {
	if needed := c.replicationsForProof(); c.change.Runs() < needed {
		c.Needed = needed
		c.Reason = fmt.Sprintf("too few replications: %s, need %d before any figure could be proven not worse", replications(*c.change), needed)
		return
	}
	allowed := c.margin.of(c.change.Base)
	best, worst := c.worsening()
	switch {
	case worst <= allowed*(1+1e-9) && c.change.Same:
		c.Status = gate.Unchanged
	case worst <= allowed*(1+1e-9):
		c.Status = gate.Passed
	case best > allowed*(1+1e-9):
		c.Status = gate.Failed
	default:
		c.Reason = fmt.Sprintf("not proven: by the 95 %% interval it may be worse by %s, more than %s", format.Number(worst), format.Number(allowed))
		c.Needed = c.replicationsToProve(allowed)
		switch {
		case allowed == 0:
			c.Reason += fmt.Sprintf("; %s of a baseline of 0 is 0: state an amount", c.margin.text)
		case c.Needed == 0:
			c.Reason += fmt.Sprintf("; no number of replications up to %d suffices", mostReplications)
		case c.change.Method == stats.OneSide:
			c.Reason += fmt.Sprintf("; if it has not changed, %d replications suffice with a probability of 80 %%", c.Needed)
		default:
			c.Reason += fmt.Sprintf("; if it has not changed, %d replications of both runs suffice with a probability of 80 %%", c.Needed)
		}
	}
}

// replicationsForProof returns the number of replications below which the cell is
// not judged: as many as a test without assumptions about the noise needs to reach
// the same level. Fewer that happen to agree are no proof.
func (c *Cell) replicationsForProof() int {
	switch c.change.Method {
	case stats.Deterministic:
		return 0
	case stats.Independent:
		return stats.RunsNeeded(beyondMargin, false)
	}
	return stats.PairsNeeded(beyondMargin, false)
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
// that has not changed lies inside the margin with a probability of 80 %, 0 if there
// is no such number. By symmetry, that is the power of a test at the same level to
// catch a change of the size of the margin.
func (c *Cell) replicationsToProve(allowed float64) int {
	noise := c.spread()
	if noise.SD == 0 || allowed <= 0 {
		return 0
	}
	power := 0.8
	if c.twoSided() {
		power = 0.9 // on each side
	}
	return c.fewest(func(n int) bool {
		noise, df := c.with(noise, n)
		return stats.Rule{Critical: stats.T975(df), DF: df}.Catches(allowed, noise, power)
	})
}
