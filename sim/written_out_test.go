package sim_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestEffectiveFilesAreAccepted writes out every default of every enforcement
// over every counter, and of faults of some clients. The result must be valid
// where the file was.
func TestEffectiveFilesAreAccepted(t *testing.T) {
	check := func(text string) (*scenarios.File, []scenarios.Problem) {
		f, problems := scenarios.Load("test.yaml", []byte(text), ".", sim.Catalog())
		if len(problems) > 0 {
			return nil, problems
		}
		problems, err := sim.Check(context.Background(), f, strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		return f, problems
	}
	written := 0
	all := sim.Catalog()
	for _, e := range all.Enforcements {
		for _, c := range all.Counters {
			if e.Over != nil && !slices.Contains(e.Over, c.Name) {
				continue
			}
			for _, faults := range []string{"", "faults: [{partition: {from: 2s, to: 3s, clients: [0, 1]}}, {clock: {ahead: 1s, clients: [2]}}]"} {
				f, problems := check(fmt.Sprintf(`version: 1
duration: 5s
scenarios:
  - name: written out
    policy: {limit: 10/s}
    topology: {clients: 4, servers: 3, network: 1ms}
    traffic: [{pattern: constant, rate: 20/s}]
    algorithms: [it]
    %s
algorithms:
  it: {enforcement: %s, counter: %s}
`, faults, e.Name, c.Name))
				if len(problems) > 0 {
					continue // some counters need options
				}
				written++
				if _, problems := check(string(f.Effective())); len(problems) > 0 {
					t.Errorf("%s over %s: %v in\n%s", e.Name, c.Name, problems, f.Effective())
				}
			}
		}
	}
	if written < 2*len(all.Enforcements) {
		t.Errorf("only %d files", written)
	}
}

// TestOptionsElsewhere checks what the loader says about an option that only other
// algorithms have.
func TestOptionsElsewhere(t *testing.T) {
	for options, want := range map[string]string{
		"preset: rover-shards, sidecar: 1ms":        "not available in enforcement shards: the threads of one process share the bucket",
		"preset: remote, local_limit: auto":         "not an option of enforcement remote or counter fixed-window, but of enforcement batch-reported",
		"preset: aimd, local_limit: auto":           "not an option of enforcement concurrency-limit, but of enforcement batch-reported",
		"preset: rover-shards, poll_intervall: 1ms": `unknown field (did you mean "poll_interval"?)`,
	} {
		_, problems := scenarios.Load("test.yaml", fmt.Appendf(nil, `version: 1
duration: 5s
scenarios: [{name: s, policy: {limit: 10/s}, traffic: [{pattern: constant, rate: 20/s}], algorithms: [it]}]
algorithms: {it: {%s}}
`, options), ".", sim.Catalog())
		if len(problems) != 1 || !strings.Contains(problems[0].String(), want) {
			t.Errorf("%s: got %v, want %s", options, problems, want)
		}
	}
}

// TestEffectiveWorkers checks that workers of an effective file do what those of the file do.
func TestEffectiveWorkers(t *testing.T) {
	text, err := os.ReadFile("testdata/golden/workers.golden.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, problems := scenarios.Load("test.yaml", text, ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if diff := cmp.Diff(simtest.Run(t, string(text)).Results, simtest.Run(t, string(f.Effective())).Results); diff != "" {
		t.Errorf("-of the file +of the effective file:\n%s", diff)
	}
}
