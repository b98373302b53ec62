package sim_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestCommonStreams gives every preset two names. The rows of both have the same
// figures in every replication if streams are common. If each name has its own, the
// rows of limiters that draw differ. Fleets in a rollout are like other rows.
func TestCommonStreams(t *testing.T) {
	for _, test := range []struct {
		name, topology string
		differ         []string // rows that differ if each name has its own streams
	}{
		{"fleet", "", []string{"batch-reported", "rejection-rate-only", "remote", "sql-serializable", "prefetch", "read-then-set", "global-random-drop", "kong-sync", "doorman-fair"}},
		{"rollout", ", rollout: {to: remote, share: 50%}", []string{"batch-reported"}},
		{"rollout with one service", ", rollout: {to: rejection-rate, share: 50%, service: new}", []string{"batch-reported", "batch-debt-local"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			names := test.differ
			if test.topology == "" {
				names = nil
				for _, p := range sim.Catalog().Counting() {
					names = append(names, p.Name)
				}
			}
			differ := map[string]bool{}
			for name, pair := range copies(t, names, test.topology, "own") {
				differ[name] = values(pair[0]) != values(pair[1])
			}
			for _, name := range test.differ {
				if !differ[name] {
					t.Errorf("%s and its copy are equal with streams of their own", name)
				}
			}
			for name, pair := range copies(t, names, test.topology, "common") {
				if a, b := values(pair[0]), values(pair[1]); a != b {
					t.Errorf("%s and its copy differ with common streams:\n%s\n%s", name, a, b)
				}
			}
		})
	}
}

// copies runs each preset under two names and returns both rows by preset.
func copies(t *testing.T, presets []string, topology, streams string) map[string][2]results.Result {
	var definitions, rows strings.Builder
	for _, name := range presets {
		fmt.Fprintf(&definitions, "  copy-of-%s: {preset: %s}\n", name, name)
		fmt.Fprintf(&rows, "%s, copy-of-%s, ", name, name)
	}
	d := simtest.Run(t, fmt.Sprintf(`
version: 1
replications: 2
duration: 3s
streams: %s
algorithms:
%sscenarios:
  - name: copies
    policy: {limit: 100/s, burst: 20}
    topology: {clients: 4, servers: 2, network: {exponential: {p99: 20ms}}%s}
    traffic: [{pattern: poisson, rate: 300/s, keys: {uniform: {count: 2}}, spread: random}]
    guard: {concurrency: 3, service_time: {exponential: {mean: 2ms}}}
    algorithms: [%s]
`, streams, definitions.String(), topology, strings.TrimSuffix(rows.String(), ", ")))
	of := map[string]results.Result{}
	for _, r := range d.Results {
		of[r.Algorithm] = r
	}
	pairs := map[string][2]results.Result{}
	for _, name := range presets {
		pairs[name] = [2]results.Result{of[name], of["copy-of-"+name]}
	}
	return pairs
}

// values returns all values of a row's metrics as text.
func values(r results.Result) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.Metrics)) {
		m := r.Metrics[name]
		fmt.Fprint(&b, name, m.Reason)
		for _, x := range m.Values {
			if x != nil {
				fmt.Fprint(&b, " ", *x)
			}
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}
