package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
)

// suite loads a shipped suite.
func suite(t *testing.T, name string) *scenarios.File {
	t.Helper()
	s, err := scenarios.FindSuite(name)
	if err != nil {
		t.Fatal(err)
	}
	f, problems := scenarios.Load(name, s.Source, ".", all)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return f
}

// isMeasured reports whether a page shows figures of runs.
func isMeasured(path string) bool {
	return strings.HasPrefix(path, "docs/systems/") || path == "docs/findings.md" || path == "README.md"
}

// TestFiguresAreHeld checks the figures of the pages about systems. Each table of
// figures, each block of output and each number of the text that has decimals or
// is a percentage must come from a command of the page that is run again, or from
// an expectation.
func TestFiguresAreHeld(t *testing.T) {
	suites := map[string]*scenarios.File{}
	held := 0
	pages := texts(t)
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	// TestReadmeTableIsCurrent runs the command of its first table.
	pages["README.md"] = regexp.MustCompile("(?ms)^```\nsteady 3x on a fleet.*?^```$").ReplaceAllString(string(readme), opening+"$ limitgauge run scenarios.yaml -->\n$0\n"+closing)
	for path, text := range pages {
		if !isMeasured(path) {
			continue
		}
		list, err := claims(text)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, c := range list {
			if suites[c.suite] == nil {
				suites[c.suite] = suite(t, c.suite)
			}
			if err := c.check(suites[c.suite]); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			held++
		}
		for _, problem := range loose(text, linked(t, path, text)...) {
			t.Errorf("%s: %s", path, problem)
		}
	}
	if held < 130 {
		t.Errorf("only %d figures in held tables", held)
	}
}

var (
	anyTable   = regexp.MustCompile(`(?m)(?:^\|.*\n)+`)
	anyBlock   = regexp.MustCompile("(?ms)^```.*?^```$")
	figures    = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)
	quoted     = regexp.MustCompile(`(^|[\s(])(\d[\d,]*\.\d+|\d[\d,]*(?:\.\d+)? %)`)
	elsewhere  = regexp.MustCompile(`<!-- (?:computed|measured|reported): ([\d., %]+) -->`)
	codeOrLink = regexp.MustCompile("`[^`\n]*`|\\]\\([^)]*\\)")
	runs       = regexp.MustCompile(`limitgauge (?:run|gate) ([a-z]+)\b`)
)

// linked returns the texts of the pages of docs that a page links to.
func linked(t *testing.T, path, text string) (list []string) {
	t.Helper()
	all := texts(t)
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		file, _, _ := strings.Cut(m[1], "#")
		if other, ok := all[filepath.ToSlash(filepath.Join(filepath.Dir(path), file))]; ok && file != "" {
			list = append(list, other)
		}
	}
	return list
}

// loose returns what nothing holds on a page: blocks of output and tables of
// figures that are written by hand, and numbers of the text in sections with
// results. The output may stand on a linked page. Numbers that come from elsewhere
// stand in a comment of their section that says so: <!-- computed: 5.6 94.4 -->,
// measured or reported.
func loose(page string, linked ...string) (problems []string) {
	known := map[string]bool{}
	learn := func(text string) {
		for _, n := range figures.FindAllString(text, -1) {
			n = strings.ReplaceAll(n, ",", "")
			known[n] = true
			for _, unit := range []float64{1e3, 1e9} { // seconds of ms, and of ns in steps by hand
				if v, _, err := number(n); err == nil && v >= unit {
					known[strconv.FormatFloat(v/unit, 'f', -1, 64)] = true
				}
			}
		}
	}
	for _, page := range append(linked, page) {
		for _, part := range generated.FindAllString(page, -1) {
			learn(part)
		}
	}
	for _, m := range heldTable.FindAllString(page, -1) {
		learn(m)
	}
	for _, m := range runs.FindAllStringSubmatch(page, -1) {
		if s, err := scenarios.FindSuite(m[1]); err == nil {
			learn(string(s.Source))
		}
	}
	rest := generated.ReplaceAllString(page, "<!-- results -->")
	rest = heldTable.ReplaceAllString(rest, "<!-- results -->\n")
	for _, block := range anyBlock.FindAllString(rest, -1) {
		if strings.HasPrefix(block, "```console") {
			first, _, _ := strings.Cut(strings.TrimPrefix(block, "```console\n"), "\n")
			problems = append(problems, fmt.Sprintf("a block of output that no command writes again: %s ...", first))
		}
	}
	rest = anyBlock.ReplaceAllString(rest, "")
	for _, table := range anyTable.FindAllString(rest, -1) {
		head, _, _ := strings.Cut(table, "\n")
		if regexp.MustCompile(`\| (result|simulated|figure)s? `).MatchString(head) {
			problems = append(problems, "a table of figures without <!-- held by SUITE -->: "+head)
		}
	}
	for _, section := range regexp.MustCompile(`(?m)^#+ `).Split(rest, -1) {
		if !strings.Contains(section, "<!-- results -->") {
			continue
		}
		said := map[string]bool{}
		for _, m := range elsewhere.FindAllStringSubmatch(section, -1) {
			for _, n := range figures.FindAllString(m[1], -1) {
				said[strings.ReplaceAll(n, ",", "")] = true
			}
		}
		title, _, _ := strings.Cut(section, "\n")
		prose := codeOrLink.ReplaceAllString(anyTable.ReplaceAllString(section, ""), "")
		for _, m := range quoted.FindAllStringSubmatch(elsewhere.ReplaceAllString(prose, ""), -1) {
			n := strings.ReplaceAll(strings.TrimSuffix(m[2], " %"), ",", "")
			if !said[n] && !rounded(known, n) {
				problems = append(problems, fmt.Sprintf("section %q says %s, which is in no output of a command and in no held table of the page", title, m[2]))
			}
		}
	}
	return problems
}

// rounded reports whether a figure equals a known one, after rounding.
func rounded(known map[string]bool, text string) bool {
	if known[text] {
		return true
	}
	value, digit, err := number(text)
	if err != nil {
		return false
	}
	for k := range known {
		if v, d, err := number(k); err == nil && d <= digit && math.Abs(v-value) <= digit/2*1.001 {
			return true
		}
	}
	return false
}

// TestLooseFiguresAreFound checks that figures of each kind are found if nothing
// holds them.
func TestLooseFiguresAreFound(t *testing.T) {
	f := suite(t, "seastar")
	of := func(figure string) claim {
		return claim{"seastar", "forty-eight shards", "half-stall-long", "client_share_max_over_min", figure}
	}
	if err := of("13.6").check(f); err != nil {
		t.Error(err)
	}
	loosened := *f
	loosened.Scenarios = slices.Clone(f.Scenarios)
	for i := range loosened.Scenarios {
		s := &loosened.Scenarios[i]
		s.Expect = slices.DeleteFunc(slices.Clone(s.Expect), func(e scenarios.Expectation) bool { return e.Op == "<=" })
	}
	for name, err := range map[string]error{
		"another figure":               of("14.6").check(f),
		"a lower bound alone":          of("13.6").check(&loosened),
		"an algorithm without any":     claim{"seastar", "forty-eight shards", "nobody", "client_share_max_over_min", "13.6"}.check(f),
		"a scenario that is not there": claim{"seastar", "forty-nine shards", "half-stall-long", "client_share_max_over_min", "13.6"}.check(f),
		"a column that is not shown":   claim{"seastar", "forty-eight shards", "half-stall-long", "settle_s", "13.6"}.check(f),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	const head = "# A system\n\n## Results\n\n<!-- generated: $ limitgauge run seastar -->\n```console\nrow 13.61\n```\n<!-- end -->\n\n"
	for text, want := range map[string]int{
		"The ratio is 13.6.\n":                                 0,
		"The ratio is 13.7.\n":                                 1,
		"The ratio is 13.7.\n<!-- computed: 13.7 -->\n":        0,
		"About 77 % of all.\n":                                 1,
		"```console\nrow 13.61\n```\n":                         1,
		"| scenario | result |\n| --- | --- |\n| x | 13.6 |\n": 1,
		"## Another section\n\nA commit of 2023, `0.123`, and 9.87 of a statement.\n": 0,
	} {
		if got := loose(head + text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
	if _, err := claims("<!-- held by sql -->\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"); err == nil {
		t.Error("a held table without its columns is accepted")
	}
}
