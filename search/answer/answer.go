// Package answer writes what the searches size and tune find, under one head: as JSON, CSV,
// text or Markdown.
//
// The package makes no promise: it can change at any time.
package answer

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"github.com/limitgauge/limitgauge/report/table"
)

// SchemaVersion is the version of the documents. It changes when a reader must change.
const SchemaVersion = 1

// Head begins every document.
type Head struct {
	SchemaVersion int    `json:"schema_version"`
	Kind          string `json:"kind"` // the command that searched
	Version       string `json:"version"`
	Rerun         string `json:"rerun"` // the command that makes the document again
}

// NewHead returns the head of a document of a command.
func NewHead(kind, version, rerun string) Head {
	return Head{SchemaVersion: SchemaVersion, Kind: kind, Version: version, Rerun: rerun}
}

// Answer is a document that Write writes.
type Answer interface {
	// Rows returns the rows of the CSV file. The first names the columns.
	Rows() [][]any
	// Lead returns what stands above the tables.
	Lead(markdown bool) string
	Tables() []table.Table
	// Tail returns what stands below the tables.
	Tail(markdown bool) string
}

// Scenario is an answer that is a scenario file, too.
type Scenario interface {
	// ScenarioText returns the file, empty if there is none.
	ScenarioText() string
}

// Write writes an answer in a format: json, csv, markdown, table, or yaml for a Scenario.
// tables writes tables as markdown and table.
func Write(w io.Writer, d Answer, format string, tables func(w io.Writer, list []table.Table, format string) error) error {
	switch format {
	case "json":
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(d)
	case "csv":
		return writeCSV(w, d.Rows())
	case "yaml":
		_, err := io.WriteString(w, d.(Scenario).ScenarioText())
		return err
	}
	markdown := format == "markdown"
	if _, err := io.WriteString(w, d.Lead(markdown)); err != nil {
		return err
	}
	if err := tables(w, d.Tables(), format); err != nil {
		return err
	}
	_, err := io.WriteString(w, d.Tail(markdown))
	return err
}

// writeCSV writes rows. The cell of a nil pointer is empty.
func writeCSV(w io.Writer, rows [][]any) error {
	c := csv.NewWriter(w)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, x := range row {
			if v := reflect.ValueOf(x); v.Kind() != reflect.Pointer {
				cells[i] = fmt.Sprint(x)
			} else if !v.IsNil() {
				cells[i] = fmt.Sprint(v.Elem())
			}
		}
		c.Write(cells)
	}
	c.Flush()
	return c.Error()
}
