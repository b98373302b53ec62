package verdicts

import (
	"fmt"
	"io"
	"slices"

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
func tables(v gate.Verdicts) []table.Table {
	var list []table.Table
	all := v.All()
	has := func(kind gate.Kind) bool {
		return slices.ContainsFunc(all, func(one gate.Verdict) bool { return one.Kind() == kind })
	}
	if has(gate.Threshold) {
		list = append(list, thresholds(all))
	}
	if has(gate.Baseline) {
		list = append(list, comparisons(all))
	}
	if len(list) == 0 {
		list = []table.Table{{Title: "gate"}}
	}
	last := &list[len(list)-1]
	for _, one := range all {
		if !one.Status.Holds() && one.Kind() != gate.Run {
			last.Notes = append(last.Notes, one.Scenario+": "+one.String())
		}
	}
	last.Notes = append(last.Notes, v.Summary())
	return list
}

func thresholds(all []gate.Verdict) table.Table {
	t := table.Table{Title: "gate", Columns: []table.Column{
		{Header: "verdict"}, {Header: "scenario"}, {Header: "algorithm"}, {Header: "metric"},
		{Header: "expect", Right: true}, {Header: "figure", Right: true}, {Header: "bad end", Right: true},
	}}
	for _, one := range all {
		if one.Kind() == gate.Threshold {
			t.Rows = append(t.Rows, []string{
				one.Status.String(), one.Scenario, one.Algorithm, one.Metric, one.Op + " " + format.Exact(one.Threshold),
				against(one.Figure, &one.Threshold), against(one.BadEnd, &one.Threshold),
			})
		}
	}
	return t
}

func comparisons(all []gate.Verdict) table.Table {
	t := table.Table{Title: "gate: against the baseline", Columns: []table.Column{
		{Header: "verdict"}, {Header: "scenario"}, {Header: "algorithm"}, {Header: "metric"},
		{Header: "base", Right: true}, {Header: "now", Right: true}, {Header: "change", Right: true},
		{Header: "counts from", Right: true}, {Header: "p", Right: true},
	}}
	for _, one := range all {
		if c := one.Change; c != nil {
			t.Rows = append(t.Rows, []string{
				one.Status.String(), one.Scenario, one.Algorithm, one.Metric,
				against(c.Base, one.Figure), against(one.Figure, c.Base), optional(c.Change, format.Signed),
				format.Number(c.MinEffect), optional(c.P, format.Number),
			})
		}
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
