package scenarios_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

const joined = `version: 1
duration: 10s
policies:
  p: {limit: 100/s}
algorithms:
  batch: {preset: batch-reported}
scenarios:
  - name: one
    policy: p
    traffic: [{pattern: constant, rate: 1/s}]
    algorithms: [batch]
    vary:
      interval: {of: batch.interval, values: [50ms, 70ms]}
      burst: {of: policy.burst, values: [5, 6]}
  - {name: two, policy: p, traffic: [{pattern: constant, rate: 1/s}], algorithms: [remote, batch]}
  - name: three
    policy: {limit: 10/s}
    traffic: [{pattern: constant, rate: 1/s}]
    algorithms: [batch]
    vary: {cost: {of: "traffic[0].cost", values: [2, 3]}}
  - {name: four, policy: {limit: 10/s}, traffic: [{pattern: constant, rate: 1/s}], algorithms: [remote]}
  - {name: five, policy: p, traffic: [{pattern: constant, rate: 1/s}], algorithms: [batch]}
`

// TestJoined checks which scenarios a setting must serve, and which axes change each: those
// of definitions all that use them, also scenarios without axes of their own.
func TestJoined(t *testing.T) {
	g, problems, err := scenarios.LoadGrid("s.yaml", []byte(joined), ".", sim.Catalog(), nil, scenarios.Overrides{})
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	if g, err = g.Joined(func(s *scenarios.Scenario) bool { return s.Name != "five" }); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range g.File.Scenarios {
		for _, a := range s.Axes {
			got = append(got, s.Name+" "+a.Of)
		}
	}
	want := "[one algorithms.batch.interval one policies.p.burst two algorithms.batch.interval two policies.p.burst three traffic[0].cost three algorithms.batch.interval]"
	if fmt.Sprint(got) != want {
		t.Errorf("axes %v, want %s", got, want)
	}
	g = g.Padded()
	if g.Len() != 3*8 {
		t.Fatalf("%d cells, want 8 in each scenario", g.Len())
	}
	cells := []scenarios.Cell{g.Cell(7), g.Cell(15), g.Cell(23)}
	for i, want := range []string{"interval: 70ms, burst: 6, ", "interval: 70ms, burst: 6, ", "interval: 70ms, cost: 3, "} {
		text, problems := g.Text(cells[i])
		for part := range strings.SplitSeq(want, ", ") {
			if !strings.Contains(strings.ReplaceAll(string(text), "{constant: {value: 3}}", "3"), part) || len(problems) > 0 {
				t.Errorf("scenario %d lacks %s: %v\n%s", i, part, problems, text)
			}
		}
	}
	setting := g.Setting(cells, func(int) bool { return true })
	if want := "algorithms:\n  batch:\n    interval: 70ms\npolicies:\n  p:\n    burst: 6\n# in the scenario three:\n# traffic[0].cost: 3\n"; setting != want {
		t.Errorf("setting %s, want %s", setting, want)
	}
	g, _, _ = scenarios.LoadGrid("s.yaml", []byte(strings.Replace(joined, "{cost: {of: \"traffic[0].cost\"", "{interval: {of: \"traffic[0].cost\"", 1)), ".", sim.Catalog(), nil, scenarios.Overrides{})
	if _, err := g.Joined(func(*scenarios.Scenario) bool { return true }); err == nil || !strings.Contains(err.Error(), "axis interval of three is not that of a scenario before it") {
		t.Errorf("different axes of one name: %v", err)
	}
	g, _, err = scenarios.LoadGrid("s.yaml", []byte(joined), ".", sim.Catalog(), []string{"remote.timeout=20ms,30ms"}, scenarios.Overrides{})
	if err != nil || len(g.File.Scenarios) != 4 {
		t.Errorf("an axis of a row is one of the scenarios with the row: %v", err)
	}
}
