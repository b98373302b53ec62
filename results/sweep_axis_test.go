package results_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/results"
)

// TestAxisConditions tells what limiters meet from how they are set.
func TestAxisConditions(t *testing.T) {
	for of, want := range map[string]bool{
		"algorithms.batch.interval": false, "policy.burst": false, "policies.search.limit": false, "topology.servers": false,
		"topologies.fleet.servers": false, "topologies.fleet.clients": true, "topology.network.constant": true, "traffic[0].rate": true, "duration": true,
	} {
		if got := (results.Axis{Of: of}).Condition(); got != want {
			t.Errorf("%s: condition %v", of, got)
		}
	}
}
