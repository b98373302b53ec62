package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// TestAlone checks that each option has an axis with the file's value first, without the
// values that the option or the caller refuses, and that nothing but the option changes.
func TestAlone(t *testing.T) {
	f, problems := scenarios.Load("s.yaml", []byte(swept), ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	o := scenarios.Overrides{Only: []string{"one"}}
	if err := f.Override(o); err != nil {
		t.Fatal(err)
	}
	g := f.Alone(&f.Scenarios[0].Algorithms[0], []scenarios.Change{
		{Option: "interval", Values: []string{"50ms", "fast", "40ms", "30ms"}},
		{Option: "thinning", Values: []string{"never"}},
		{Option: "local_limit", Values: []string{"{share: {share: 150%}}", "{share: {}}"}},
	}, o, func(f *scenarios.File) bool { return !strings.Contains(string(f.Effective()), "interval: 40ms") })
	var got []string
	for _, s := range f.Scenarios {
		if len(s.Axes) > 0 {
			t.Errorf("the file itself has the axes of %s", s.Name)
		}
	}
	for i := range g.Len() {
		c := g.Cell(i)
		got = append(got, c.String())
		text, problems := g.Text(c)
		if len(problems) > 0 || !strings.Contains(string(text), "name: one\n") {
			t.Errorf("%s: %v\n%s", c, problems, text)
		}
		if i == 0 || i == 3 {
			if base, _ := g.Text(g.Cell(0)); string(base) != string(text) {
				t.Errorf("%s is not the file's own scenario", c)
			}
		}
	}
	want := []string{"interval=100ms", "interval=50ms", "interval=30ms", "local_limit=off", "local_limit={share: {share: 150%}}"}
	if !slices.Equal(got, want) {
		t.Errorf("cells %q, want %q", got, want)
	}
	if setting, want := g.Setting([]scenarios.Cell{g.Cell(4)}, func(int) bool { return true }), "algorithms:\n  v1.2:\n    local_limit: {share: {share: 150%}}\n"; setting != want {
		t.Errorf("setting %q, want %q", setting, want)
	}
	text, _ := g.Text(g.Cell(4))
	if !strings.Contains(string(text), "local_limit: {share: {share: 150%}}") || !strings.Contains(string(text), "interval: 100ms") {
		t.Errorf("a cell has not its value alone:\n%s", text)
	}
}
