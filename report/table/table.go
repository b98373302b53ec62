// Package table makes tables from a results document and writes them as text,
// Markdown and CSV. It reads documents only, never a run.
//
// The package makes no promise: it can change at any time.
package table

import (
	"io"
	"strings"
)

// Table holds formatted cells and the notes that are printed below them.
type Table struct {
	Title   string
	Lead    string // a hint between title and table
	Columns []Column
	Rows    [][]string // as many cells as Columns
	Apart   int        // the first rows, which Short never joins with others
	Notes   []string   // what changes how a figure is read
	More    []string   // what else can be said, which Full shows
	Fewer   string     // how to ask for fewer columns: a note below a table that is split or cut for width
}

// Column is the head of a column. It holds the unit, which the cells leave out.
type Column struct {
	Header string
	Unit   string // "%", "ms", "/s", "requests"; "" for none
	Right  bool   // right-aligned, as numbers are
	Names  bool   // names the row, although it is right-aligned
	Joined bool   // stays beside the column before it if the table is split
}

// Label returns the head with its unit: "p99 ms", "server calls/s".
func (c Column) Label() string {
	switch {
	case c.Unit == "":
		return c.Header
	case strings.HasPrefix(c.Unit, "/"):
		return c.Header + c.Unit
	}
	return c.Header + " " + c.Unit
}

// WriteAll writes tables one below the other, each by write: Text or Markdown.
func WriteAll(w io.Writer, tables []Table, write func(io.Writer, Table) error) error {
	for i, t := range tables {
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
