package reference

import (
	"slices"
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
	return strings.HasPrefix(path, "docs/systems/") || path == "docs/findings.md" || path == "README.md" || path == "docs/first-result.md"
}

// TestFiguresAreHeld checks the figures of the pages about systems. Each table of
// figures, each block of output and each number of the text that has decimals or
// is a percentage must come from a command of the page that is run again, or from
// an expectation.
func TestFiguresAreHeld(t *testing.T) {
	suites := map[string]*scenarios.File{}
	held := 0
	pages := texts(t)
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
		for _, problem := range loose(path, pages) {
			t.Errorf("%s: %s", path, problem)
		}
	}
	if held < 130 {
		t.Errorf("only %d figures in held tables", held)
	}
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
	output := func(figure string) string {
		return "<!-- generated: $ limitgauge run seastar -->\n```console\nrow " + figure + "\n```\n<!-- end -->\n\n"
	}
	head := "# A system\n\n## Results\n\n" + output("13.61")
	for text, want := range map[string]int{
		"The ratio is 13.6.\n":                                                        0,
		"The ratio is 13.7.\n":                                                        1,
		"The ratio is 13.7.\n<!-- computed: 13.7 -->\n":                               0,
		"About 77 % of all, see [C](b.md#c).\n":                                       0,
		"See [C](b.md#c).\n\nAbout 77 % of all.\n":                                    1,
		"About 77 % of all.\n":                                                        1,
		"```console\nrow 13.61\n```\n":                                                1,
		"| scenario | result |\n| --- | --- |\n| x | 13.6 |\n":                        1,
		"## Another section\n\nA commit of 2023, `0.123`, and 9.87 of a statement.\n": 0,
	} {
		if got := loose("a.md", map[string]string{"a.md": head + text, "b.md": "# B\n\n## C\n\n" + output("77.2")}); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
	if _, err := claims("<!-- held by sql -->\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"); err == nil {
		t.Error("a held table without its columns is accepted")
	}
}
