// Package compare sets figures side by side: of several results documents, or
// of algorithms within one. A table's rows and columns are by any of a figure's
// four fields, and every column is held against the first: value with interval,
// change, p-value, and footnotes that say how they were compared.
package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/report/pairing"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Field is one thing by which a figure is told from others.
type Field int

const (
	Scenario  Field = iota
	Algorithm       // or the reference
	Metric
	File // the document
	fields
)

var fieldNames = [fields]string{"scenario", "algorithm", "metric", "file"}

func (f Field) String() string { return fieldNames[f] }

// ParseFields reads names of fields, each at most once.
func ParseFields(names []string) (list []Field, err error) {
	for _, name := range names {
		i := slices.Index(fieldNames[:], name)
		switch {
		case i < 0:
			return nil, fmt.Errorf("unknown field %q: one of %s", name, strings.Join(fieldNames[:], ", "))
		case slices.Contains(list, Field(i)):
			return nil, fmt.Errorf("field %s is named twice", name)
		}
		list = append(list, Field(i))
	}
	return list, nil
}

// Options say what is shown and how it is laid out. What is left empty is
// chosen: columns by file for several documents and by algorithm for one, a
// table for each scenario (and each metric, where there are more than two
// files), rows by the other fields.
type Options struct {
	Registry []catalog.Metric
	Metrics  []string // figures to show; empty is the headline ones
	Tables   []Field  // a table of its own for each of their values
	Rows     []Field
	Col      []Field // one field at most
	Base     string  // the column that the others are held against; "" is the first
	Alpha    float64 // level of significance of one change; 0 is 0.05
}

// entry is one figure of one row of one document.
type entry struct {
	fields  [fields]string
	doc     int
	row     results.Result
	metric  string
	summary results.Summary
}

// Tables lays the documents' figures out. Names are the documents', in the same
// order. An error says that the options do not fit the documents.
func Tables(docs []*results.Document, names []string, o Options) ([]table.Table, error) {
	if len(docs) == 0 || len(docs) != len(names) {
		return nil, fmt.Errorf("compare %d documents under %d names", len(docs), len(names))
	}
	if err := o.complete(len(docs)); err != nil {
		return nil, err
	}
	t := tabulation{docs: docs, names: distinct(names), o: o, differ: map[[2]int][]pairing.Difference{}}
	t.gather()
	if len(t.entries) == 0 {
		return nil, fmt.Errorf("no document has a row to show")
	}
	if t.base = t.order[o.Col[0]][0]; o.Base != "" {
		t.base = o.Base
	}
	if !slices.Contains(t.order[o.Col[0]], t.base) {
		return nil, fmt.Errorf("no %s is called %q: there are %s", o.Col[0], t.base, strings.Join(t.order[o.Col[0]], ", "))
	}
	return t.tables()
}

// complete chooses what is left empty and checks the rest.
func (o *Options) complete(docs int) error {
	if len(o.Metrics) == 0 {
		o.Metrics = table.Headline()
	}
	if o.Alpha == 0 {
		o.Alpha = 0.05
	}
	if !(o.Alpha > 0 && o.Alpha < 1) {
		return fmt.Errorf("alpha is %v, not between 0 and 1", o.Alpha)
	}
	used := func(f Field) bool {
		return slices.Contains(o.Col, f) || slices.Contains(o.Rows, f) || slices.Contains(o.Tables, f)
	}
	if len(o.Col) == 0 {
		for _, f := range []Field{File, Algorithm, Metric, Scenario} {
			if !used(f) && (f != File || docs > 1) {
				o.Col = []Field{f}
				break
			}
		}
	}
	if len(o.Col) != 1 {
		return fmt.Errorf("columns are by one field, not by %d", len(o.Col))
	}
	if len(o.Tables) == 0 && !used(Scenario) {
		o.Tables = []Field{Scenario}
		if docs > 2 && o.Col[0] == File && !used(Metric) {
			o.Tables = []Field{Scenario, Metric} // so that the columns fit beside short labels
		}
	}
	if len(o.Rows) == 0 {
		for f := range fields {
			if !used(f) && (f != File || docs > 1) {
				o.Rows = append(o.Rows, f)
			}
		}
	}
	for f := range fields {
		times := 0
		for _, list := range [][]Field{o.Tables, o.Rows, o.Col} {
			if slices.Contains(list, f) {
				times++
			}
		}
		if times > 1 {
			return fmt.Errorf("field %s is used twice, of tables, rows and columns", f)
		}
	}
	return nil
}

// tabulation is the figures of all documents and the order of their fields'
// values, which is that of their first appearance.
type tabulation struct {
	docs    []*results.Document
	names   []string
	o       Options
	entries []entry
	order   [fields][]string
	place   [fields]map[string]int
	base    string                          // the column that the others are held against
	against string                          // its head, once it was; "" before
	tested  int                             // changes that chance has a part in
	differ  map[[2]int][]pairing.Difference // between two documents, by their numbers
}

func (t *tabulation) gather() {
	for f := range t.place {
		t.place[f] = map[string]int{}
	}
	for i, doc := range t.docs {
		for _, part := range doc.PerScenario() {
			s := part.Scenarios[0]
			rows := part.Rows(s.Name)
			labels := results.Labels(rows)
			for k, r := range rows {
				for _, metric := range t.o.Metrics {
					e := entry{doc: i, row: r, metric: metric, summary: r.Summary(metric)}
					e.fields = [fields]string{s.Name, labels[k], metric, t.names[i]}
					for f, value := range e.fields {
						if _, known := t.place[f][value]; !known {
							t.place[f][value] = len(t.order[f])
							t.order[f] = append(t.order[f], value)
						}
					}
					t.entries = append(t.entries, e)
				}
			}
		}
	}
}

// key is the values of some fields.
func (e entry) key(list []Field) (k [fields]string) {
	for _, f := range list {
		k[f] = e.fields[f]
	}
	return k
}

// keys are the different values of some fields among entries, in order.
func (t *tabulation) keys(entries []entry, list []Field) (keys [][fields]string) {
	seen := map[[fields]string]bool{}
	for _, e := range entries {
		if k := e.key(list); !seen[k] {
			seen[k] = true
			keys = append(keys, k)
		}
	}
	slices.SortStableFunc(keys, func(a, b [fields]string) int {
		for _, f := range list {
			if d := t.place[f][a[f]] - t.place[f][b[f]]; d != 0 {
				return d
			}
		}
		return 0
	})
	return keys
}

func (t *tabulation) tables() ([]table.Table, error) {
	byTable := map[[fields]string][]entry{}
	for _, e := range t.entries {
		k := e.key(t.o.Tables)
		byTable[k] = append(byTable[k], e)
	}
	var tables []table.Table
	for _, k := range t.keys(t.entries, t.o.Tables) {
		one, err := t.table(k, byTable[k])
		if err != nil {
			return nil, err
		}
		tables = append(tables, one)
	}
	last := &tables[len(tables)-1]
	last.Notes = append(last.Notes, t.legend()...)
	last.Notes = append(last.Notes, t.runs()...)
	return tables, nil
}

// distinct numbers names that are the same.
func distinct(names []string) []string {
	out := make([]string, len(names))
	seen := map[string]bool{}
	for i, name := range names {
		out[i] = name
		for n := 2; seen[out[i]]; n++ {
			out[i] = fmt.Sprintf("%s (%d)", name, n)
		}
		seen[out[i]] = true
	}
	return out
}
