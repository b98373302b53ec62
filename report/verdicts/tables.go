package verdicts

import (
	"fmt"
	"io"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/gate"
	"github.com/limitgauge/limitgauge/gate/baseline"
	"github.com/limitgauge/limitgauge/report/table"
)

func writeText(w io.Writer, v gate.Verdicts) error     { return writeTables(w, v, table.Text) }
func writeMarkdown(w io.Writer, v gate.Verdicts) error { return writeTables(w, v, table.Markdown) }

func writeTables(w io.Writer, v gate.Verdicts, write func(io.Writer, table.Table) error) error {
	for i, t := range tables(v) {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := write(w, t); err != nil {
			return err
		}
	}
	return nil
}

// tables returns a table of the thresholds and one of the comparisons with a
// baseline, if there are any. Notes under the last one spell out the checks that
// failed or were not evaluated, then the summary.
func tables(v gate.Verdicts) (list []table.Table) {
	expected := newTable("gate", "expect", "figure", "bad end")
	compared := newTable("gate: against the baseline", "base", "now", "change", "counts from", "p")
	var notes []string
	for _, one := range v.All() {
		row := []string{one.Status.String(), one.Scenario, one.Algorithm, one.Metric}
		switch c := one.Change; one.Kind() {
		case gate.Threshold:
			expected.Rows = append(expected.Rows, append(row, one.Op+" "+format.Exact(one.Threshold),
				against(one.Figure, &one.Threshold), against(one.BadEnd, &one.Threshold)))
		case gate.Baseline:
			compared.Rows = append(compared.Rows, append(row,
				against(c.Base, one.Figure), against(one.Figure, c.Base), optional(c.Change, format.Signed),
				format.Number(c.MinEffect), optional(c.P, format.Number)))
		}
		if !one.Status.Holds() && one.Kind() != gate.Run {
			notes = append(notes, one.Scenario+": "+one.String())
		}
	}
	for _, t := range []table.Table{expected, compared} {
		if len(t.Rows) > 0 {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		list = []table.Table{{Title: "gate"}}
	}
	list[len(list)-1].Notes = append(notes, v.Summary())
	return list
}

// newTable returns a table of verdicts with columns for these numbers.
func newTable(title string, numbers ...string) table.Table {
	t := table.Table{Title: title, Columns: []table.Column{{Header: "verdict"}, {Header: "scenario"}, {Header: "algorithm"}, {Header: "metric"}}}
	for _, header := range numbers {
		t.Columns = append(t.Columns, table.Column{Header: header, Right: true})
	}
	return t
}

// against writes x with enough digits to differ from the other number, unless
// they are equal.
func against(x, other *float64) string {
	return optional(x, func(x float64) string {
		if other == nil {
			return format.Number(x)
		}
		return format.Beside(x, *other)
	})
}

// optional writes a number that may be missing.
func optional(x *float64, write func(float64) string) string {
	if x == nil {
		return format.NoData
	}
	return write(*x)
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
