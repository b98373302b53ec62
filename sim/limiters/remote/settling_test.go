package remote_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/simtest"
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
