// Package report turns a results document into what a person or a build reads:
// tables as text, Markdown, CSV and JSON, plots as PNG, and verdicts on the
// thresholds that a scenario states. It reads documents alone and never a run.
package table

import "strings"

// Table is what every renderer of tables draws: cells already formatted, and
// notes to print under them.
type Table struct {
	Title   string
	Lead    string // what to look for, between title and table
	Columns []Column
	Rows    [][]string // as many cells as Columns
	Notes   []string
}

// Column is one column's head. The unit belongs to it and not to the cells.
type Column struct {
	Header string
	Unit   string // "%", "ms", "/s", "requests"; "" for none
	Right  bool   // right-aligned, as numbers are
}

// Label is the head with its unit: "p99 ms", "server calls/s".
func (c Column) Label() string {
	switch {
	case c.Unit == "":
		return c.Header
	case strings.HasPrefix(c.Unit, "/"):
		return c.Header + c.Unit
	}
	return c.Header + " " + c.Unit
}
