package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Inputs returns the table of the recorded traces of a document: rows, malformed
// rows, span, keys, rates and resolution of timestamps. Without traces it has no
// rows.
func Inputs(doc *results.Document) Table {
	t := Table{
		Title: "input",
		Columns: []Column{
			{Header: "scenario"},
			{Header: "rows", Right: true},
			{Header: "malformed", Right: true},
			{Header: "span", Right: true},
			{Header: "keys", Right: true},
			{Header: "peak", Unit: "/s", Right: true},
			{Header: "mean", Unit: "/s", Right: true},
			{Header: "resolution", Right: true},
		},
	}
	for _, in := range doc.Input {
		t.Rows = append(t.Rows, []string{
			in.Scenario,
			strconv.FormatInt(in.Rows, 10),
			strconv.FormatInt(in.Malformed, 10),
			format.Span(in.LastNs - in.FirstNs),
			strconv.FormatInt(in.Keys, 10),
			strconv.FormatInt(in.PeakPerS, 10),
			format.Number(in.MeanPerS),
			format.Span(in.ResolutionNs),
		})
		note := fmt.Sprintf("%s: %s", in.Scenario, strings.Join(in.Files, ", "))
		if in.Format != "" {
			note += " (" + in.Format + ")"
		}
		if in.Rows > 0 {
			note += fmt.Sprintf(", %s to %s", instant(in.FirstNs, in.Relative), instant(in.LastNs, in.Relative))
		}
		if in.Cost != in.Rows {
			note += fmt.Sprintf(", cost %d", in.Cost)
		}
		if in.OutOfOrder > 0 {
			note += fmt.Sprintf(", %s out of order (sorted)", format.Count(in.OutOfOrder, "row"))
		}
		t.Notes = append(t.Notes, note)
		t.Notes = append(t.Notes, HowRead(&in)...)
		for _, p := range in.Problems {
			t.Notes = append(t.Notes, fmt.Sprintf("malformed: %s:%d: %s", p.File, p.Line, p.Message))
		}
		if more := in.Malformed - int64(len(in.Problems)); more > 0 && len(in.Problems) > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("malformed: and %d more", more))
		}
	}
	return t
}

// OtherKeys states what was taken as the key where other fields of a log could be it.
func OtherKeys(in *results.Input) (notes []string) {
	for _, c := range in.Choices {
		others := lists.Where(c.Others, func(o results.Candidate) bool { return o.Of == "key" })
		if len(others) == 0 {
			continue
		}
		list := lists.Map(others, func(o results.Candidate) string { return o.Field + " (" + o.Flag + ")" })
		note := fmt.Sprintf("key: %s; it could also be %s", c.Key, strings.Join(list, ", "))
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// HowRead states how the files were read, once for all files that were read in
// the same way, and the fields that could have been taken.
func HowRead(in *results.Input) (notes []string) {
	var files groups.Groups[string, string]
	others := map[string][]string{}
	for _, c := range in.Choices {
		if files.Of[c.Text] == nil {
			others[c.Text] = lists.Map(c.Others, func(o results.Candidate) string { return fmt.Sprintf("%s %s (%s)", o.Of, o.Field, o.Flag) })
		}
		files.Add(c.Text, c.File)
	}
	for _, text := range files.Keys {
		note := text
		if len(files.Keys) > 1 {
			note = strings.Join(files.Of[text], ", ") + ": " + text
		}
		notes = append(notes, note)
		if list := others[text]; len(list) > 0 {
			notes = append(notes, "other candidates: "+strings.Join(list, ", "))
		}
	}
	return notes
}

// instant writes the time of a trace's row: a date in UTC, or the time since the
// start of the trace.
func instant(ns int64, relative bool) string {
	if relative || !format.IsDate(ns) {
		return format.Span(ns)
	}
	return time.Unix(0, ns).UTC().Format("2006-01-02 15:04:05.999999999Z")
}
