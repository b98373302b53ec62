package scenarios

import (
	"strings"
	"testing"
)

// TestSetting checks the YAML of a cell's values.
func TestSetting(t *testing.T) {
	const source = `
version: 1
duration: 10s
algorithms:
  my batch: {preset: batch-reported}
scenarios:
  - name: a
    policy: {limit: 10/s}
    traffic: [{pattern: constant, rate: 1/s}]
    algorithms: [my batch, fixed-window]
    vary:
      interval: {of: algorithms.my batch.interval, values: [50ms]}
      thinning: {of: algorithms.my batch.thinning, values: [coin]}
      clients: {of: topology.clients, values: [8]}
      burst: {of: policy.burst, values: [5]}
      limit: {of: policy.limit, values: [20/s]}
      demand: {of: "traffic[0].rate", values: [2/s]}
`
	g, problems, err := LoadGrid("a.yaml", []byte(source), ".", testCatalog(), nil, Overrides{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	got := g.Setting([]Cell{g.Cell(0)}, func(axis int) bool { return g.File.Scenarios[0].Axes[axis].Name != "limit" })
	want := strings.TrimPrefix(`
algorithms:
  "my batch":
    interval: 50ms
    thinning: coin
# in the scenario a:
topology:
  clients: 8
policy:
  burst: 5
# traffic[0].rate: 2/s
`, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
