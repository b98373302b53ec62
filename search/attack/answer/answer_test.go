package answer

import (
	"context"
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/search/attack"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestFileRepeatsFigures checks that a run of the file has the same figures, whatever
// the search may choose.
func TestFileRepeatsFigures(t *testing.T) {
	for _, algorithm := range []string{"token-bucket, debt: true", "leaky-bucket", "batch-reported", "remote, on_timeout: fail-open", "rover-faithful", "sharded-memory"} {
		for _, may := range []string{"times", "times,clients,keys,costs,phases,faults"} {
			f := simtest.Load(t, fmt.Sprintf(`version: 1
algorithms: {attacked: {preset: %s}}
scenarios:
  - name: attack
    replications: 1
    duration: 10s
    policy: {limit: 20/s, burst: 5}
    topology: {clients: 4, network: {exponential: {p99: 5ms}}}
    traffic: [{pattern: list, events: [{at: 0s}]}]
    algorithms: [attacked]
`, algorithm))
			choices, err := attack.ParseChoices(may)
			if err != nil {
				t.Fatal(err)
			}
			o := attack.Options{May: choices, Requests: 100, Budget: 40_000, Keys: 3, Seed: 1, Workers: 2}
			for _, name := range []string{"burst_excess", "accumulated_excess", "false_reject_pct"} {
				o.Goals = append(o.Goals, attack.Goal{Metric: *catalog.Find(sim.Catalog().Metrics, name)})
			}
			found, err := attack.Run(context.Background(), f, o)
			if err != nil {
				t.Fatal(err)
			}
			text, err := File(f, o, found)
			if err != nil {
				t.Fatal(err)
			}
			checkFile(t, text, o, found)
		}
	}
}

// checkFile compares the figures of a run of the file with those found.
func checkFile(t *testing.T, text []byte, o attack.Options, found *attack.Result) {
	t.Helper()
	f, problems := scenarios.Load("worst.yaml", text, ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatalf("%v in\n%s", problems, text)
	}
	d, err := sim.Run(context.Background(), f, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var rows []results.Result
	for _, r := range d.Results {
		if !r.Reference {
			rows = append(rows, r)
		}
	}
	for i, goal := range o.Goals {
		if found.Found[i].Candidate == nil {
			continue
		}
		if got := rows[0].Metrics[goal.Metric.Name].Mean; got == nil || *got != found.Found[i].Figure {
			t.Errorf("%s is not %v in a run of\n%s", goal.Metric.Name, found.Found[i].Figure, text)
		}
		rows = rows[1:]
	}
}
