package sim

import (
	"slices"
	"strings"
	"testing"
)

// A request that a bucket can never hold is said, not left to be found.
func TestWarnsOfCostsAboveTheBurst(t *testing.T) {
	d := simulate(t, `
version: 1
duration: 2s
algorithms:
  deep: {preset: token-bucket, burst: 6}
  debt: {preset: token-bucket, debt: true}
scenarios:
  - name: large
    policy: {limit: 5/s, burst: 5}
    topology: {clients: 2}
    traffic: [{pattern: list, events: [{at: 0s, cost: 6}]}]
    algorithms: [token-bucket, gcra, local-divided, deep, debt, fixed-window]
`)
	warned := strings.Join(d.Scenarios[0].Warnings, "\n")
	for name, want := range map[string]bool{
		"token-bucket": true, "gcra": true, "local-divided": true, "deep": false, "debt": false, "fixed-window": false,
	} {
		if got := strings.Contains(warned, "asks 6 and "+name+" holds"); got != want {
			t.Errorf("%s: warned %v, want %v: %q", name, got, want, warned)
		}
	}
	if slices.ContainsFunc(d.Scenarios[0].Warnings, func(w string) bool { return strings.Contains(w, "local-divided holds 5") }) {
		t.Error("local-divided holds its share of the burst, not all of it")
	}
}
