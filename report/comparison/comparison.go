// Package comparison renders comparisons of results documents as tables: values
// with intervals, changes, p-values, and footnotes about the method.
package comparison

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/limitgauge/limitgauge/report/compare"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// maxHead is the length of the longest name in the head of a column. If a name
// is longer, letters replace all names, and a note below the last table lists
// them.
const maxHead = 14

// renderer is the state of rendering one comparison.
type renderer struct {
	*compare.Comparison
	registry []catalog.Metric
	col      compare.Field
	lettered bool // letters head the columns
	against  bool // a table has a base to compare with
	tested   int  // changes that are random
}

// Tables renders a comparison. Registry has the units of the metrics.
func Tables(c *compare.Comparison, registry []catalog.Metric) []table.Table {
	r := renderer{Comparison: c, registry: registry, col: c.Options.Col[0]}
	r.lettered = (r.col == compare.File || r.col == compare.Scenario) && slices.ContainsFunc(c.Order[r.col], func(name string) bool {
		return utf8.RuneCountInString(name) > maxHead
	})
	var tables []table.Table
	for _, t := range c.Tables {
		tables = append(tables, r.table(t))
	}
	last := &tables[len(tables)-1]
	last.Notes = slices.Concat(last.Notes, r.legend(), r.runs())
	return tables
}

func (r *renderer) table(t compare.Table) table.Table {
	out := table.Table{Title: r.title(t.Of)}
	comparing := t.HasBase && len(t.Columns) > 1 && r.col != compare.Metric
	together := len(t.Columns) > 2 && len(r.Options.Rows) > 1
	out.Columns = r.rowHeads(together)
	labels := len(out.Columns)
	for i, name := range t.Columns {
		head := r.head(name)
		head.Right = true
		out.Columns = append(out.Columns, head)
		if i > 0 && comparing {
			out.Columns = append(out.Columns, table.Column{Header: "change", Unit: "%", Right: true, Joined: true}, table.Column{Header: "p", Right: true, Joined: true})
		}
	}
	f := &footnotes{}
	var previous []string
	for _, row := range t.Rows {
		var names []string
		for _, field := range r.Options.Rows {
			names = append(names, r.label(field, row.Of[field]))
		}
		line := slices.Clone(names)
		if together {
			line = []string{catalog.Join(names)}
		} else {
			blankRepeats(line, previous)
		}
		previous = names
		for i, cell := range row.Cells {
			line = append(line, value(cell.Figure, f))
			if i > 0 && comparing {
				change, p := r.change(row.Cells[0], cell, f)
				line = append(line, change, p)
			}
		}
		out.Rows = append(out.Rows, line)
	}
	switch {
	case comparing:
		r.against = true
	case !t.HasBase && r.col != compare.Metric:
		out.Notes = append(out.Notes, fmt.Sprintf("nothing to compare with: no %s is %s here", r.col, r.Base))
	}
	out.Notes = append(out.Notes, f.list(out.Rows, labels)...)
	return out
}

// title names the values that a table's figures share.
func (r *renderer) title(of compare.Key) string {
	var parts []string
	for _, f := range r.Options.Tables {
		parts = append(parts, r.label(f, of[f]))
	}
	if len(parts) == 0 {
		return "comparison"
	}
	return catalog.Join(parts)
}

// label returns a field's value as titles and rows show it.
func (r *renderer) label(f compare.Field, value string) string {
	if f == compare.Metric {
		return table.ColumnOf(value, r.registry).Label()
	}
	return value
}

// head returns the head of a column.
func (r *renderer) head(name string) table.Column {
	switch {
	case r.col == compare.Metric:
		return table.ColumnOf(name, r.registry)
	case r.lettered:
		return table.Column{Header: letter(r.Place(r.col, name))}
	}
	return table.Column{Header: name}
}

// letter returns the label of column i: A, B, … Z, A1, B1, …
func letter(i int) string {
	text := string(rune('A' + i%26))
	if i >= 26 {
		text += fmt.Sprint(i / 26)
	}
	return text
}

func (r *renderer) rowHeads(together bool) (heads []table.Column) {
	var names []string
	for _, f := range r.Options.Rows {
		name := f.String()
		if f == compare.Metric {
			name = "figure"
		}
		names = append(names, name)
		heads = append(heads, table.Column{Header: name})
	}
	if together {
		return []table.Column{{Header: strings.Join(names, ", ")}}
	}
	return heads
}

// blankRepeats clears the labels that repeat the row above, except the last.
func blankRepeats(line, previous []string) {
	for i := range min(len(line)-1, len(previous)) {
		if line[i] != previous[i] {
			return
		}
		line[i] = ""
	}
}
