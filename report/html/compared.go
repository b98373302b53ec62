package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/gate"
)

// compared is one figure compared with a baseline.
type compared struct {
	Status                      status
	Scenario, Section           string // name and anchor
	Algorithm, Metric, MetricID string
	Definition                  string
	Base, Now, Change, Percent  string
	P, CountsFrom               string
	Caught80, Caught99          string
	InAtLeast                   string
	Worst, Allowed              string // of a figure to be proven not worse
	Why                         string

	order    int     // of the status, the worst first
	severity float64 // within the status
}

// comparisons is one table of figures that were compared with a baseline.
type comparisons struct {
	Title string // of a folded table
	Proof bool   // of figures to be proven not worse
	Rows  []compared
}

// newCompared returns the row of a verdict against a baseline.
func newCompared(v gate.Verdict, ids map[string]string, g *glossary) compared {
	d, c := g.use(v.Metric), v.Change
	row := compared{
		Status: statusOf(v.Status), Scenario: v.Scenario, Section: ids[v.Scenario],
		Algorithm: v.Algorithm, Metric: v.Metric, MetricID: d.ID, Definition: d.Short(),
		Base: format.Against(c.Base, v.Figure), Now: format.Against(v.Figure, c.Base),
		Change: format.Optional(c.Change, format.Signed), P: c.PText(), CountsFrom: c.CountsFrom(),
		Caught80: format.Optional(c.Caught80, format.Number), Caught99: format.Optional(c.Caught99, format.Number),
		InAtLeast: c.InAtLeast(),
		Worst:     format.Optional(c.Worst, format.Signed), Allowed: c.Allowed(),
		order: slices.Index(worstFirst, v.Status),
	}
	row.Status.Word = v.StatusText()
	if v.Status == gate.Unevaluated {
		row.Why = v.Reason
	}
	if c.Base != nil && *c.Base != 0 && c.Change != nil && *c.Change != 0 {
		row.Percent = format.Signed(100**c.Change/math.Abs(*c.Base)) + " %"
	}
	row.severity = severity(v)
	return row
}

// worstFirst lists the outcomes in the order in which a page shows them.
var worstFirst = []gate.Status{gate.Failed, gate.Unevaluated, gate.Passed, gate.Improved, gate.Unchanged}

// severity orders the verdicts of one status: failed ones by how many times as large
// the change is as it may be, others by how close they are to failing.
func severity(v gate.Verdict) float64 {
	c := v.Change
	switch {
	case c.Worst != nil && c.Margin != nil:
		return *c.Worst / *c.Margin
	case v.Status == gate.Failed && c.Change != nil:
		return math.Abs(*c.Change) / c.MinEffect
	case c.P != nil:
		return -*c.P
	}
	return math.Inf(-1)
}

// compare adds the verdicts against a baseline: tables of those that keep the gate
// from passing, and folded tables of the others.
func (out *verdict) compare(list []gate.Verdict, ids map[string]string, g *glossary) {
	var open, folded, held [2][]compared // figures compared, figures to be proven no worse
	for _, v := range list {
		if v.Kind() != gate.Baseline {
			continue
		}
		row := newCompared(v, ids, g)
		i := 0
		if v.Change.NotWorse != "" {
			i = 1
		}
		out.AtLeast = out.AtLeast || v.Change.AtLeast && v.Change.Caught80 != nil
		switch {
		case v.Status.Holds():
			held[i] = append(held[i], row)
		case v.Excused():
			folded[i] = append(folded[i], row)
		default:
			open[i] = append(open[i], row)
		}
	}
	for i, passed := range []string{"passed against the baseline", "proven no worse than the baseline"} {
		open[i] = sorted(open[i])
		if failed := lists.Count(open[i], func(c compared) bool { return c.Status.Class == "failed" }); len(open[i])-failed > mostUnevaluated {
			open[i], folded[i] = open[i][:failed], append(open[i][failed:], folded[i]...)
		}
		add := func(to *[]comparisons, title string, rows []compared) {
			if len(rows) > 0 {
				*to = append(*to, comparisons{strconv.Itoa(len(rows)) + " " + title, i == 1, rows})
			}
		}
		add(&out.Worse, "", open[i])
		add(&out.Unknown, "unevaluated against the baseline", folded[i])
		add(&out.Held, passed, sorted(held[i]))
	}
	out.Worst = worstOf(open)
}

// worstOf returns a sentence about the failed figure that changed most for its size,
// or "".
func worstOf(open [2][]compared) string {
	for _, rows := range open {
		if len(rows) > 0 && rows[0].Status.Class == "failed" {
			w := rows[0]
			text := fmt.Sprintf("The worst: %s of %s in %s was %s, now %s", w.Metric, w.Algorithm, w.Scenario, w.Base, w.Now)
			if w.Percent != "" {
				text += " (" + w.Percent + ")"
			}
			return text + "."
		}
	}
	return ""
}

// sorted returns rows with the worst first.
func sorted(rows []compared) []compared {
	slices.SortStableFunc(rows, func(a, b compared) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(b.severity, a.severity))
	})
	return rows
}
