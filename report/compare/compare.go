package compare

import (
	"fmt"
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/pairs"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Key holds the values of fields. Fields that are not part of the key are "".
type Key [fields]string

// Figure is one metric of one row of one document.
type Figure struct {
	Fields  Key
	Row     results.Result
	Summary results.Summary

	doc int
}

// Comparison holds the metrics of documents in tables, with their changes.
type Comparison struct {
	Options Options // with all defaults set
	Docs    []*results.Document
	Names   []string         // of Docs, all different
	Order   [fields][]string // the values of each field, in the order of their first appearance
	Base    string           // the column that the others are compared with
	Tables  []Table

	figures []Figure
	place   [fields]map[string]int
	differ  map[[2]int][]pairs.Difference // between two documents, by their numbers
}

// Table holds the metrics that have the same values of the fields
// Options.Tables.
type Table struct {
	Of      Key
	Columns []string // values of the column field; the base is first if the table has it
	HasBase bool
	Rows    []Row
}

// Row holds the metrics of a table that have the same values of the fields
// Options.Rows.
type Row struct {
	Of    Key
	Cells []Cell // one for each column
}

// Cell is a figure and its change from the one in the base column.
type Cell struct {
	Figure   *Figure       // nil if no document has it
	Change   *stats.Change // nil if there is nothing to compare
	Problem  error         // why figures with data cannot be compared
	Unpaired Unpaired      // why replications are not pairs
}

// Unpaired states why replications of two figures are not pairs.
type Unpaired struct {
	Difference *pairs.Difference // what differs between the documents, or
	Reason     string
}

// Compare lays the figures of documents out and compares them. Names are those
// of the documents, in the same order. It returns an error if the options do not
// fit the documents.
func Compare(docs []*results.Document, names []string, o Options) (*Comparison, error) {
	if len(docs) == 0 || len(docs) != len(names) {
		return nil, fmt.Errorf("compare %d documents under %d names", len(docs), len(names))
	}
	if err := o.complete(len(docs)); err != nil {
		return nil, err
	}
	c := &Comparison{Options: o, Docs: docs, Names: format.Distinct(names, "%s (%d)"), differ: map[[2]int][]pairs.Difference{}}
	c.gather()
	if len(c.figures) == 0 {
		return nil, fmt.Errorf("no document has a row to show")
	}
	columns := c.Order[o.Col[0]]
	if c.Base = o.Base; c.Base == "" {
		c.Base = columns[0]
	}
	if !slices.Contains(columns, c.Base) {
		return nil, fmt.Errorf("no %s is called %q: there are %s", o.Col[0], c.Base, catalog.Join(columns))
	}
	byTable := map[Key][]*Figure{}
	for i := range c.figures {
		f := &c.figures[i]
		k := f.Fields.only(o.Tables)
		byTable[k] = append(byTable[k], f)
	}
	for _, k := range c.keys(byTable, o.Tables) {
		t, err := c.table(k, byTable[k])
		if err != nil {
			return nil, err
		}
		c.Tables = append(c.Tables, t)
	}
	return c, nil
}

func (c *Comparison) gather() {
	for f := range c.place {
		c.place[f] = map[string]int{}
	}
	for i, doc := range c.Docs {
		for _, part := range doc.PerScenario() {
			name := part.Scenarios[0].Name
			for _, r := range part.Rows(name) {
				for _, metric := range c.Options.Metrics {
					figure := Figure{Key{name, r.Label(), metric, c.Names[i]}, r, r.Summary(metric), i}
					for f, value := range figure.Fields {
						if _, known := c.place[f][value]; !known {
							c.place[f][value] = len(c.Order[f])
							c.Order[f] = append(c.Order[f], value)
						}
					}
					c.figures = append(c.figures, figure)
				}
			}
		}
	}
}

// table lays out the figures of one table and compares them.
func (c *Comparison) table(of Key, figures []*Figure) (Table, error) {
	col := c.Options.Col
	rows, columns := map[Key][]*Figure{}, map[Key][]*Figure{}
	cells := map[[2]Key]*Figure{}
	for _, f := range figures {
		row, column := f.Fields.only(c.Options.Rows), f.Fields.only(col)
		if other := cells[[2]Key{row, column}]; other != nil {
			return Table{}, ambiguous(other.Fields, f.Fields)
		}
		cells[[2]Key{row, column}] = f
		rows[row], columns[column] = append(rows[row], f), append(columns[column], f)
	}
	order := c.keys(columns, col)
	base := slices.IndexFunc(order, func(k Key) bool { return k[col[0]] == c.Base })
	if base > 0 {
		k := order[base]
		order = slices.Insert(slices.Delete(order, base, base+1), 0, k)
	}
	t := Table{Of: of, HasBase: base >= 0}
	for _, k := range order {
		t.Columns = append(t.Columns, k[col[0]])
	}
	for _, k := range c.keys(rows, c.Options.Rows) {
		row := Row{Of: k}
		for i, column := range order {
			cell := Cell{Figure: cells[[2]Key{k, column}]}
			if i > 0 && t.HasBase && col[0] != Metric {
				c.compare(cells[[2]Key{k, order[0]}], &cell)
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// compare sets the change of a cell's figure from the base.
func (c *Comparison) compare(base *Figure, cell *Cell) {
	now := cell.Figure
	if base == nil || now == nil || base.Summary.Mean == nil || now.Summary.Mean == nil {
		return
	}
	x, err := pairs.Sample(base.Row, base.Summary)
	y, errNow := pairs.Sample(now.Row, now.Summary)
	if err == nil {
		err = errNow
	}
	if cell.Problem = err; err != nil {
		return
	}
	cell.Unpaired = c.unpaired(base, now)
	paired := cell.Unpaired == Unpaired{}
	change := stats.Compare(x, y, paired)
	cell.Change = &change
}

// unpaired returns why replications of two figures are not pairs; the zero value
// if they are.
func (c *Comparison) unpaired(base, now *Figure) Unpaired {
	switch {
	case base.Fields[Scenario] != now.Fields[Scenario]:
		return Unpaired{Reason: "other scenarios"}
	case base.doc == now.doc:
		return Unpaired{}
	}
	if d := c.Differences(base.doc, now.doc); len(d) > 0 {
		return Unpaired{Difference: &d[0]}
	}
	return Unpaired{Reason: pairs.Unpaired(c.Docs[base.doc], c.Docs[now.doc], base.Fields[Scenario])}
}

// Differences returns the differences between two documents, by their numbers,
// that keep their replications from being pairs.
func (c *Comparison) Differences(a, b int) []pairs.Difference {
	k := [2]int{a, b}
	list, known := c.differ[k]
	if !known {
		list = append(pairs.Seeds(c.Docs[a], c.Docs[b]), pairs.Scenarios(c.Docs[a], c.Docs[b])...)
		c.differ[k] = list
	}
	return list
}

// Place returns the position of a field's value in Order.
func (c *Comparison) Place(f Field, value string) int { return c.place[f][value] }

// only returns the values of some fields.
func (k Key) only(list []Field) (out Key) {
	for _, f := range list {
		out[f] = k[f]
	}
	return out
}

// keys returns the keys of a map, ordered by the fields in list.
func (c *Comparison) keys(of map[Key][]*Figure, list []Field) []Key {
	return slices.SortedFunc(maps.Keys(of), func(a, b Key) int {
		for _, f := range list {
			if d := c.place[f][a[f]] - c.place[f][b[f]]; d != 0 {
				return d
			}
		}
		return 0
	})
}

// ambiguous returns the error that names the field that would separate two
// figures.
func ambiguous(a, b Key) error {
	for f := range fields {
		if a[f] != b[f] {
			return fmt.Errorf("two figures fall into one place, of %s %s and %s: add %s to the rows or the tables", f, a[f], b[f], f)
		}
	}
	return fmt.Errorf("scenario %q has two rows of %s", a[Scenario], a[Algorithm])
}
