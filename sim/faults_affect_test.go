package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// strong holds a fault of each kind, strong enough to have an effect on every
// limiter that the kind affects.
var strong = map[string]string{
	"report-loss":      "{from: 3s, to: 9s, p: 100%}",
	"report-delay":     "{from: 3s, to: 9s, delay: 700ms}",
	"report-duplicate": "{from: 3s, to: 9s, p: 100%}",
	"report-reorder":   "{from: 3s, to: 9s, p: 50%, delay: 700ms}",
	"network":          "{from: 3s, to: 9s, latency: 700ms}",
	"partition":        "{from: 3s, to: 9s, clients: [0, 1]}",
	"clock":            "{from: 3s, to: 9s, ahead: 3s, clients: [0, 1, 2]}",
	"store-down":       "{from: 3s, to: 6s, lose: 1s}",
	"server-restart":   "{from: 3s, every: 2s, down_for: 500ms}",
	"server-crash":     "{from: 3s, server: 1, noticed_after: 1s, down_for: 5s}",
	"reshard":          "{from: 3s, every: 300ms, share: 100%}",
	"server-added":     "{from: 3s, stale_for: 5s, stale_share: 50%}",
	"server-removed":   "{from: 3s, server: 1, stale_for: 5s}",
	"slow-server":      "{from: 3s, to: 9s, factor: 1000}",
	"store-latency":    "{from: 3s, to: 9s, add: 700ms}",
	"server-latency":   "{from: 3s, to: 9s, add: 700ms}",
	"autoscale":        "{stages: [{from: 3s, clients: 2}, {from: 6s, clients: 4}]}",
	"policy-change":    "{from: 3s, to: 6s, factor: 0.1}",
}

// pollRarely returns an algorithm for each preset, in order, and the definitions of
// those that differ from their preset: shards poll each ms, because most of the time
// of a run would be their polls.
func pollRarely() (names []string, definitions string) {
	for _, p := range sim.Catalog().Counting() {
		name := p.Name
		if p.Enforcement == "shards" {
			name = "rarely-" + p.Name
			definitions += fmt.Sprintf("  %s: {preset: %s, poll_interval: 1ms}\n", name, p.Name)
		}
		names = append(names, name)
	}
	return names, definitions
}

// TestFaultsAffectAsDeclared checks that the faults that an enforcement declares
// change the results of at least one of its presets, and that no other fault
// changes any. The table of faults in the documentation is made from these
// declarations.
func TestFaultsAffectAsDeclared(t *testing.T) {
	presets := map[string][]string{}
	all, rarely := pollRarely()
	for i, p := range sim.Catalog().Counting() {
		presets[p.Enforcement] = append(presets[p.Enforcement], all[i])
	}
	// These variants replace presets that react slowly or lack a component.
	for name, enforcement := range map[string]string{"quick-leases": "leases", "quick-quota": "rlqs", "asking-throttle": "client-throttle"} {
		presets[enforcement] = append(presets[enforcement], name)
		all = append(all, name)
	}
	// admitted returns the admitted requests of each preset by bin.
	admitted := func(faults string) map[string]string {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
replications: 1
duration: 12s
topologies:
  fleet: {clients: 4, servers: 3, network: 4ms}
  shaky: {clients: 4, servers: 3, network: {exponential: {p99: 150ms}}}
algorithms:
  quick-leases: {preset: doorman-proportional, lease: 1s, refresh: 200ms, learning: 500ms, retry: 100ms, wants: {recent: 1}, without_lease: pessimistic}
  quick-quota: {preset: envoy-quota, report_interval: 200ms, allocation: proportional, expired: deny}
%[3]s  asking-throttle: {preset: sre-throttle, backend: remote, timeout: 500ms, window: 2s, slices: 20}
scenarios:
  - name: busy
    policy: {limit: 20/s, burst: 20}
    topology: fleet
    traffic: [{pattern: poisson, rate: 300/s, keys: {uniform: 5}}]
    algorithms: [%[1]s]
%[2]s  - name: at ease
    policy: {limit: 20/s, burst: 20}
    topology: shaky
    traffic: [{pattern: poisson, rate: 90/s, keys: {uniform: 5}}]
    algorithms: [%[1]s]
%[2]s`, strings.Join(all, ", "), faults, rarely))
		bins := map[string]string{}
		for _, s := range d.Series {
			bins[s.Algorithm] += fmt.Sprint(s.Admitted)
		}
		return bins
	}
	well := admitted("")
	for _, kind := range scenarios.FaultKinds() {
		ill := admitted(fmt.Sprintf("    faults: [{%s: %s}]\n", kind.Name, strong[kind.Name]))
		for _, e := range sim.Catalog().Enforcements {
			affected := limiters.Of(&scenarios.Algorithm{Enforcement: e.Name}).IsAffectedBy(kind.Name)
			differ := slices.DeleteFunc(slices.Clone(presets[e.Name]), func(p string) bool { return well[p] == ill[p] })
			switch {
			case affected && len(differ) == 0:
				t.Errorf("%s declares that %s affects it, but the results of %v do not change", e.Name, kind.Name, presets[e.Name])
			case !affected && len(differ) > 0:
				t.Errorf("%s does not declare that %s affects it, but the results of %v change", e.Name, kind.Name, differ)
			}
		}
	}
}
