package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/report/table"
)

// verdictFormats are the forms that verdicts can be written in.
var verdictFormats = []struct {
	name   string
	render func(io.Writer, Verdicts) error
}{
	{"table", renderVerdictTables(table.Text)},
	{"markdown", renderVerdictTables(table.Markdown)},
	{"csv", verdictCSV},
	{"json", verdictJSON},
	{"jsonl", verdictLines},
	{"junit", verdictJUnit},
	{"github", verdictAnnotations},
	{"benchmark", smallerIsBetter},
	{"benchmark-bigger", biggerIsBetter},
}

// VerdictFormats names the formats of RenderVerdicts.
func VerdictFormats() []string {
	var names []string
	for _, f := range verdictFormats {
		names = append(names, f.name)
	}
	return names
}

// RenderVerdicts writes verdicts in one of VerdictFormats. Each of them lists
// what Outcome decides by, so that none can say anything else; but for the two
// benchmark formats, which are figures.
func RenderVerdicts(w io.Writer, v Verdicts, format string) error {
	for _, f := range verdictFormats {
		if f.name == format {
			return f.render(w, v)
		}
	}
	return fmt.Errorf("verdicts cannot be written as %q (%s)", format, strings.Join(VerdictFormats(), ", "))
}

func renderVerdictTables(render func(io.Writer, table.Table) error) func(io.Writer, Verdicts) error {
	return func(w io.Writer, v Verdicts) error {
		for i, t := range verdictTables(v) {
			if i > 0 {
				if _, err := io.WriteString(w, "\n"); err != nil {
					return err
				}
			}
			if err := render(w, t); err != nil {
				return err
			}
		}
		return nil
	}
}

// verdictTables are the thresholds and the comparisons with a baseline, where
// there are any; what failed or was not evaluated is spelled out under them,
// the summary last.
func verdictTables(v Verdicts) []table.Table {
	var tables []table.Table
	all := v.all()
	has := func(kind string) bool {
		return slices.ContainsFunc(all, func(one Verdict) bool { return one.kind() == kind })
	}
	if has("threshold") {
		tables = append(tables, thresholdTable(all))
	}
	if has("baseline") {
		tables = append(tables, baselineTable(all))
	}
	if len(tables) == 0 {
		tables = []table.Table{{Title: "gate"}}
	}
	last := &tables[len(tables)-1]
	for _, one := range all {
		if !one.Status.Holds() && one.kind() != "run" {
			last.Notes = append(last.Notes, one.Scenario+": "+one.String())
		}
	}
	last.Notes = append(last.Notes, v.Summary())
	return tables
}

func thresholdTable(all []Verdict) table.Table {
	t := table.Table{Title: "gate", Columns: []table.Column{
		{Header: "verdict"}, {Header: "scenario"}, {Header: "algorithm"}, {Header: "metric"},
		{Header: "expect", Right: true}, {Header: "figure", Right: true}, {Header: "bad end", Right: true},
	}}
	for _, one := range all {
		if one.kind() == "threshold" {
			t.Rows = append(t.Rows, []string{
				one.Status.String(), one.Scenario, one.Algorithm, one.Metric,
				one.Op + " " + format.Exact(one.Threshold), optional(one.Figure, one.Threshold), optional(one.BadEnd, one.Threshold),
			})
		}
	}
	return t
}

func baselineTable(all []Verdict) table.Table {
	t := table.Table{Title: "gate: against the baseline", Columns: []table.Column{
		{Header: "verdict"}, {Header: "scenario"}, {Header: "algorithm"}, {Header: "metric"},
		{Header: "base", Right: true}, {Header: "now", Right: true}, {Header: "change", Right: true},
		{Header: "counts from", Right: true}, {Header: "p", Right: true},
	}}
	for _, one := range all {
		if c := one.Change; c != nil {
			t.Rows = append(t.Rows, []string{
				one.Status.String(), one.Scenario, one.Algorithm, one.Metric,
				against(c.Base, one.Figure), against(one.Figure, c.Base), optionalFigure(c.Change, format.Signed),
				format.Number(c.MinEffect), optionalFigure(c.P, format.Number),
			})
		}
	}
	return t
}

func optional(x *float64, limit float64) string { return against(x, &limit) }

// against writes x so that it does not look equal to what it is compared with,
// unless it is.
func against(x, other *float64) string {
	switch {
	case x == nil:
		return format.NoData
	case other == nil:
		return format.Number(*x)
	}
	return format.Beside(*x, *other)
}

func optionalFigure(x *float64, write func(float64) string) string {
	if x == nil {
		return format.NoData
	}
	return write(*x)
}

func verdictCSV(w io.Writer, v Verdicts) error {
	out := csv.NewWriter(w)
	lines := [][]string{{
		"scenario", "algorithm", "metric", "op", "threshold", "status", "figure", "bad_end", "seed", "line", "col", "reason",
		"kind", "allowed", "base", "change", "min_effect", "p", "file", "note",
	}}
	for _, one := range v.all() {
		limit, change := "", [4]string{}
		switch one.kind() {
		case "threshold":
			limit = format.Exact(one.Threshold)
		case "baseline":
			c := one.Change
			change = [4]string{format.Precise(c.Base), format.Precise(c.Change), format.Precise(&c.MinEffect), format.Precise(c.P)}
		}
		lines = append(lines, []string{
			one.Scenario, one.Algorithm, one.Metric, one.Op, limit, one.Status.String(),
			format.Precise(one.Figure), format.Precise(one.BadEnd), strconv.FormatUint(one.Seed, 10),
			strconv.Itoa(one.Line), strconv.Itoa(one.Col), one.Reason,
			one.kind(), strconv.FormatBool(one.excused()), change[0], change[1], change[2], change[3], one.File, one.Note,
		})
	}
	if err := out.WriteAll(lines); err != nil {
		return fmt.Errorf("write csv: %w", err)
	}
	return nil
}

// verdictStamp is a document's stamp without the scenario's text.
type verdictStamp struct {
	Tool           string `json:"tool"`
	Version        string `json:"version"`
	Commit         string `json:"commit"`
	ScenarioFile   string `json:"scenario_file"`
	ScenarioSHA256 string `json:"scenario_sha256"`
	Seed           uint64 `json:"seed"`
	Rerun          string `json:"rerun"`
}

func verdictJSON(w io.Writer, v Verdicts) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	s := v.Stamp
	if err := enc.Encode(struct {
		Outcome     Status       `json:"outcome"`
		Summary     string       `json:"summary"`
		Partial     bool         `json:"partial"`
		Passed      int          `json:"passed"`
		Failed      int          `json:"failed"`
		Unevaluated int          `json:"unevaluated"`
		Improved    int          `json:"improved"`
		Unchanged   int          `json:"unchanged"`
		Stamp       verdictStamp `json:"stamp"`
		Verdicts    []Verdict    `json:"verdicts"`
	}{
		v.Outcome(), v.Summary(), v.Partial,
		v.Count(Passed), v.Count(Failed), v.Count(Unevaluated), v.Count(Improved), v.Count(Unchanged),
		verdictStamp{s.Tool, s.Version, s.Commit, s.ScenarioFile, s.ScenarioSHA256, s.Seed, s.Rerun},
		v.all(),
	}); err != nil {
		return fmt.Errorf("write verdicts: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// verdictLines writes one verdict a line.
func verdictLines(w io.Writer, v Verdicts) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, one := range v.all() {
		if err := enc.Encode(one); err != nil {
			return fmt.Errorf("write verdicts: %w", err)
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}
