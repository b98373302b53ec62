package remote_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestSettlementAgainstOneList compares every way of settlement with a naive model, in
// a store behind a replica and in the memory of an owner.
func TestSettlementAgainstOneList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hop := rapid.Int64Range(0, 9).Draw(t, "hop")
		algorithm, hops := "enforcement: remote, timeout: 0s, store_service_time: 0s, store_network: %dns", int64(2)
		if rapid.Bool().Draw(t, "memory") {
			algorithm, hops = "enforcement: remote, timeout: 0s, store: false, route: ring", 1
		} else {
			algorithm = fmt.Sprintf(algorithm, 2*hop)
		}
		c := simtest.DrawSettlement(t, algorithm, hops*hop)
		c.Topology = fmt.Sprintf("{clients: 3, network: %dns}", 2*hop)
		c.Compare(t)
	})
}

// TestLostSettlements checks that a fault at the time of a settlement loses it, so that the
// reservation stays until its window ends or it expires.
func TestLostSettlements(t *testing.T) {
	for _, c := range []struct {
		fault, expires string
		admitted       float64
	}{
		{"{policy-change: {from: 30s, factor: 2}}", "0s", 4}, // no settlement is due
		{"{partition: {from: 1500ms, to: 3s, share: 100%}}", "0s", 2},
		{"{partition: {from: 1500ms, to: 3s, share: 100%}}", "3s", 4},
		{"{store-down: {from: 1500ms, to: 3s}}", "0s", 2},
		{"{server-restart: {from: 1500ms, servers: all, down_for: 1500ms}}", "0s", 2},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 1min
algorithms:
  tested: {enforcement: remote, counter: fixed-window, settle: {reserve-maximum-then-refund: {maximum: 5}}, expires_after: %s}
scenarios:
  - name: lost
    policy: {limit: 10/min}
    topology: {clients: 1, servers: 1, network: 2ms}
    faults: [%s]
    traffic:
      - {pattern: list, events: [{at: 1s}, {at: 4500ms}, {at: 6s}, {at: 8s}], cost: {estimate: 1, actual: 1}, answer: 1s}
    algorithms: [tested]
`, c.expires, c.fault))
		simtest.Exactly(t, d, "lost", "tested", "admitted_requests", c.admitted)
	}
}

// TestSettlementsAreLoad checks that each settlement is a call to a server and an
// operation of the store.
func TestSettlementsAreLoad(t *testing.T) {
	for way, calls := range map[string]float64{"none": 10, "check-then-deduct": 20} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 1min
metrics: full
algorithms:
  tested: {enforcement: remote, counter: fixed-window, settle: %s}
scenarios:
  - name: load
    policy: {limit: 1000/min}
    topology: {clients: 1, servers: 1, network: 2ms}
    traffic:
      - {pattern: list, events: [{at: 1s, count: 10}], cost: {estimate: 1, actual: 2}, answer: 1s}
    algorithms: [tested]
`, way))
		simtest.Exactly(t, d, "load", "tested", "server_calls_per_s", calls/60)
		simtest.Exactly(t, d, "load", "tested", "store_ops_per_s", calls/60)
	}
}
