package verdicts

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/gate/baseline"
	"github.com/limitgauge/limitgauge/report/table"
)

// powerTable collects what the comparisons of a gate catch.
type powerTable struct {
	rows    [][]string
	atLeast bool
	few     bool // some need a change in several replications
}

// add adds the row of a verdict, if it is known what it catches.
func (p *powerTable) add(v gate.Verdict) {
	c := v.Change
	if c == nil || c.Caught80 == nil {
		return
	}
	caught := []string{format.Number(*c.Caught80), format.Optional(c.Caught99, format.Number)}
	if c.LeastChanged == 0 {
		caught = []string{c.CountsFrom(), c.CountsFrom()}
	}
	p.rows = append(p.rows, []string{
		v.Scenario, v.Algorithm, v.Metric, format.Optional(c.Base, format.Number), c.CountsFrom(),
		caught[0], caught[1], c.InAtLeast(),
	})
	p.atLeast, p.few = p.atLeast || c.AtLeast, p.few || c.LeastChanged > 0
}

func (p *powerTable) table(title string) table.Table {
	t := newTable(title, "", "base", "counts from", "80 %", "99 %", "in at least")
	t.Rows = p.rows
	if p.few {
		t.Notes = append(t.Notes, "A change in fewer replications than the last column states is not caught.")
	}
	if p.atLeast {
		t.Notes = append(t.Notes, "If a figure is equal in some replications, its noise is taken from the baseline alone, and its changes are caught with at least the stated probabilities.")
	}
	return t
}

// Plan returns a table of what a planned gate will catch.
func Plan(c baseline.Comparison) table.Table {
	var p powerTable
	var notes []string
	for _, v := range c.Verdicts().List {
		p.add(v)
		if v.Status == gate.Unevaluated {
			notes = append(notes, fmt.Sprintf("%s: %s %s: %s", v.Scenario, v.Algorithm, v.Metric, v.Reason))
		}
	}
	t := p.table("plan: the smallest changes for the worse that the gate will catch with a probability of 80 % and 99 %")
	t.Notes = append(t.Notes, notes...)
	return t
}
