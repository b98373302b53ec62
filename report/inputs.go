package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/sim/results"
)

// unixTimes is the time, ten years after 1970, from which an instant is taken
// for a date: simulated times start at 0 and do not come that far.
const unixTimes = 10 * 365 * 86400 * int64(time.Second)

// Inputs is the table of the recorded traces a document was made from, as they
// were read: how many rows, how many of them malformed, over which span, on how
// many keys, how busy and how finely stamped. No traces, no rows.
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
			count(in.Rows),
			count(in.Malformed),
			span(in.LastNs - in.FirstNs),
			count(in.Keys),
			count(in.PeakPerS),
			figure(in.MeanPerS),
			span(in.ResolutionNs),
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
			note += fmt.Sprintf(", %d rows out of order (sorted)", in.OutOfOrder)
		}
		t.Notes = append(t.Notes, note)
		for _, p := range in.Problems {
			t.Notes = append(t.Notes, fmt.Sprintf("malformed: %s:%d: %s", p.File, p.Line, p.Message))
		}
		if more := in.Malformed - int64(len(in.Problems)); more > 0 && len(in.Problems) > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("malformed: and %d more", more))
		}
	}
	return t
}

// instant writes a trace's time: as a date in UTC, or from the trace's start.
func instant(ns int64, relative bool) string {
	if relative || ns < unixTimes {
		return span(ns)
	}
	return time.Unix(0, ns).UTC().Format("2006-01-02 15:04:05.999999999Z")
}
