package html

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/sim/results"
)

// worst names, for each algorithm and headline figure, the replication that
// came out worst: the most that the seed showed, which is no bound.
type worst struct {
	Columns []definition
	Rows    []worstRow
	Rerun   string // the command that reruns up to the worst of all
	Last    int    // the replication that it ends with
	Of      string // whose worst that is, and in what
}

type worstRow struct {
	Label string
	Cells []worstCell
}

// worstCell is a figure and the number, from 1, of the replication it is from;
// 0 where all replications have the same.
type worstCell struct {
	Figure      string
	Replication int
}

// newWorst is nil where no row has more than one replication.
func newWorst(doc *results.Document, s results.Scenario, rows []results.Result, labels []string, g *glossary) *worst {
	out := &worst{}
	metrics := report.Headline()
	for _, name := range metrics {
		out.Columns = append(out.Columns, g.use(name))
	}
	most := make([]float64, len(metrics))
	for i, r := range rows {
		if r.Replications < 2 || r.Reference {
			continue
		}
		line := worstRow{Label: labels[i]}
		for j, name := range metrics {
			x, at, ok := largest(report.SummaryOf(r, name))
			c := worstCell{Figure: "-"}
			if ok {
				c = worstCell{report.Figure(x), at + 1}
			}
			if alike(report.SummaryOf(r, name)) {
				c.Replication = 0
			}
			// The first headline figure in which anything went wrong is the one to
			// look at first.
			if ok && x > most[j] {
				most[j] = x
				if out.Of == "" || j == 0 || most[0] == 0 && (j == 1 || most[1] == 0) {
					out.Last, out.Of = at+1, labels[i]+" in "+report.ColumnOf(name, g.registry).Header
				}
			}
			line.Cells = append(line.Cells, c)
		}
		out.Rows = append(out.Rows, line)
	}
	if len(out.Rows) == 0 {
		return nil
	}
	if out.Last > 0 && doc.Stamp.Rerun != "" {
		out.Rerun = rerun(doc, s, out.Last)
	}
	return out
}

// largest is the largest of a figure's replications: for all headline figures
// that is the worst one. Of equal ones it is the first.
func largest(s results.Summary) (x float64, at int, ok bool) {
	for i, v := range s.Values {
		if v != nil && (!ok || *v > x) {
			x, at, ok = *v, i, true
		}
	}
	return x, at, ok
}

// alike reports whether all replications have the same value.
func alike(s results.Summary) bool {
	for _, v := range s.Values {
		if v == nil || *v != *s.Values[0] {
			return false
		}
	}
	return true
}

// rerun is the document's own command, cut down to the scenario and to as many
// replications as end with the one that is wanted: a replication draws the same
// numbers however many there are.
func rerun(doc *results.Document, s results.Scenario, replications int) string {
	words := doc.Stamp.Rerun
	if strings.HasPrefix(words, "limitgauge run ") && len(doc.Scenarios) > 1 {
		words += " --scenario " + quote(s.Name)
	}
	return fmt.Sprintf("%s --seed %d --replications %d", words, s.Seed, replications)
}

// quote makes a name one word for a POSIX shell.
func quote(name string) string { return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'" }
