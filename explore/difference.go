package explore

import (
	"context"
	"fmt"
	"html/template"
	"slices"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/gate/compare"
	"github.com/limitgauge/limitgauge/report/html"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/results"
)

// difference returns the table of the changes from a pinned view to a document: each
// metric of each algorithm, with the 95 % interval of the change.
func (e *Explorer) difference(ctx context.Context, pinned View, now *results.Document) (template.HTML, error) {
	base, err := e.document(ctx, pinned)
	if err != nil {
		return "", err
	}
	t, err := e.changes(base, now)
	if err != nil {
		return "", refuse("", err.Error())
	}
	return html.TablePart(t)
}

// changes returns the table of the changes from one document to another.
func (e *Explorer) changes(base, now *results.Document) (table.Table, error) {
	var metrics []string
	for _, d := range []*results.Document{base, now} {
		shown, _ := table.ColumnsFor(d.Scenarios[0], d.Rows(d.Scenarios[0].Name))
		for _, name := range shown {
			if !slices.Contains(metrics, name) {
				metrics = append(metrics, name)
			}
		}
	}
	t := table.Table{
		Title:   "From A, the pinned setting, to B",
		Columns: []table.Column{{Header: "algorithm"}, {Header: "figure"}, {Header: "A", Right: true}, {Header: "B", Right: true}, {Header: "difference", Right: true}},
	}
	same := *now
	if base.Scenarios[0].Name != now.Scenarios[0].Name {
		t.Title += ", another scenario"
		same = renamed(now, base.Scenarios[0].Name)
	}
	c, err := compare.Compare([]*results.Document{base, &same}, []string{"A", "B"}, compare.Options{
		Metrics: metrics, Tables: []compare.Field{compare.Scenario}, Rows: []compare.Field{compare.Algorithm, compare.Metric}, Col: []compare.Field{compare.File},
	})
	if err != nil {
		return t, err
	}
	registry := table.InUnitsOf(slices.Concat(base.Results, now.Results), e.o.Metrics)
	paired, known, equal := false, false, 0
	for _, row := range c.Tables[0].Rows {
		a, b := row.Cells[0], row.Cells[1]
		if empty(a) && empty(b) {
			continue
		}
		line := []string{row.Of[compare.Algorithm], table.ColumnOf(row.Of[compare.Metric], registry).Label(), cellText(a), cellText(b), format.NoData}
		if ch := b.Change; ch != nil {
			if ch.Same {
				equal++
				continue
			}
			line[4] = format.Signed(ch.Interval.Mean)
			if ch.Interval.Half > 0 {
				line[4] = signedWithSpread(ch.Interval.Mean, ch.Interval.Half)
				known = true
			}
			paired = paired || b.Unpaired == compare.Unpaired{} && ch.Interval.Half > 0
		}
		t.Rows = append(t.Rows, line)
	}
	if equal > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s %s equal in every replication and not listed.", format.Count(equal, "figure"), format.Verb(equal, "is", "are")))
	}
	if len(t.Rows) == 0 {
		return t, nil
	}
	t.Notes = append(t.Notes, "A difference is B minus A, in the unit of the figure.")
	if known {
		note := "± is half of the 95 % interval of the difference: an interval that holds 0 may be chance."
		if paired {
			note += " Where both settings have the same traffic, replications are compared in pairs."
		}
		t.Notes = append(t.Notes, note)
	}
	return t, nil
}

func empty(c compare.Cell) bool { return c.Figure == nil || c.Figure.Summary.Mean == nil }

func cellText(c compare.Cell) string {
	if c.Figure == nil {
		return "absent"
	}
	return table.Cell(c.Figure.Summary)
}

// signedWithSpread writes a difference with half of its interval.
func signedWithSpread(mean, half float64) string {
	text := format.WithSpread(mean, half)
	if mean > 0 {
		text = "+" + text
	}
	return text
}

// renamed returns a document of one scenario whose scenario has another name.
func renamed(d *results.Document, name string) results.Document {
	out := *d
	out.Scenarios = slices.Clone(d.Scenarios)
	out.Scenarios[0].Name = name
	out.Results = slices.Clone(d.Results)
	for i := range out.Results {
		out.Results[i].Scenario = name
	}
	return out
}
