package compare

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/limitgauge/limitgauge/report/table"
)

// headWidth is the longest name that heads a column; if one is longer they are
// A, B, … there, and a note under the last table spells them out.
const headWidth = 14

// table lays one table's entries out.
func (t *tabulation) table(of [fields]string, entries []entry) (table.Table, error) {
	col := t.o.Col[0]
	columns := t.keys(entries, t.o.Col)
	// The base comes first; a table without it has nothing to compare with.
	first := slices.IndexFunc(columns, func(k [fields]string) bool { return k[col] == t.base })
	if first > 0 {
		base := columns[first]
		columns = append([][fields]string{base}, slices.Delete(columns, first, first+1)...)
	}
	comparing := first >= 0 && len(columns) > 1 && col != Metric
	out := table.Table{Title: t.title(of)}
	heads := t.heads(columns)
	together := len(columns) > 2 && len(t.o.Rows) > 1
	out.Columns = t.rowHeads(together)
	for i, head := range heads {
		head.Right = true
		out.Columns = append(out.Columns, head)
		if i > 0 && comparing {
			out.Columns = append(out.Columns, table.Column{Header: "change", Unit: "%", Right: true}, table.Column{Header: "p", Right: true})
		}
	}
	cells := map[[2][fields]string]*entry{}
	for i, e := range entries {
		k := [2][fields]string{e.key(t.o.Rows), e.key(t.o.Col)}
		if other := cells[k]; other != nil {
			return out, t.ambiguous(*other, e)
		}
		cells[k] = &entries[i]
	}
	f := &footnotes{}
	var previous []string
	for _, k := range t.keys(entries, t.o.Rows) {
		labels := t.rowLabels(k)
		line := slices.Clone(labels)
		if together {
			line = []string{strings.Join(labels, ", ")}
		} else {
			blankRepeats(line, previous)
		}
		previous = labels
		base := cells[[2][fields]string{k, columns[0]}]
		for i, c := range columns {
			e := cells[[2][fields]string{k, c}]
			line = append(line, value(e, f))
			if i > 0 && comparing {
				change, p, tested := t.change(base, e, heads, i, f)
				line = append(line, change, p)
				if tested {
					t.tested++
				}
			}
		}
		out.Rows = append(out.Rows, line)
	}
	switch {
	case comparing:
		t.against = heads[0].Header
	case first < 0 && col != Metric:
		out.Notes = append(out.Notes, fmt.Sprintf("nothing to compare with: no %s is %s here", col, t.base))
	}
	out.Notes = append(out.Notes, f.list(out.Rows, len(t.rowHeads(together)))...)
	return out, nil
}

// title names what a table is of.
func (t *tabulation) title(of [fields]string) string {
	var parts []string
	for _, f := range t.o.Tables {
		parts = append(parts, t.label(f, of[f]))
	}
	if len(parts) == 0 {
		return "comparison"
	}
	return strings.Join(parts, ", ")
}

// label is how a field's value reads.
func (t *tabulation) label(f Field, value string) string {
	if f == Metric {
		return table.ColumnOf(value, t.o.Registry).Label()
	}
	return value
}

// heads are the columns' heads.
func (t *tabulation) heads(columns [][fields]string) (heads []table.Column) {
	col := t.o.Col[0]
	for _, k := range columns {
		switch {
		case col == Metric:
			heads = append(heads, table.ColumnOf(k[col], t.o.Registry))
		case t.lettered():
			heads = append(heads, table.Column{Header: message(t.place[col][k[col]])})
		default:
			heads = append(heads, table.Column{Header: k[col]})
		}
	}
	return heads
}

// lettered reports whether letters head the columns, the same in all tables.
func (t *tabulation) lettered() bool {
	col := t.o.Col[0]
	return (col == File || col == Scenario) && slices.ContainsFunc(t.order[col], func(name string) bool {
		return utf8.RuneCountInString(name) > headWidth
	})
}

// letter is A, B, … Z, A1, B1, …
func message(i int) string {
	text := string(rune('A' + i%26))
	if i >= 26 {
		text += fmt.Sprint(i / 26)
	}
	return text
}

func (t *tabulation) rowHeads(together bool) (heads []table.Column) {
	var names []string
	for _, f := range t.o.Rows {
		name := f.String()
		if f == Metric {
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

func (t *tabulation) rowLabels(k [fields]string) (labels []string) {
	for _, f := range t.o.Rows {
		labels = append(labels, t.label(f, k[f]))
	}
	return labels
}

// blankRepeats leaves out what the row above says already, but for the last
// label.
func blankRepeats(line, previous []string) {
	for i := range min(len(line)-1, len(previous)) {
		if line[i] != previous[i] {
			return
		}
		line[i] = ""
	}
}

// ambiguous says which field would keep two figures apart.
func (t *tabulation) ambiguous(a, b entry) error {
	for f := range fields {
		if a.fields[f] != b.fields[f] {
			return fmt.Errorf("two figures fall into one place, of %s %s and %s: add %s to the rows or the tables",
				f, a.fields[f], b.fields[f], f)
		}
	}
	return fmt.Errorf("scenario %q has two rows of %s", a.fields[Scenario], a.fields[Algorithm])
}
