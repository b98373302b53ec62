package sim_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestPartitionedPeers checks that clients without a connection to each other and
// to the store each grant the whole limit.
func TestPartitionedPeers(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 60s
algorithms:
  apisix: {preset: apisix-delayed-sync}
  kong: {preset: kong-sync, count_rejected: false}
scenarios:
  - name: cut off
    policy: {limit: 100/s, burst: 10}
    topology: {clients: 4, network: 2ms}
    traffic: [{pattern: constant, rate: 1600/s, spread: even}]
    faults: [{partition: {from: 0s, to: 60s}}]
    algorithms: [apisix, kong, gubernator-global, global-random-drop]
`)
	for _, algorithm := range []string{"kong", "gubernator-global", "global-random-drop"} {
		simtest.About(t, d, "cut off", algorithm, "admitted_requests", 4*6000, 0.04)
	}
	// A client that learns its quota only at each sync admits less than the
	// limit, even a single node with its own store.
	simtest.About(t, d, "cut off", "apisix", "admitted_requests", 4*6000, 0.2)
}
