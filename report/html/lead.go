package html

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/results"
)

// lead begins a page about recorded logs without expectations: what was read, and
// the sentence of each scenario's comparison.
type lead struct {
	Title string
	Read  []string
	Said  []said
}

// said is the sentence of a scenario's comparison.
type said struct{ ID, Name, Sentence string }

// newLead returns the lead of a document, or nil if the page begins with a
// verdict.
func newLead(doc *results.Document, v verdict, list []scenario) *lead {
	if v.Expected || doc.IsLive() || doc.Partial || len(doc.Input) == 0 {
		return nil
	}
	rows := int64(0)
	l := &lead{}
	for _, in := range doc.Input {
		rows += in.Rows
		text := strings.Join(in.Files, ", ")
		if in.Format != "" {
			text += " (" + in.Format + ")"
		}
		text += fmt.Sprintf(": %s of %s in %s", format.Count(in.Rows, "request"), format.Count(in.Keys, "key"), format.Span(in.LastNs-in.FirstNs))
		if in.Malformed > 0 {
			text += ", and " + format.Count(in.Malformed, "malformed row")
		}
		if len(doc.Input) > 1 {
			text = in.Scenario + ": " + text
		}
		l.Read = append(append(l.Read, text), table.HowRead(&in)...)
	}
	l.Title = format.Count(rows, "recorded request")
	for _, s := range list {
		if s.Sentence != "" {
			l.Said = append(l.Said, said{s.ID, s.Name, s.Sentence})
		}
	}
	return l
}
