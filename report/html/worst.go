package html

import (
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/results"
)

// worst names the replication with the largest value of each headline metric for
// each algorithm. These values are the worst observed, not upper bounds.
type worst struct {
	Columns []definition
	Rows    []worstRow
	Rerun   string // the command that runs only the worst replication
	Number  int    // of that replication
	Of      string // the algorithm and the metric of that worst value
}

type worstRow struct {
	Label string
	Cells []worstCell
}

// worstCell is a figure and the number of its replication, from 1. The number is
// 0 if all replications have the same figure.
type worstCell struct {
	Figure      string
	Replication int
}

// newWorst returns nil if no row has more than one replication.
func newWorst(part *results.Document, rows []results.Result, labels []string, g *glossary) *worst {
	metrics := table.WorstFigures(part.Scenarios[0])
	out := &worst{Columns: lists.Map(metrics, g.use)}
	for i, r := range rows {
		if r.Replications < 2 || r.Reference {
			continue
		}
		line := worstRow{Label: labels[i]}
		for _, name := range metrics {
			summary := r.Summary(name)
			c := worstCell{Figure: "-"}
			if x, at, varies := table.Largest(summary); varies {
				c = worstCell{format.Number(x), at + 1}
			} else if summary.Mean != nil {
				c.Figure = format.Number(*summary.Mean)
			}
			line.Cells = append(line.Cells, c)
		}
		out.Rows = append(out.Rows, line)
	}
	if len(out.Rows) == 0 {
		return nil
	}
	if w, ok := table.WorstOf(part); ok {
		out.Rerun, out.Number = w.Rerun, w.Replication
		out.Of = w.Algorithm + " in " + table.ColumnOf(w.Metric, g.registry).Header
	}
	return out
}
