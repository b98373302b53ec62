package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// tables lays the figures out. Notes below the last table explain them all.
func (c *comparison) tables() (list []table.Table, err error) {
	byTable := map[key][]*figure{}
	for i := range c.figures {
		f := &c.figures[i]
		k := f.fields.only(c.options.Tables)
		byTable[k] = append(byTable[k], f)
	}
	registry := c.registry
	for _, k := range c.keys(byTable, c.options.Tables) {
		rows, first := lists.Map(byTable[k], func(f *figure) results.Result { return f.row }), byTable[k][0]
		c.registry = table.InUnitsOf(first.part.Scenarios[0].LimitUnit(rows), rows, registry)
		t, err := c.table(k, byTable[k])
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	last := &list[len(list)-1]
	last.Notes = slices.Concat(last.Notes, c.legend(), c.runs())
	return list, nil
}

// table lays out the figures of one table and compares them with those in the
// base column, which is first if the table has it.
func (c *comparison) table(of key, figures []*figure) (table.Table, error) {
	rows, columns := map[key][]*figure{}, map[key][]*figure{}
	cells := map[[2]key]*figure{}
	for _, f := range figures {
		row, column := f.fields.only(c.options.Rows), f.fields.only(c.options.Col)
		if other := cells[[2]key{row, column}]; other != nil {
			return table.Table{}, ambiguous(other.fields, f.fields)
		}
		cells[[2]key{row, column}] = f
		rows[row], columns[column] = append(rows[row], f), append(columns[column], f)
	}
	order := c.keys(columns, c.options.Col)
	base := slices.IndexFunc(order, func(k key) bool { return k[c.col] == c.base })
	if base > 0 {
		k := order[base]
		order = slices.Insert(slices.Delete(order, base, base+1), 0, k)
	}
	comparing := base >= 0 && len(order) > 1 && c.col != Metric
	together := len(order) > 2 && len(c.options.Rows) > 1

	out := table.Table{Title: c.title(of), Columns: c.rowHeads(together)}
	labels := len(out.Columns)
	for i, k := range order {
		head := c.head(k[c.col])
		head.Right = true
		out.Columns = append(out.Columns, head)
		if i > 0 && comparing {
			out.Columns = append(out.Columns, table.Column{Header: "change", Unit: "%", Right: true, Joined: true}, table.Column{Header: "p", Right: true, Joined: true})
		}
	}
	f := &footnotes{}
	var previous []string
	for _, k := range c.keys(rows, c.options.Rows) {
		names := lists.Map(c.options.Rows, func(f Field) string { return c.label(f, k[f]) })
		line := slices.Clone(names)
		if together {
			line = []string{catalog.Join(names)}
		} else {
			blankRepeats(line, previous)
		}
		previous = names
		for i, column := range order {
			now := cells[[2]key{k, column}]
			line = append(line, now.value(f))
			if i > 0 && comparing {
				change, p := c.change(cells[[2]key{k, order[0]}], now, f)
				line = append(line, change, p)
			}
		}
		out.Rows = append(out.Rows, line)
	}
	switch {
	case comparing:
		c.against = true
	case base < 0 && c.col != Metric:
		out.Notes = append(out.Notes, fmt.Sprintf("nothing to compare with: %s %s has no row here", c.col, c.base))
	}
	out.Notes = append(out.Notes, f.list(out.Rows, labels)...)
	return out, nil
}

// title names the values that a table's figures share.
func (c *comparison) title(of key) string {
	parts := lists.Map(c.options.Tables, func(f Field) string { return c.label(f, of[f]) })
	if len(parts) == 0 {
		return "comparison"
	}
	return catalog.Join(parts)
}

// label returns a field's value as titles and rows show it.
func (c *comparison) label(f Field, value string) string {
	if f == Metric {
		return table.ColumnOf(value, c.registry).Label()
	}
	return value
}

// head returns the head of a column.
func (c *comparison) head(name string) table.Column {
	switch {
	case c.col == Metric:
		return table.ColumnOf(name, c.registry)
	case c.lettered:
		return table.Column{Header: letter(c.place[c.col][name])}
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

func (c *comparison) rowHeads(together bool) (heads []table.Column) {
	var names []string
	for _, f := range c.options.Rows {
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

// blankRepeats clears the labels that repeat the row above, except the last.
func blankRepeats(line, previous []string) {
	for i := range min(len(line)-1, len(previous)) {
		if line[i] != previous[i] {
			return
		}
		line[i] = ""
	}
}
