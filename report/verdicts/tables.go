package verdicts

import (
	"fmt"
	"io"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/gate/baseline"
	"github.com/limitgauge/limitgauge/report/table"
)

func writeText(w io.Writer, v gate.Verdicts) error { return TextIn(table.TextWidth)(w, v) }

// TextIn returns a function that writes the tables as text of a width, in columns
// of a terminal.
func TextIn(width int) func(io.Writer, gate.Verdicts) error {
	return func(w io.Writer, v gate.Verdicts) error { return table.WriteAll(w, tables(v), table.TextIn(width)) }
}

func writeMarkdown(w io.Writer, v gate.Verdicts) error {
	return table.WriteAll(w, tables(v), table.Markdown)
}

// tables returns a table of the thresholds, one of the figures to be proven not worse
// than a baseline, one of the other comparisons with it, and one of what these would
// have caught, if there are any. Notes under
// the last one spell out the checks that failed or were not evaluated, then the
// summary.
func tables(v gate.Verdicts) (list []table.Table) {
	expected := newTable("gate", "verdict", "expect", "figure", "bad end")
	compared := newTable("gate: against the baseline", "verdict", "base", "now", "change", "p")
	proven := newTable("gate: proof that figures are no worse than the baseline by more than stated", "verdict", "base", "now", "change", "at worst", "allowed")
	var power powerTable
	var notes []string
	var unsure groups.Groups[string, string] // checks that hold, by what their intervals leave open
	for _, one := range v.All() {
		row := []string{one.Status.String(), one.Scenario, one.Algorithm, one.Metric}
		switch c := one.Change; one.Kind() {
		case gate.Threshold:
			expected.Rows = append(expected.Rows, append(row, one.Op+" "+format.Exact(one.Threshold),
				format.Against(one.Figure, &one.Threshold), format.Against(one.BadEnd, &one.Threshold)))
		case gate.Baseline:
			if c.NotWorse != "" {
				proven.Rows = append(proven.Rows, append(row,
					format.Against(c.Base, one.Figure), format.Against(one.Figure, c.Base), format.Optional(c.Change, format.Signed),
					format.Optional(c.Worst, format.Signed), c.Allowed()))
				break
			}
			compared.Rows = append(compared.Rows, append(row,
				format.Against(c.Base, one.Figure), format.Against(one.Figure, c.Base), format.Optional(c.Change, format.Signed), c.PText()))
			if one.Kind() == gate.Baseline && c.Compared == gate.Directly {
				compared.Notes = []string{directNote}
			}
			power.add(one)
		}
		if !one.Status.Holds() && (one.Kind() != gate.Run || one.What != "" && !v.Partial) {
			notes = append(notes, one.Scenario+": "+one.String())
		} else if one.Kind() == gate.Threshold && one.Note != "" {
			unsure.Add(one.Note, fmt.Sprintf("%s: %s", one.Scenario, one.Check()))
		}
	}
	for _, note := range unsure.Keys {
		notes = append(notes, fmt.Sprintf("%s: %s", note, strings.Join(unsure.Of[note], ", ")))
	}
	all := []table.Table{expected, proven, compared, power.table("gate: the smallest changes for the worse that it catches with a probability of 80 % and 99 %")}
	list = lists.Where(all, func(t table.Table) bool { return len(t.Rows) > 0 })
	if len(list) == 0 {
		list = []table.Table{{Title: "gate"}}
	}
	last := &list[len(list)-1]
	last.Notes = append(append(last.Notes, notes...), v.Summary())
	return list
}

// directNote says what direct means in the column of p.
const directNote = "direct: compared directly, because nothing random differs from the baseline. A p alone is of a test of paired replications."

// newTable returns a table with columns for the verdict, unless first is "", for
// the names of a figure, and for these numbers.
func newTable(title, first string, numbers ...string) table.Table {
	t := table.Table{Title: title}
	for _, header := range []string{first, "scenario", "algorithm", "metric"} {
		if header != "" {
			t.Columns = append(t.Columns, table.Column{Header: header})
		}
	}
	for _, header := range numbers {
		t.Columns = append(t.Columns, table.Column{Header: header, Right: true})
	}
	return t
}

// SelfTest returns a table of the checks that cannot fail, with the reasons, and
// counts the others.
func SelfTest(p baseline.Proof) table.Table {
	t := table.Table{Title: "self-test"}
	able := 0
	for _, one := range p {
		if one.CanFail {
			able++
			continue
		}
		t.Rows = append(t.Rows, []string{one.Verdict.Scenario, one.Verdict.Check(), one.Reason})
	}
	if len(t.Rows) > 0 {
		t.Columns = []table.Column{{Header: "scenario"}, {Header: "check"}, {Header: "cannot fail because"}}
	}
	note := fmt.Sprintf("%d of %d checks cannot fail; the others do when their figure, and no other, is made just too bad.", len(p)-able, len(p))
	switch {
	case len(p) == 0:
		note = "There is nothing to test: no threshold is stated and no baseline given."
	case able == len(p):
		note = fmt.Sprintf("All %d checks fail when their figure, and no other, is made just too bad.", len(p))
	}
	t.Notes = append(t.Notes, note)
	return t
}
