package compare

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/pairs"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// maxHead is the length of the longest name in the head of a column. If a name
// is longer, letters replace all names, and a note below the last table lists
// them.
const maxHead = 14

// key holds the values of fields. Fields that are not part of the key are "".
type key [fields]string

// figure is one metric of one row of one document.
type figure struct {
	fields  key
	row     results.Result
	summary results.Summary
	part    *results.Document // of its document, with its scenario alone
}

// comparison holds the figures of documents, and what is known of their tables so far.
type comparison struct {
	options  Options          // with all defaults set
	col      Field            // the field of the columns
	registry []catalog.Metric // in the units of a table
	docs     []*results.Document
	names    []string         // of docs, all different
	order    [fields][]string // the values of each field, in the order of their first appearance
	place    [fields]map[string]int
	base     string // the column that the others are compared with
	figures  []figure
	lettered bool // letters head the columns
	against  bool // a table has a base to compare with
	tested   int  // changes that are random
}

// Tables compares the figures of documents and renders them. Names are those
// of the documents, in the same order. Registry has the units of the metrics.
// Tables returns an error if the options do not fit the documents.
func Tables(docs []*results.Document, names []string, o Options, registry []catalog.Metric) ([]table.Table, error) {
	if len(docs) == 0 || len(docs) != len(names) {
		return nil, fmt.Errorf("compare %d documents under %d names", len(docs), len(names))
	}
	if err := o.complete(len(docs)); err != nil {
		return nil, err
	}
	c := &comparison{
		options: o, col: o.Col[0], registry: registry,
		docs: docs, names: format.Distinct(names, "%s (%d)"),
	}
	c.gather()
	if len(c.figures) == 0 {
		return nil, fmt.Errorf("no document has a row to show")
	}
	columns := c.order[c.col]
	if c.base = o.Base; c.base == "" {
		c.base = columns[0]
	}
	if !slices.Contains(columns, c.base) {
		return nil, fmt.Errorf("no %s is called %q: there are %s", c.col, c.base, catalog.Join(columns))
	}
	c.lettered = (c.col == File || c.col == Scenario) && slices.ContainsFunc(columns, func(name string) bool {
		return utf8.RuneCountInString(name) > maxHead
	})
	return c.tables()
}

// gather collects the figures and the values of their fields.
func (c *comparison) gather() {
	for f := range c.place {
		c.place[f] = map[string]int{}
	}
	for i, doc := range c.docs {
		for _, part := range doc.PerScenario() {
			name := part.Scenarios[0].Name
			metrics := c.options.Metrics
			if len(metrics) == 0 {
				metrics, _ = table.Leading(part.Results)
			}
			for _, r := range part.Rows(name) {
				for _, metric := range metrics {
					one := figure{key{name, r.Label(), metric, c.names[i]}, r, r.Summary(metric), part}
					for f, value := range one.fields {
						if _, known := c.place[f][value]; !known {
							c.place[f][value] = len(c.order[f])
							c.order[f] = append(c.order[f], value)
						}
					}
					c.figures = append(c.figures, one)
				}
			}
		}
	}
}

// unpaired returns why replications of two figures are not pairs, "" if they are.
func (c *comparison) unpaired(base, now *figure) string {
	switch {
	case base.fields[Scenario] != now.fields[Scenario]:
		return "other scenarios"
	case base.part == now.part:
		return ""
	}
	if a, b := base.part.Scenarios[0].Seed, now.part.Scenarios[0].Seed; a != b {
		return fmt.Sprintf("seed: %d in %s, %d in %s", a, c.file(base), b, c.file(now))
	}
	return pairs.Unpaired(base.part, now.part, base.fields[Scenario])
}

// file returns the name of a figure's document, as columns show it.
func (c *comparison) file(f *figure) string {
	name := f.fields[File]
	if c.col == File {
		return c.head(name).Header
	}
	return name
}

// only returns the values of some fields.
func (k key) only(list []Field) (out key) {
	for _, f := range list {
		out[f] = k[f]
	}
	return out
}

// keys returns the keys of a map, ordered by the fields in list.
func (c *comparison) keys(of map[key][]*figure, list []Field) []key {
	return slices.SortedFunc(maps.Keys(of), func(a, b key) int {
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
func ambiguous(a, b key) error {
	for f := range fields {
		if a[f] != b[f] {
			return fmt.Errorf("two figures fall into one place, of %s %s and %s: add %s to the rows or the tables", f, a[f], b[f], f)
		}
	}
	return fmt.Errorf("scenario %q has two rows of %s", a[Scenario], a[Algorithm])
}
