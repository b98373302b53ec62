package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// RenderVerdicts writes verdicts as "table", "markdown", "csv" or "json". Text
// and Markdown end with the summary, JSON holds it; all of them say what
// Outcome says.
func RenderVerdicts(w io.Writer, v Verdicts, format string) error {
	switch format {
	case "table":
		return RenderText(w, verdictTable(v))
	case "markdown":
		return RenderMarkdown(w, verdictTable(v))
	case "csv":
		return verdictCSV(w, v)
	case "json":
		return verdictJSON(w, v)
	}
	return fmt.Errorf("verdicts cannot be written as %q (table, markdown, csv or json)", format)
}

// verdictTable has a row for each threshold; what failed or was not evaluated
// is spelled out under it.
func verdictTable(v Verdicts) Table {
	t := Table{Title: "gate"}
	if len(v.List) > 0 {
		t.Columns = []Column{
			{Header: "verdict"}, {Header: "scenario"}, {Header: "algorithm"}, {Header: "metric"},
			{Header: "expect", Right: true}, {Header: "figure", Right: true}, {Header: "bad end", Right: true},
		}
	}
	for _, one := range v.List {
		t.Rows = append(t.Rows, []string{
			one.Status.String(), one.Scenario, one.Algorithm, one.Metric,
			one.Op + " " + threshold(one.Threshold), optional(one.Figure, one.Threshold), optional(one.BadEnd, one.Threshold),
		})
	}
	for _, one := range v.List {
		if one.Status != Passed {
			t.Notes = append(t.Notes, one.Scenario+": "+one.String())
		}
	}
	t.Notes = append(t.Notes, v.Summary())
	return t
}

func optional(x *float64, limit float64) string {
	if x == nil {
		return noData
	}
	return beside(*x, limit)
}

func verdictCSV(w io.Writer, v Verdicts) error {
	out := csv.NewWriter(w)
	lines := [][]string{{"scenario", "algorithm", "metric", "op", "threshold", "status", "figure", "bad_end", "seed", "line", "col", "reason"}}
	for _, one := range v.List {
		lines = append(lines, []string{
			one.Scenario, one.Algorithm, one.Metric, one.Op, threshold(one.Threshold), one.Status.String(),
			precise(one.Figure), precise(one.BadEnd), strconv.FormatUint(one.Seed, 10),
			strconv.Itoa(one.Line), strconv.Itoa(one.Col), one.Reason,
		})
	}
	if err := out.WriteAll(lines); err != nil {
		return fmt.Errorf("write csv: %w", err)
	}
	return nil
}

func verdictJSON(w io.Writer, v Verdicts) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	verdicts := v.List
	if verdicts == nil {
		verdicts = []Verdict{}
	}
	if err := enc.Encode(struct {
		Outcome     Status    `json:"outcome"`
		Summary     string    `json:"summary"`
		Partial     bool      `json:"partial"`
		Passed      int       `json:"passed"`
		Failed      int       `json:"failed"`
		Unevaluated int       `json:"unevaluated"`
		Verdicts    []Verdict `json:"verdicts"`
	}{v.Outcome(), v.Summary(), v.Partial, v.Count(Passed), v.Count(Failed), v.Count(Unevaluated), verdicts}); err != nil {
		return fmt.Errorf("write verdicts: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}
