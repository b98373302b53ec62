// Package verdicts writes the verdicts of a gate, one file per output format.
// Each format is a line of the list in this file.
//
// The package makes no promise: it can change at any time.
package verdicts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/gate"
)

// output is an output format of verdicts.
type output struct {
	name    string
	render  func(io.Writer, gate.Verdicts) error
	leftOut func(gate.Verdicts) string // describes what the format cannot show; nil if it shows all
}

// formats are the output formats of verdicts.
var formats = []output{
	{"table", writeText, nil},
	{"markdown", writeMarkdown, nil},
	{"csv", writeCSV, nil},
	{"json", writeJSON, nil},
	{"jsonl", writeJSONLines, nil},
	{"junit", writeJUnit, nil},
	{"github", writeAnnotations, nil},
	{"benchmark", smallerIsBetter.write, smallerIsBetter.leftOut},
	{"benchmark-bigger", biggerIsBetter.write, biggerIsBetter.leftOut},
}

// Formats returns the names that Render accepts.
func Formats() []string {
	return lists.Map(formats, func(f output) string { return f.name })
}

// Render writes verdicts in one of Formats. Every format lists the verdicts
// that determine the outcome, except the benchmark formats, which list metrics.
func Render(w io.Writer, v gate.Verdicts, format string) error {
	for _, f := range formats {
		if f.name == format {
			return f.render(w, v)
		}
	}
	return fmt.Errorf("verdicts cannot be written as %q (%s)", format, strings.Join(Formats(), ", "))
}

// LeftOut returns a note on the verdicts that the format cannot show, or "".
func LeftOut(v gate.Verdicts, format string) string {
	for _, f := range formats {
		if f.name == format && f.leftOut != nil {
			return f.leftOut(v)
		}
	}
	return ""
}

// encode writes values as JSON, one after the other, in a single write. It
// leaves < and > as they are.
func encode(w io.Writer, indent string, values ...any) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	for _, value := range values {
		if err := enc.Encode(value); err != nil {
			return fmt.Errorf("write verdicts: %w", err)
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}
