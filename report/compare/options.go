// Package compare compares metrics of several results documents, or of the
// algorithms of one document, in tables: values with intervals, changes, p-values,
// and footnotes about the method. The tables, rows and columns of a comparison each
// stand for the values of one or more fields. Every column is compared with the
// base column.
//
// The package makes no promise: it can change at any time.
package compare

import (
	"fmt"
	"slices"
	"strings"
)

// Field is one property that identifies a figure.
type Field int

const (
	Scenario  Field = iota
	Algorithm       // or the reference
	Metric
	File // the document
	fields
)

var fieldNames = [fields]string{"scenario", "algorithm", "metric", "file"}

// String returns the field's name as options use it.
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

// Options selects what is compared and the layout. Empty options have defaults:
// for several documents one column per file, for one document one column per
// algorithm; one table per scenario, and per metric if there are more than two
// files; one row per combination of the other fields.
type Options struct {
	Metrics []string // empty is those with which the tables of a scenario begin
	Tables  []Field  // one table for each combination of their values
	Rows    []Field
	Col     []Field // at most one
	Base    string  // the column that the others are compared with; "" is the first
}

// alpha is the level of significance of one change.
const alpha = 0.05

// complete sets the defaults and checks the rest.
func (o *Options) complete(docs int) error {
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
