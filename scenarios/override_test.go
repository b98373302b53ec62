package scenarios_test

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// Two scenarios share a definition, a policy and a block of traffic. Names may have dots.
const settable = `
version: 1
duration: 10s
policies: {ours: {limit: 10/s}}
algorithms:
  v1: {preset: token-bucket}
  v1.2: {preset: token-bucket}
traffic:
  block: [{pattern: constant, rate: 20/s}, {pattern: constant, rate: 30/s}]
scenarios:
  - {name: one, policy: ours, traffic: [block], algorithms: [v1, v1.2]}
  - {name: two, policy: ours, traffic: [block], algorithms: [v1.2, gcra], vary: {demand: {of: "traffic[0].rate", values: [1/s, 2/s]}}}
`

func load(o scenarios.Overrides) (string, []scenarios.Problem) {
	f, problems := scenarios.LoadSound("s.yaml", []byte(settable), ".", sim.Catalog(), o)
	if len(problems) > 0 {
		return "", problems
	}
	if err := f.Override(o); err != nil {
		return "", []scenarios.Problem{{Message: err.Error()}}
	}
	return string(f.Effective()), nil
}

// TestSets checks what settings of a command line change: of all scenarios, of those that
// compare a row, or of the chosen ones.
func TestSets(t *testing.T) {
	for _, c := range []struct {
		sets, only []string
		has        string
		times      int
	}{
		{[]string{"traffic[1].rate=7/s"}, nil, "rate: 7/s", 2},
		{[]string{"traffic[1].rate=7/s"}, []string{"two"}, "rate: 7/s", 1},
		{[]string{"policy.limit=99/s"}, nil, "limit: 99/s", 1}, // the definition of both
		{[]string{"v1.burst=3"}, nil, "burst: 3", 1},
		{[]string{"v1.2.burst=3", "algorithms.v1.burst=3"}, nil, "burst: 3", 2},
		{[]string{"gcra.burst=3"}, nil, "burst: 3", 1},
		{[]string{"duration=3s", "duration=4s"}, nil, "duration: 4s", 2},
		{[]string{" topology.network = {exponential: {p99: 5ms}}"}, nil, "{exponential: {p99: 5ms}}", 2},
		{[]string{"algorithms=[gcra]", "gcra.burst=4"}, []string{"one"}, "algorithms: [gcra]", 1},
	} {
		text, problems := load(scenarios.Overrides{Sets: c.sets, Only: c.only})
		if len(problems) > 0 || strings.Count(text, c.has) != c.times {
			t.Errorf("%q of %q: %v, want %q %d times in\n%s", c.sets, c.only, problems, c.has, c.times, text)
		}
	}
	if same, _ := load(scenarios.Overrides{}); !strings.Contains(same, "rate: 20/s") {
		t.Errorf("no setting changes the file:\n%s", same)
	}
}

// TestSetsOfAGrid checks that each cell has the settings.
func TestSetsOfAGrid(t *testing.T) {
	g, problems, err := scenarios.LoadGrid("s.yaml", []byte(settable), ".", sim.Catalog(), nil, scenarios.Overrides{Sets: []string{"traffic[1].rate=7/s", "v1.2.burst=3"}})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	text, problems := g.Text(g.Cell(1))
	for _, want := range []string{"rate: 2/s", "rate: 7/s", "burst: 3"} {
		if len(problems) > 0 || !strings.Contains(string(text), want) {
			t.Errorf("%v, no %s in\n%s", problems, want, text)
		}
	}
}

// TestAxisOfARow checks that an axis may begin with a row, on the command line and in a file.
func TestAxisOfARow(t *testing.T) {
	inFile := strings.Replace(settable, `"traffic[0].rate", values: [1/s, 2/s]`, "v1.2.burst, values: [3, 4]", 1)
	for name, c := range map[string]struct {
		source string
		vary   []string
	}{"file": {inFile, nil}, "command line": {settable, []string{"demand=20/s", "v1.2.burst=3,4"}}} {
		g, problems, err := scenarios.LoadGrid("s.yaml", []byte(c.source), ".", sim.Catalog(), c.vary, scenarios.Overrides{Only: []string{"two"}})
		if err != nil || len(problems) > 0 {
			t.Fatal(name, err, problems)
		}
		text, problems := g.Text(g.Cell(1))
		if len(problems) > 0 || !strings.Contains(string(text), "burst: 4") {
			t.Errorf("%s: %v\n%s", name, problems, text)
		}
		if got := g.Setting([]scenarios.Cell{g.Cell(1)}, func(i int) bool { return g.File.Scenarios[0].Axes[i].Name != "demand" || name == "file" }); !strings.HasPrefix(got, "algorithms:\n  v1.2:\n    burst: 4\n") {
			t.Errorf("%s: setting %q", name, got)
		}
	}
}

func TestSetProblems(t *testing.T) {
	for set, want := range map[string]string{
		"traffic[2].rate=7/s": "--set traffic[2].rate=7/s: scenarios[0].traffic has no item 2",
		"traffic[0].rate=7":   `--set traffic[0].rate=7: "7" needs a period`,
		"v1.burst":            "--set v1.burst: want PATH=VALUE",
		"v1=3":                "--set v1=3: is a row",
		"burst=3":             "such as v1.burst",
		"v1.3.burst=3":        "--set v1.3.burst=3: ",
		"remote.timeout=3s":   "remote is neither a field of a scenario nor one of its rows (v1, v1.2, gcra)",
		"expect={}":           "is the same whatever the settings are",
		"faults=[":            "--set faults=[: ",
	} {
		_, problems := load(scenarios.Overrides{Sets: []string{set}})
		if len(problems) == 0 || !strings.Contains(problems[0].String(), want) {
			t.Errorf("%s: %v, want %q", set, problems, want)
		}
	}
}
