package remote_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/internal/simtest"
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
