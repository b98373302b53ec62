package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/search/answer"
)

// Document is the answer of limitgauge check.
type Document struct {
	answer.Head
	Files    []string `json:"files"`
	Replicas int      `json:"replicas"`
	Said
	Log        *Log        `json:"log"`        // null without --log
	Difference *Difference `json:"difference"` // null without --instead
}

// Rows returns a row for each rule and each finding.
func (d *Document) Rows() [][]any {
	rows := [][]any{{"what", "file", "line", "rule", "text"}}
	for _, r := range d.Rules {
		rows = append(rows, []any{"rule", r.File, r.Line, r.Name, flat(r.Sentence)})
	}
	for _, f := range d.Findings {
		rows = append(rows, []any{f.Kind, f.File, f.Line, f.Rule, f.Text})
	}
	for _, p := range d.NotJudged {
		for _, at := range p.Lines {
			rows = append(rows, []any{"not judged", at.File, at.Line, p.What, p.Why})
		}
	}
	if d.Log != nil {
		for _, r := range d.Log.Rules {
			text := fmt.Sprintf("%s, %d refused of %s, %d delayed", format.Count(r.Applied, "request"), r.Refused, format.Count(r.RefusedKeys, "key"), r.Delayed)
			rows = append(rows, []any{"on the log", r.File, r.Line, r.Name, cmp.Or(r.NotJudged, text)})
		}
	}
	if d.Difference != nil && d.Difference.First != nil {
		f := d.Difference.First
		rows = append(rows, []any{"first difference", f.File, f.Line, "", f.Reason})
	}
	return rows
}

// Lead and Tail return nothing: all stands in tables.
func (d *Document) Lead(bool) string { return "" }
func (d *Document) Tail(bool) string { return "" }

func flat(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// Tables returns the rules, what is found about them, and what is not judged.
func (d *Document) Tables() []table.Table {
	list := d.tables("", nil)
	if d.Log != nil {
		list = append(list, d.Log.tables()...)
	}
	if d.Difference != nil {
		list = slices.Concat(list, d.Difference.Said.tables(" instead", d.Difference.Log.notJudged()), d.Difference.tables(d.Log))
	}
	return list
}

// tables returns the rules, what is found about them, and what is not judged, of which more
// are rules that a log does not judge. which ends their titles.
func (s *Said) tables(which string, more []string) []table.Table {
	rules := lists.Map(s.Rules, func(r Rule) string { return fmt.Sprintf("%s %s: %s", r.Position, r.Name, flat(r.Sentence)) })
	if rules == nil {
		rules = []string{"none"}
	}
	found := lists.Map(s.Findings, func(f Finding) string {
		return fmt.Sprintf("%s: %s: %s", strings.TrimSpace(f.Position.String()+" "+f.Rule), f.Kind, f.Text)
	})
	list := []table.Table{{Title: "rules" + which, Notes: rules}, {Title: "findings" + which, Notes: found},
		{Title: "not judged" + which, Notes: append(lists.Map(s.NotJudged, Part.String), more...)}}
	return lists.Where(list, func(t table.Table) bool { return len(t.Notes) > 0 })
}

// String writes a part with its lines: limit_conn at nginx.conf:18, 44 (concurrency).
func (p Part) String() string {
	const shown = 12
	text, file := "", ""
	for i, at := range p.Lines {
		if more := len(p.Lines) - i; i == shown && more > 1 {
			text += fmt.Sprintf(" and %d more", more)
			break
		}
		if at.File == file {
			text += fmt.Sprintf(", %d", at.Line)
			continue
		}
		text += fmt.Sprintf(", %s:%d", at.File, at.Line)
		file = at.File
	}
	return fmt.Sprintf("%s at %s (%s)", p.What, strings.TrimPrefix(text, ", "), p.Why)
}
