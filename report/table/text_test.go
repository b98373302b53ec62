package table

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// TestTextFits renders tables with long names, many columns and wide figures;
// no line may be wider than TextWidth, and nothing may be lost without a note.
func TestTextFits(t *testing.T) {
	long := resultstest.Document()
	for i := range long.Results {
		r := &long.Results[i]
		if !r.Reference {
			r.Algorithm = fmt.Sprintf("%s-%s-%d", r.Algorithm, strings.Repeat("with-a-very-long-name-", 4), i)
		}
		for name, s := range r.Metrics {
			if s.Mean != nil && *s.Mean != 0 && !r.Exact {
				r.Metrics[name] = resultstest.Interval(*s.Mean*1234.567, *s.Mean*1200, *s.Mean*1300, 20)
			}
		}
	}
	long.Scenarios[0].Warnings = append(long.Scenarios[0].Warnings, strings.Repeat("a word ", 60), strings.Repeat("x", 250))
	wide := DefaultColumns()
	for i := range 20 {
		wide = append(wide, fmt.Sprintf("fairness_tenant_run_and_some_more_%d_pct", i))
	}
	for name, table := range map[string]Table{
		"default":   Comparison(resultstest.Document().PerScenario()[0], nil, resultstest.Metrics, Verdicts{}),
		"long":      Comparison(long.PerScenario()[0], nil, resultstest.Metrics, Verdicts{}),
		"wide":      Comparison(resultstest.Document().PerScenario()[0], wide, resultstest.Metrics, Verdicts{}),
		"long wide": Comparison(long.PerScenario()[0], wide, resultstest.Metrics, Verdicts{}),
		"unicode":   {Columns: []Column{{Header: "名前"}, {Header: "値", Right: true}}, Rows: [][]string{{strings.Repeat("名", 80), "1"}}},
	} {
		var out bytes.Buffer
		if err := Text(&out, table); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if w := format.Width(strings.TrimRight(line, "\n")); w > TextWidth {
				t.Errorf("%s: a line is %d wide:\n%s", name, w, line)
			}
		}
		if name == "default" && !strings.Contains(out.String(), "12.3 ±0.4") {
			t.Errorf("the default table lost its intervals:\n%s", out.String())
		}
		if name == "long" {
			for _, want := range []string{"ame--0 =\n", "--columns selects metrics", strings.Repeat("x", 90)} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%s: lacks %q:\n%s", name, want, out.String())
				}
			}
		}
	}
}

// TestNoRows checks that a run that was interrupted before its first row has no heads of columns.
func TestNoRows(t *testing.T) {
	var out strings.Builder
	part := &results.Document{Partial: true, Scenarios: []results.Scenario{{Name: "one"}}}
	err := Text(&out, Comparison(part, nil, resultstest.Metrics, Verdicts{}))
	if want := "one\npartial: the run was interrupted before a row was finished\n"; err != nil || out.String() != want {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// TestConstantColumnsGoFirst checks that a column that tells no row from another
// is left out before a name is shortened.
func TestConstantColumnsGoFirst(t *testing.T) {
	table := Table{Columns: []Column{{Header: "algorithm"}}, Rows: [][]string{{"a-name-of-twenty-two-w"}, {"another"}}}
	for i, figure := range []string{"1", "2", "3", "4", "5", "0", "6"} {
		table.Columns = append(table.Columns, Column{Header: "metric", Right: true})
		table.Rows[0] = append(table.Rows[0], strings.Repeat(figure, 10))
		if i != 5 {
			figure = "7"
		}
		table.Rows[1] = append(table.Rows[1], strings.Repeat(figure, 10))
	}
	parts, notes := fit(table, 22+6*12)
	if len(parts) != 1 || len(parts[0]) != 7 || parts[0][0].cells[0] != table.Rows[0][0] {
		t.Errorf("%d parts, the first with %d columns and the name %s", len(parts), len(parts[0]), parts[0][0].cells[0])
	}
	if len(notes) != 1 || notes[0] != "left out here for width: metric, 0000000000 in all rows" {
		t.Errorf("notes %q", notes)
	}
}

func TestTextCleansControlCharacters(t *testing.T) {
	var out bytes.Buffer
	table := Table{Title: "a\nb", Columns: []Column{{Header: "key"}}, Rows: [][]string{{"x\x1b[31m\ty"}}, Notes: []string{"n\rm"}}
	if err := Text(&out, table); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\t\r") {
		t.Errorf("control characters reach the terminal: %q", out.String())
	}
}

func TestShortenedNamesStayApart(t *testing.T) {
	var rows [][]string
	for i := range 4 { // the names differ only in the middle
		rows = append(rows, []string{strings.Repeat("a", 30) + fmt.Sprint(i) + strings.Repeat("z", 30), "1"})
	}
	g := newGrid(Table{Columns: []Column{{Header: "algorithm"}, {Header: "n", Right: true}}, Rows: rows}, format.Clean)
	notes := g.shortenNames(30, shortestName)
	seen := map[string]bool{}
	for _, name := range g[0].cells {
		seen[name] = true
	}
	if len(seen) != 4 || len(notes) != 4 || g.width() > 30 {
		t.Errorf("names %v, %d notes, width %d: want four different names with a note each in 30", seen, len(notes), g.width())
	}
}

// A percent sign stays on the line of its number.
func TestWrapKeepsPercentSigns(t *testing.T) {
	want := "by|0.037 %;|and 5 %"
	if got := strings.Join(wrap("by 0.037 %; and 5 %", 8, ""), "|"); got != want {
		t.Errorf("wrapped as %q, want %q", got, want)
	}
}
