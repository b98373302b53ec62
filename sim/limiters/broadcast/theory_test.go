package broadcast_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestBroadcastHerd checks that peers without a copy start with a full one, so each
// of them grants the limit to a herd. After 200 ms all copies are used up until the
// owner's window ends.
func TestBroadcastHerd(t *testing.T) {
	for _, clients := range []int{1, 3, 8} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 1min
scenarios:
  - name: herd
    policy: {limit: 10/min}
    topology: {clients: %d, network: 4ms}
    traffic: [{pattern: herd, count: 160, every: 5s, spread: even}]
    algorithms: [gubernator-global]
`, clients))
		simtest.Exactly(t, d, "herd", "gubernator-global", "admitted_requests", float64(10*clients))
	}
}

// TestBroadcastFreshWindow checks the first hits that a peer forwards, which open
// the owner's window. If they exceed the limit, they leave the window full, and the
// owner's update makes the peer grant the limit once more. With fresh_window:
// drained they use the window up.
func TestBroadcastFreshWindow(t *testing.T) {
	shares := []string{"0%", "0%"}
	shares[1-routing.Owner(0, 2)] = "100%" // the peer that is not the owner
	d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 1min
algorithms:
  drained: {preset: gubernator-global, fresh_window: drained}
scenarios:
  - name: hot peer
    policy: {limit: 10/min}
    topology: {clients: 2}
    traffic: [{pattern: herd, count: 100, every: 300ms, spread: {skewed: {shares: [%s, %s]}}}]
    algorithms: [gubernator-global, drained]
`, shares[0], shares[1]))
	simtest.Exactly(t, d, "hot peer", "gubernator-global", "admitted_requests", 20)
	simtest.Exactly(t, d, "hot peer", "drained", "admitted_requests", 10)
}

// TestBroadcastCalls checks the number of calls. Hits go to the owner every 100 ms,
// and updates from it to the N-1 others: with traffic at all peers that is 2(N-1)
// calls per interval. An interval begins with the next hit, at most 1 % later.
func TestBroadcastCalls(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
scenarios:
  - name: calls
    policy: {limit: 1000/s}
    topology: {clients: 5}
    traffic: [{pattern: constant, rate: 5000/s, spread: even}]
    algorithms: [gubernator-global]
`)
	simtest.About(t, d, "calls", "gubernator-global", "server_calls_per_s", 2*4*10, 0.015)
	simtest.Exactly(t, d, "calls", "gubernator-global", "fanout_max", 4)
}
