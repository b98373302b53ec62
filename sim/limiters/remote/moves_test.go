package remote_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestMovesOfAFailure counts keys that move by what their new owners admit. The limit
// is one request per key, so a server admits one request of each key that it
// gets. When one of five servers fails and returns, the keys whose owner changes
// move twice: four in five keys by modulo, one in five on a ring.
func TestMovesOfAFailure(t *testing.T) {
	const keys = 300
	for route, config := range map[string]routing.Config{
		"modulo: {propagation: 0s}": {Kind: routing.ByModulo, Servers: 5},
		"ring: {propagation: 0s}":   {Kind: routing.ByRing, Servers: 5, VirtualNodes: 100},
	} {
		m := routing.New(config)
		var before [keys]int32
		for key := range before {
			before[key] = m.Owner(int32(key))
		}
		m.Fail(0, 2)
		moved := 0
		for key, owner := range before {
			if m.Owner(int32(key)) != owner {
				moved++
			}
		}
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 90s
replications: 1
algorithms:
  owners: {preset: sharded-memory, route: {%s}}
scenarios:
  - name: failure
    policy: {limit: 1/90s}
    topology: {clients: 3, servers: 5}
    traffic: [{pattern: constant, rate: 1000/s, keys: {uniform: {count: %d}}}]
    algorithms: [owners]
    faults: [{server-crash: {from: 30s, server: 2, noticed_after: 0s, down_for: 30s}}]
`, route, keys))
		simtest.Exactly(t, d, "failure", "owners", "admitted_requests", float64(keys+2*moved))
		simtest.Exactly(t, d, "failure", "owners", "timed_out_requests", 0)
		t.Logf("%s: %d of %d keys moved", route, moved, keys)
	}
}

// TestTwoOwners checks what two owners of one key admit together while one of four
// clients does not know of a new server. At 5 s the old owner has counted 50 of 100
// requests. The new owner counts from 0 and admits 100, or continues the count if
// that moves too. The stale client sends 2.5 requests per second to the old owner.
func TestTwoOwners(t *testing.T) {
	for _, c := range []struct {
		servers, fault string
		lost, kept     float64
		failing        float64
	}{
		{"4", "server-added: {from: 5s}", 50 + 100, 100, 0},
		{"4", "server-added: {from: 5s, stale_for: 8s, stale_clients: [0]}", 50 + 20 + 100, 100, 0},
		{"4", "server-added: {from: 5s, stale_for: 40s, stale_clients: [0]}", 50 + 50 + 100, 100, 0},
		{"4", "server-added: {from: 5s, stale_for: 40s}", 100 + 100, 100, 0}, // one after the other
		{"4", "server-removed: {from: 5s, server: 3, stale_for: 8s, stale_clients: [0], two_owners_for: 4s}", 50 + 10 + 10 + 100, 110, 10},
		{"4", "reshard: {from: 5s, share: 100%, stale_for: 8s, stale_clients: [0], two_owners_for: 8s}", 50 + 20 + 100, 100, 0},
		{"4", "reshard: {from: 5s, share: 100%, stale_for: 8s, stale_share: 0%}", 50 + 100, 100, 0},
		{"1", "server-added: {from: 5s, stale_for: 8s, stale_clients: [0]}", 50 + 20 + 100, 100, 0},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 60s
algorithms:
  lost: {preset: sharded-memory, route: hash}
  kept: {preset: sharded-memory, route: hash, moved_state: kept}
scenarios:
  - name: two
    policy: {limit: 100/min}
    topology: {clients: 4, servers: %s}
    traffic: [{pattern: constant, rate: 10/s}]
    algorithms: [lost, kept]
    faults: [{%s}]
`, c.servers, c.fault))
		for name, want := range map[string]float64{"lost": c.lost, "kept": c.kept} {
			t.Log(c.fault)
			simtest.Exactly(t, d, "two", name, "admitted_requests", want)
			simtest.Exactly(t, d, "two", name, "admitted_fail_open_requests", c.failing)
		}
	}
}
