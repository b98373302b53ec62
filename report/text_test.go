package report

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// TestTextFits renders tables with long names, many columns and wide figures;
// no line may be wider than TextWidth, and nothing may be lost without a note.
func TestTextFits(t *testing.T) {
	long := small()
	for i := range long.Results {
		r := &long.Results[i]
		if !r.Reference {
			r.Algorithm = fmt.Sprintf("%s-%s-%d", r.Algorithm, strings.Repeat("with-a-very-long-name-", 4), i)
		}
		for name, s := range r.Metrics {
			if s.Mean != nil && *s.Mean != 0 && !r.Exact {
				r.Metrics[name] = interval(*s.Mean*1234.567, *s.Mean*1200, *s.Mean*1300, 20)
			}
		}
	}
	long.Scenarios[0].Warnings = append(long.Scenarios[0].Warnings, strings.Repeat("a word ", 60), strings.Repeat("x", 250))
	wide := DefaultColumns()
	for i := range 20 {
		wide = append(wide, fmt.Sprintf("fairness_tenant_run_and_some_more_%d_pct", i))
	}
	for name, table := range map[string]Table{
		"default":   Comparison(small(), "steady 3x", nil, registry),
		"long":      Comparison(long, "steady 3x", nil, registry),
		"wide":      Comparison(small(), "steady 3x", wide, registry),
		"long wide": Comparison(long, "steady 3x", wide, registry),
		"verdicts":  verdictTables(Evaluate(long))[0],
		"unicode":   {Columns: []Column{{Header: "名前"}, {Header: "値", Right: true}}, Rows: [][]string{{strings.Repeat("名", 80), "1"}}},
	} {
		var out bytes.Buffer
		if err := RenderText(&out, table); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if w := width(strings.TrimRight(line, "\n")); w > TextWidth {
				t.Errorf("%s: a line is %d wide:\n%s", name, w, line)
			}
		}
		if name == "default" && !strings.Contains(out.String(), "12.3 ±0.4") {
			t.Errorf("the default table lost its intervals:\n%s", out.String())
		}
		if name == "long" {
			for _, want := range []string{"ong-name--0 =\n", "left out here for width", strings.Repeat("x", 90)} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%s: lacks %q:\n%s", name, want, out.String())
				}
			}
		}
	}
}

func TestTextCleansControlCharacters(t *testing.T) {
	var out bytes.Buffer
	table := Table{Title: "a\nb", Columns: []Column{{Header: "key"}}, Rows: [][]string{{"x\x1b[31m\ty"}}, Notes: []string{"n\rm"}}
	if err := RenderText(&out, table); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\t\r") {
		t.Errorf("control characters reach the terminal: %q", out.String())
	}
}

func TestShortenedNamesStayApart(t *testing.T) {
	g := grid{header: []string{"algorithm", "n"}, right: []bool{false, true}}
	for i := range 4 { // the names differ only in the middle
		g.rows = append(g.rows, []string{strings.Repeat("a", 30) + fmt.Sprint(i) + strings.Repeat("z", 30), "1"})
	}
	notes := g.shortenNames(g.names(), 30, shortestName)
	seen := map[string]bool{}
	for _, row := range g.rows {
		seen[row[0]] = true
	}
	if len(seen) != 4 || len(notes) != 4 || g.width() > 30 {
		t.Errorf("names %v, %d notes, width %d: want four different names with a note each in 30", seen, len(notes), g.width())
	}
}

// A figure keeps its percent sign where lines break.
func TestWrapKeepsPercentSigns(t *testing.T) {
	want := "by|0.037 %;|and 5 %"
	if got := strings.Join(wrap("by 0.037 %; and 5 %", 8, ""), "|"); got != want {
		t.Errorf("wrapped as %q, want %q", got, want)
	}
}

func TestFigure(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {-0.0000001, "-1e-07"}, {0.00012345, "0.000123"}, {0.0012345, "0.00123"},
		{0.012345, "0.0123"}, {0.12345, "0.123"}, {0.9999, "1"}, {1.2345, "1.23"}, {12.345, "12.3"}, {-12.3, "-12.3"},
		{99.99, "100"}, {123.45, "123.5"}, {999.94, "999.9"}, {999.96, "1000"}, {1234.5, "1234"}, {9999, "9999"},
		{9999.6, "10k"}, {12345, "12.35k"}, {123456, "123.5k"}, {999960, "1M"}, {1234567, "1.235M"}, {2.5e9, "2.5G"}, {1e15, "1.000e+15"},
	} {
		if got := figure(c.x); got != c.want {
			t.Errorf("figure(%v) = %q, want %q", c.x, got, c.want)
		}
	}
}

// Two figures that differ read differently, in their order and with no more
// digits than that takes.
func TestBeside(t *testing.T) {
	for _, c := range []struct {
		x, other  float64
		want, too string
	}{
		{1.1614814814814816, 1.16, "1.161", "1.16"}, {1.16, 1.16, "1.16", "1.16"}, {2.5, 1.16, "2.5", "1.16"},
		{1.1599999, 1.16, "1.1599999", "1.16"}, {1.2346, 1.2348, "1.2346", "1.2348"}, {-0.123456, -0.1234, "-0.1235", "-0.1234"},
		{12345.67, 12346, "12345.7", "12346"}, {19004, 19000, "19004", "19000"}, {1e-9, 0, "1e-09", "0"},
		{math.Nextafter(1.16, 2), 1.16, "1.1600000000000001", "1.16"}, {math.MaxFloat64, math.Nextafter(math.MaxFloat64, 0), "1.7976931348623157e+308", "1.7976931348623155e+308"},
	} {
		if got := beside(c.x, c.other); got != c.want {
			t.Errorf("%v beside %v is %q, want %q", c.x, c.other, got, c.want)
		}
		if got := beside(c.other, c.x); got != c.too {
			t.Errorf("%v beside %v is %q, want %q", c.other, c.x, got, c.too)
		}
	}
}

func TestWithSpread(t *testing.T) {
	for _, c := range []struct {
		mean, half float64
		want       string
	}{
		{12.345, 0.4321, "12.3 ±0.4"}, {0.12345, 0.00432, "0.123 ±0.004"}, {200, 0.4, "200.0 ±0.4"}, {1234, 123, "1234 ±123"},
		{5, 0.0001, "5.00 ±0.00"}, {0.003, 0.00075, "0.0030 ±0.0008"}, {0.0002, 0.00001, "0.0002 ±1e-05"}, {99, 20, "99 ±20"}, {12345, 1234, "12.3k ±1.2k"}, {0, 0.2, "0.00 ±0.20"}, {0, 3, "0.0 ±3.0"}, {10530, 40, "10.5k ±0.0k"},
	} {
		if got := withSpread(c.mean, c.half); got != c.want {
			t.Errorf("withSpread(%v, %v) = %q, want %q", c.mean, c.half, got, c.want)
		}
	}
	// An interval cut off at one side shows its farther end.
	if got := cell(interval(1, 0.9, 3, 20)); got != "1.0 ±2.0" {
		t.Errorf("cell of 1 in [0.9, 3] = %q, want 1.0 ±2.0", got)
	}
	if got := cell(results.Summary{Reason: "none"}); got != "-" {
		t.Errorf("cell without data = %q, want -", got)
	}
}

func TestSpan(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		want string
	}{
		{0, "0s"}, {1, "1ns"}, {1500, "1.5µs"}, {250e6, "250ms"}, {1e9, "1s"}, {12.5e9, "12.5s"}, {60e9, "1m"},
		{90e9, "1m 30s"}, {3600e9, "1h"}, {86400e9 + 60e9, "1d"}, {9*86400e9 + 4*3600e9, "9d 4h"},
	} {
		if got := span(c.ns); got != c.want {
			t.Errorf("span(%d) = %q, want %q", c.ns, got, c.want)
		}
	}
}

func TestUnknownScenario(t *testing.T) {
	table := Comparison(small(), "nowhere", nil, registry)
	if len(table.Rows) != 0 || !strings.Contains(strings.Join(table.Notes, " "), "no scenario of this name") {
		t.Errorf("a scenario that is not there gives %+v", table)
	}
}
