package verdicts

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// hostile is a name with all characters that have a meaning in some format.
const hostile = "50%, a:b\r\n::error::x\x00\x1b[31m\xff]]>&<img src=x>\"'|`*_\\ \uFFFE\u202E"

func hostileVerdicts(n int) gate.Verdicts {
	figure := 12.5
	v := gate.Verdicts{Stamp: results.Stamp{Rerun: "limitgauge run '" + hostile + "'", Version: "0.1.0"}}
	for i := range n {
		v.List = append(v.List, gate.Verdict{
			Scenario: hostile, Algorithm: hostile, Metric: "m", Op: "<=", Threshold: 1, Status: gate.Failed, Figure: &figure, BadEnd: &figure,
			File: "dir,1/100%:" + hostile + ".yaml", Line: i + 1, Col: 7,
		})
	}
	return v
}

// No text of a file may end an annotation, start another one, or become a
// command in the log.
func TestAnnotationsAreEscaped(t *testing.T) {
	text := rendered(t, hostileVerdicts(3), "github")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines, want 3 annotations and a summary:\n%s", len(lines), text)
	}
	for i, line := range lines[:3] {
		properties, ok := strings.CutPrefix(line, "::error ")
		properties, message, cut := strings.Cut(properties, "::")
		if !ok || !cut || strings.ContainsAny(line, "\r\x00\x1b") || !utf8.ValidString(line) {
			t.Fatalf("not a workflow command: %q", line)
		}
		read := map[string]string{}
		for _, p := range strings.Split(properties, ",") {
			name, value, _ := strings.Cut(p, "=")
			read[name] = strings.NewReplacer("%3A", ":", "%2C", ",", "%0A", "\n", "%0D", "\r", "%25", "%").Replace(value)
		}
		if len(read) != 4 || !strings.HasPrefix(read["file"], "dir,1/100%:50%, a:b") || read["line"] != fmt.Sprint(i+1) || read["col"] != "7" {
			t.Errorf("the properties read as %q", read)
		}
		if !strings.HasPrefix(read["title"], "gate failed: 50%, a:b") {
			t.Errorf("the title reads as %q", read["title"])
		}
		if !strings.Contains(message, "50%25, a:b") || !strings.HasSuffix(message, "(was 12.5, seed 0)") {
			t.Errorf("the message is %q", message)
		}
	}
}

// A line break in a command is escaped.
func TestCommandEscapes(t *testing.T) {
	if got := commandProperty.Replace("%3A\r\n:,"); got != "%253A%0D%0A%3A%2C" {
		t.Errorf("a property is written as %q", got)
	}
	if got := commandMessage.Replace("%0A\r\n:,"); got != "%250A%0D%0A:," {
		t.Errorf("a message is written as %q", got)
	}
}

func TestAnnotationsAreFewAndFailuresFirst(t *testing.T) {
	v := hostileVerdicts(7)
	for i := range v.List[:4] {
		v.List[i].Status, v.List[i].Reason = gate.Unevaluated, "no data"
	}
	v.List = append(v.List, v.List...)
	lines := strings.Split(strings.TrimSpace(rendered(t, v, "github")), "\n")
	if len(lines) != MaxAnnotations+2 || lines[MaxAnnotations] != "4 more: the job summary and every other format list them" {
		t.Fatalf("%d lines, the one after the annotations is %q", len(lines), lines[min(MaxAnnotations, len(lines)-1)])
	}
	for i, line := range lines[:MaxAnnotations] {
		if failed := strings.Contains(line, "title=gate failed"); failed != (i < 6) {
			t.Errorf("annotation %d: %s; want the 6 failures first", i, line)
		}
	}
}

// Without a file, an annotation has no position.
func TestAnnotationWithoutFile(t *testing.T) {
	doc := resultstest.Document()
	doc.Stamp.ScenarioFile = "suite:accuracy"
	text := rendered(t, gate.Evaluate(doc), "github")
	if strings.Contains(text, "file=") || strings.Contains(text, "line=") {
		t.Errorf("an annotation points at a file that is not in the repository:\n%s", text)
	}
}

// With a hostile name the output is valid XML, and every check has its own
// case. Dashboards identify cases by class and name, and drop duplicates.
func TestJUnitIsXMLWithDistinctNames(t *testing.T) {
	v := hostileVerdicts(3)
	v.List[2].Scenario = strings.ReplaceAll(hostile, "\x00", "\x01") // equal to hostile after cleaning
	text := rendered(t, v, "junit")
	names := map[string]bool{}
	for dec := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not XML: %v\n%s", err, text)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "testcase" {
			name := ""
			for _, a := range start.Attr {
				if a.Name.Local == "classname" || a.Name.Local == "name" {
					name += a.Value + "\x00"
				}
				if a.Name.Local == "time" && a.Value != "0" {
					t.Errorf("nothing was run, and a case took %s s", a.Value)
				}
			}
			names[name] = true
		}
	}
	if len(names) != 3 {
		t.Errorf("%d distinct cases, want 3:\n%s", len(names), text)
	}
	for _, r := range text {
		if r < ' ' && r != '\n' || r == '\u202E' || r == '\uFFFE' {
			t.Errorf("%U is in the report", r)
		}
	}
}

// The times of the cases add up to that of their suite, in whole milliseconds.
func TestJUnitTimesAddUp(t *testing.T) {
	const scenarios, checks = 3, 7
	v := gate.Verdicts{Took: gate.Took{Run: 4321 * time.Millisecond, Scenarios: map[string]time.Duration{}}}
	for i, took := range []time.Duration{4300*time.Millisecond + 400*time.Microsecond, 20*time.Millisecond + 600*time.Microsecond, 0} {
		name := fmt.Sprint("s", i)
		v.Took.Scenarios[name] = took
		for j := range checks {
			v.List = append(v.List, gate.Verdict{Scenario: name, Algorithm: fmt.Sprint(j), Metric: "m", Op: "<=", Status: gate.Passed})
		}
	}
	var report struct {
		Time   string `xml:"time,attr"`
		Suites []struct {
			Time  string `xml:"time,attr"`
			Cases []struct {
				Time float64 `xml:"time,attr"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(rendered(t, v, "junit")), &report); err != nil {
		t.Fatal(err)
	}
	if report.Time != "4.321" || len(report.Suites) != scenarios {
		t.Fatalf("the run took %s s in %d suites, want 4.321 s in %d", report.Time, len(report.Suites), scenarios)
	}
	for i, want := range []string{"4.3", "0.021", "0"} {
		sum := 0.0
		for _, c := range report.Suites[i].Cases {
			sum += c.Time
		}
		if got := report.Suites[i]; got.Time != want || len(got.Cases) != checks || fmt.Sprint(math.Round(1000*sum)/1000) != want {
			t.Errorf("suite %d: %s s, and its %d cases %g s; want %s s", i, got.Time, len(got.Cases), sum, want)
		}
	}
}

// A case whose name equals the numbered name of another one gets a different
// name.
func TestJUnitNamesDoNotCollide(t *testing.T) {
	pass := gate.Verdict{Scenario: "s", Algorithm: "a", Metric: "m", Op: "<=", Threshold: 1, Status: gate.Passed}
	trap := pass
	trap.Metric, trap.Op = "m <= 1", "(2)"
	v := gate.Verdicts{List: []gate.Verdict{pass, trap, pass, pass}}
	text := rendered(t, v, "junit")
	for line := range strings.Lines(text) {
		if strings.Contains(line, "<testcase") && strings.Count(text, line) != 1 {
			t.Errorf("%s is there twice", strings.TrimSpace(line))
		}
	}
}

// The summary never exceeds the limit, never ends within a row, and counts the
// omitted rows if there are any.
func TestSummaryIsCut(t *testing.T) {
	v := hostileVerdicts(12)
	var whole bytes.Buffer
	if err := WriteSummary(&whole, v, MaxSummary); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(whole.String(), "Cut here") || strings.Count(whole.String(), "\n| **failed** |") != 12 {
		t.Fatalf("the whole summary is not whole:\n%s", whole.String())
	}
	written := 0
	for limit := 0; limit < whole.Len()+2; limit++ {
		if limit < whole.Len()-300 {
			limit += 6 // every limit near the end, a few of the others
		}
		var out bytes.Buffer
		err := WriteSummary(&out, v, limit)
		if err != nil && out.Len() == 0 {
			if written > 0 {
				t.Fatalf("%d bytes are too few, fewer were enough", limit)
			}
			continue
		}
		if err != nil || out.Len() > limit {
			t.Fatalf("%d bytes with a limit of %d (%v)", out.Len(), limit, err)
		}
		written++
		rows := strings.Count(out.String(), "\n| **failed** |")
		said := strings.Contains(out.String(), fmt.Sprintf("Cut here: %d of 12 checks", 12-rows))
		if said != (limit < whole.Len()) || (rows < 12) != said {
			t.Fatalf("limit %d: %d rows of 12, cut said: %t\n%s", limit, rows, said, out.String())
		}
		if !strings.HasPrefix(out.String(), "### limitgauge gate: failed\n") || !utf8.ValidString(out.String()) {
			t.Fatalf("limit %d: the head is damaged:\n%s", limit, out.String())
		}
	}
	if written == 0 {
		t.Error("no limit was enough")
	}
}

// Text from a file stays text: it is not read as HTML and does not end a table
// cell.
func TestSummaryIsEscaped(t *testing.T) {
	var out bytes.Buffer
	if err := WriteSummary(&out, hostileVerdicts(1), MaxSummary); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "| **failed**") {
			continue
		}
		bars := strings.Count(strings.ReplaceAll(strings.ReplaceAll(line, `\\`, ""), `\|`, ""), "|")
		if bars != 6 || strings.Contains(strings.ReplaceAll(line, "<= ", ""), "<") {
			t.Errorf("a row of %d bars: %s", bars, line)
		}
	}
}

// Markdown drops text that looks like a tag. Comparisons stay.
func TestMarkdownShowsTags(t *testing.T) {
	v := hostileVerdicts(1)
	v.List[0].Scenario = "<b>x</b> <!-- y"
	text := rendered(t, v, "markdown")
	if strings.Contains(text, "<b") || strings.Contains(text, "</") || strings.Contains(text, "<!") || !strings.Contains(text, " <= 1 ") {
		t.Errorf("tags in a name are tags:\n%s", text)
	}
}

// The metric's direction selects the list of a metric. Without a direction, its
// thresholds select it, if they agree.
func TestBenchmarkLists(t *testing.T) {
	x, far := 12.5, 13.0
	check := func(metric, op string) gate.Verdict {
		return gate.Verdict{Scenario: "s", Algorithm: "a", Metric: metric, Op: op, Threshold: 20, Status: gate.Passed, Figure: &x, BadEnd: &far, Seed: 3}
	}
	missing := check("burst_excess", "<=")
	missing.Figure, missing.BadEnd, missing.Status, missing.Reason = nil, nil, gate.Unevaluated, "no data"
	v := gate.Verdicts{Metrics: resultstest.Metrics, List: []gate.Verdict{
		check("over_limit_pct", "<="), check("over_limit_pct", ">="), // lower is better, whatever is expected
		check("fairness_tenant_run_min", "=="),                         // higher is better
		check("rejected_pct", "<="),                                    // no direction, but an upper threshold
		check("unknown", ">"),                                          // the same with a lower one
		check("band", "<="), check("band", ">="), check("exact", "=="), // neither
		missing,
	}}
	names := func(format string) (names []string) {
		var list []benchmarkEntry
		if err := json.Unmarshal([]byte(rendered(t, v, format)), &list); err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			names = append(names, e.Name)
		}
		return names
	}
	if diff := cmp.Diff([]string{"s / a / over_limit_pct", "s / a / rejected_pct"}, names("benchmark")); diff != "" {
		t.Errorf("smaller is better (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"s / a / fairness_tenant_run_min", "s / a / unknown"}, names("benchmark-bigger")); diff != "" {
		t.Errorf("bigger is better (-want +got):\n%s", diff)
	}
	if got, want := LeftOut(v, "benchmark"), "left out of this list: 2 where more is better: --format benchmark-bigger; 2 without a direction; 1 without data"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if note := LeftOut(v, "json"); note != "" {
		t.Errorf("JSON leaves out %q", note)
	}
	if err := Render(io.Discard, gate.Verdicts{}, "xml"); err == nil {
		t.Error("an unknown format is accepted")
	}
	want := `[
  {
    "name": "s / a / over_limit_pct",
    "unit": "%",
    "value": 12.5,
    "range": "± 0.5",
    "extra": "seed 3\nexpect passed: a over_limit_pct <= 20 (was 12.5, interval to 13, seed 3)"
  }
]
`
	one := gate.Verdicts{Metrics: resultstest.Metrics, List: v.List[:1]}
	if diff := cmp.Diff(want, rendered(t, one, "benchmark")); diff != "" {
		t.Errorf("an entry differs (-want +got):\n%s", diff)
	}
	if got := rendered(t, gate.Verdicts{}, "benchmark"); got != "[]\n" {
		t.Errorf("no figures are written as %q", got)
	}
}

func rendered(t *testing.T, v gate.Verdicts, format string) string {
	t.Helper()
	var out bytes.Buffer
	if err := Render(&out, v, format); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return out.String()
}
