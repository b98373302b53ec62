package verdicts

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/report/gate"
)

// readers derive the outcome from the text of a format alone: from the checks
// that it lists, and from its summary if it has one.
var readers = map[string]func(text string) (gate.Status, error){
	"table":    readSummaryLine,
	"markdown": readSummaryLine,
	"json":     readJSON,
	"jsonl":    readLines,
	"csv":      readCSV,
	"junit":    readJUnit,
	"github":   readLog,
	"summary":  readJobSummary,
}

// Every format has the same outcome as the exit code. The test writes every
// list of up to two verdicts of every status, for thresholds and baselines,
// with and without --allow-unevaluated, and every list of up to one verdict of
// an interrupted run, in every format.
func TestEveryFormatSaysTheOutcome(t *testing.T) {
	x, y := 12.5, 13.5
	var variants []gate.Verdict
	for _, status := range []gate.Status{gate.Unevaluated, gate.Passed, gate.Failed, gate.Improved, gate.Unchanged, gate.Status(99)} {
		for _, allowed := range []bool{false, true} {
			v := gate.Verdict{Scenario: "s", Algorithm: "a", Metric: "m", Op: "<=", Threshold: 13, Status: status, Figure: &x, BadEnd: &y, Allowed: allowed}
			against := v
			against.Op, against.Threshold, against.BadEnd = "", 0, nil
			against.Change = &gate.Change{Base: &y, MinEffect: 0.5}
			without := v
			without.Figure, without.BadEnd = nil, nil
			variants = append(variants, v, against, without)
		}
	}
	lists := [][]gate.Verdict{nil}
	for i, a := range variants {
		lists = append(lists, []gate.Verdict{a})
		for _, b := range variants[i:] {
			lists = append(lists, []gate.Verdict{a, b})
		}
	}
	for _, list := range lists {
		for _, partial := range []bool{false, true} {
			if partial && len(list) > 1 {
				continue
			}
			v := gate.Verdicts{List: list, Partial: partial}
			want := expectedOutcome(list, partial)
			if got := v.Outcome(); got != want {
				t.Fatalf("outcome %s, want %s: %v, partial %t", got, want, list, partial)
			}
			for format, read := range readers {
				var out bytes.Buffer
				if err := renderAny(&out, v, format); err != nil {
					t.Fatalf("%s: %v", format, err)
				}
				if got, err := read(out.String()); err != nil || got != want {
					t.Fatalf("%s says %s (%v), the exit code %s: %v, partial %t\n%s", format, got, err, want, list, partial, out.String())
				}
			}
		}
	}
	for _, format := range Formats() {
		if readers[format] == nil && !strings.HasPrefix(format, "benchmark") {
			t.Errorf("nothing checks what the format %s says", format)
		}
	}
}

// expectedOutcome computes the outcome independently of package gate.
func expectedOutcome(list []gate.Verdict, partial bool) gate.Status {
	failed, open, holds := 0, 0, 0
	for _, v := range list {
		switch v.Status {
		case gate.Failed:
			failed++
		case gate.Passed, gate.Improved, gate.Unchanged:
			holds++
		default:
			if !v.Allowed {
				open++
			}
		}
	}
	switch {
	case failed > 0:
		return gate.Failed
	case partial || open > 0 || holds == 0:
		return gate.Unevaluated
	}
	return gate.Passed
}

func renderAny(w io.Writer, v gate.Verdicts, format string) error {
	if format == "summary" {
		return WriteSummary(w, v, MaxSummary)
	}
	return Render(w, v, format)
}

func statusNamed(word string) (gate.Status, error) {
	for s := gate.Unevaluated; s <= gate.Unchanged; s++ {
		if s.String() == word {
			return s, nil
		}
	}
	return 0, fmt.Errorf("no status is called %q", word)
}

// fold returns the outcome of a list of statuses. Excused ones are ignored.
type fold struct{ failed, open, rows int }

func (f *fold) add(word string, excused bool) error {
	s, err := statusNamed(word)
	f.rows++
	switch {
	case s == gate.Failed:
		f.failed++
	case s == gate.Unevaluated && !excused:
		f.open++
	}
	return err
}

func (f fold) outcome() gate.Status {
	switch {
	case f.failed > 0:
		return gate.Failed
	case f.open > 0 || f.rows == 0:
		return gate.Unevaluated
	}
	return gate.Passed
}

var summaryLine = regexp.MustCompile(`(?m)^(?:- )?(\w+): (?:\d+ passed, \d+ failed|nothing to check)`)

// readSummaryLine reads the summary and the verdicts of the rows above it,
// which must agree with it.
func readSummaryLine(text string) (gate.Status, error) {
	found := summaryLine.FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		return 0, fmt.Errorf("%d summaries", len(found))
	}
	outcome, err := statusNamed(found[0][1])
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimPrefix(line, "| "), "failed ") && outcome != gate.Failed {
			return 0, fmt.Errorf("a row failed, the summary says %s", outcome)
		}
	}
	return outcome, err
}

func readJSON(text string) (gate.Status, error) {
	var doc struct {
		Outcome  string
		Verdicts []struct {
			Status  string
			Allowed bool
		}
		Passed, Failed, Unevaluated, Improved, Unchanged int
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		return 0, err
	}
	var f fold
	for _, v := range doc.Verdicts {
		if err := f.add(v.Status, v.Allowed); err != nil {
			return 0, err
		}
	}
	if n := doc.Passed + doc.Failed + doc.Unevaluated + doc.Improved + doc.Unchanged; n != f.rows {
		return 0, fmt.Errorf("counts of %d verdicts, %d of them listed", n, f.rows)
	}
	if f.outcome().String() != doc.Outcome {
		return 0, fmt.Errorf("outcome %s over a list that says %s", doc.Outcome, f.outcome())
	}
	return f.outcome(), nil
}

func readLines(text string) (gate.Status, error) {
	var f fold
	for line := range strings.Lines(text) {
		var v struct {
			Status  string
			Allowed bool
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return 0, err
		}
		if err := f.add(v.Status, v.Allowed); err != nil {
			return 0, err
		}
	}
	return f.outcome(), nil
}

func readCSV(text string) (gate.Status, error) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return 0, err
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	var f fold
	for _, row := range rows[1:] {
		if err := f.add(row[column["status"]], row[column["allowed"]] == "true"); err != nil {
			return 0, err
		}
	}
	return f.outcome(), nil
}

// readJUnit reads the elements, as dashboards do, and compares them with the
// counts.
func readJUnit(text string) (gate.Status, error) {
	type counts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	}
	var doc struct {
		counts
		Suites []struct {
			counts
			Skipped int `xml:"skipped,attr"`
			Cases   []struct {
				Failures []struct{} `xml:"failure"`
				Errors   []struct{} `xml:"error"`
				Skipped  []struct{} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		return 0, err
	}
	var total counts
	for _, s := range doc.Suites {
		var seen counts
		skipped := 0
		for _, c := range s.Cases {
			seen.Tests++
			seen.Failures += len(c.Failures)
			seen.Errors += len(c.Errors)
			skipped += len(c.Skipped)
		}
		if seen != s.counts || skipped != s.Skipped {
			return 0, fmt.Errorf("a suite counts %+v with %d skipped and has %+v with %d", s.counts, s.Skipped, seen, skipped)
		}
		total.Tests += seen.Tests
		total.Failures += seen.Failures
		total.Errors += seen.Errors
	}
	if total != doc.counts {
		return 0, fmt.Errorf("the report counts %+v and has %+v", doc.counts, total)
	}
	switch {
	case total.Failures > 0:
		return gate.Failed, nil
	case total.Errors > 0 || total.Tests == 0:
		return gate.Unevaluated, nil
	}
	return gate.Passed, nil
}

// readLog expects an annotation if and only if the gate does not pass.
func readLog(text string) (gate.Status, error) {
	errors := strings.Count("\n"+text, "\n::error ")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	word, _, _ := strings.Cut(strings.TrimPrefix(lines[len(lines)-1], "gate "), ":")
	outcome, err := statusNamed(word)
	if (errors > 0) == (outcome == gate.Passed) {
		return 0, fmt.Errorf("%d annotations and the outcome %s", errors, outcome)
	}
	return outcome, err
}

func readJobSummary(text string) (gate.Status, error) {
	head, rest, _ := strings.Cut(text, "\n")
	outcome, err := statusNamed(strings.TrimPrefix(head, "### limitgauge gate: "))
	if strings.Contains(rest, "| **failed** |") != (outcome == gate.Failed) {
		return 0, fmt.Errorf("the rows contradict the outcome %s", outcome)
	}
	return outcome, err
}
