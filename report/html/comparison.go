package html

import (
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/results"
)

// comparison is the table of the headline metrics of a scenario. Rows of the
// reference are separate, because sorting leaves them on top.
type comparison struct {
	ID        string
	Columns   []column
	Reference []row
	Rows      []row
	Notes     []string
}

type column struct {
	Head, Unit string
	Definition definition
	First      string // direction in which sorting starts: the best first
}

type row struct {
	Label string
	Exact string // how its figures are called without random draws, and why
	Why   string
	Cells []cell
}

// cell holds a figure: its mean, half of its interval, and the full interval as a
// tooltip.
type cell struct {
	Mean, Spread string
	Sort         string // the mean in full; "" without one
	Detail       string
	Key          string // the key that the figure is of; "" for all keys
}

func newComparison(id string, s results.Scenario, rows []results.Result, labels []string, g *glossary) comparison {
	names, leftOut := table.ColumnsFor(s, rows)
	registry := table.InUnitsOf(s.LimitUnit(rows), rows, g.registry)
	t := comparison{ID: id + "-table", Notes: table.Notes(s, rows, names, leftOut, registry)}
	for _, name := range names {
		c := table.ColumnOf(name, registry)
		one := column{Head: c.Header, Unit: c.Unit, Definition: g.use(name), First: "ascending"}
		if one.Definition.Better == "higher is better" {
			one.First = "descending"
		}
		t.Columns = append(t.Columns, one)
	}
	for i, r := range rows {
		line := row{Label: labels[i]}
		if r.Exact {
			line.Exact, line.Why = r.NoDraws("exact"), r.NoDraws("draws no random numbers: one run is enough")
		}
		for _, name := range names {
			c := newCell(r.Summary(name))
			if name == table.WorstKey {
				c.Key = r.WorstKey
			}
			line.Cells = append(line.Cells, c)
		}
		if r.Reference {
			t.Reference = append(t.Reference, line)
		} else {
			t.Rows = append(t.Rows, line)
		}
	}
	return t
}

func newCell(s results.Summary) cell {
	c := cell{Detail: figure.InWords(s), Sort: format.Precise(s.Mean)}
	c.Mean, c.Spread, _ = strings.Cut(table.Cell(s), format.SpreadMark)
	return c
}
