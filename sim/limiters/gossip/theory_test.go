package gossip_test

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestGossipCalls checks that each of N limiters sends to all others, or to as many
// as the option branching says, in every interval.
func TestGossipCalls(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
warmup: 1s
algorithms:
  two: {preset: global-random-drop, branching: 2}
scenarios:
  - name: calls
    policy: {limit: 1000/s}
    topology: {clients: 8}
    traffic: [{pattern: constant, rate: 5000/s, spread: even}]
    algorithms: [global-random-drop, flow-proportional-share, two]
`)
	simtest.Exactly(t, d, "calls", "global-random-drop", "server_calls_per_s", 8*7*20)
	simtest.Exactly(t, d, "calls", "flow-proportional-share", "server_calls_per_s", 8*7*20)
	simtest.Exactly(t, d, "calls", "two", "server_calls_per_s", 8*2*20)
}

// TestGlobalRandomDropStep checks a step to k times the limit, without retries. The
// share 1/(1-0.9^n) of the limit is admitted in interval n once that is less than
// the demand. The excess falls monotonically and is below 5 % after 29 intervals
// for k = 2, and for any k that is not close to 1, later by the 40 ms of the
// network.
func TestGlobalRandomDropStep(t *testing.T) {
	const limit = 1e6 // per second
	d := simtest.Run(t, `
version: 1
duration: 2s
algorithms:
  grd: {preset: global-random-drop, phase: aligned}
scenarios:
  - name: step
    policy: {limit: 50k/50ms}
    topology: {clients: 5, network: 80ms}
    traffic: [{pattern: constant, rate: 2M/s, spread: even}]
    algorithms: [grd]
`)
	passes := func(demand float64) float64 { return min(2, 2/max(demand, 1)) }
	estimate := func(n int) float64 { return 2 * (1 - math.Pow(0.9, max(float64(n), 0))) }
	total, last := 0.0, 3.0
	for n := range 40 {
		// Four fifths of the estimates are 40 ms old.
		stale := passes(estimate(n)/5 + estimate(n-1)*4/5)
		fresh := passes(estimate(n))
		mean := 0.8*stale + 0.2*fresh
		if mean > last {
			t.Errorf("the closed form rises in interval %d", n)
		}
		if last = mean; n > 30 && mean > 1.05 {
			t.Errorf("after %d intervals %.3f of the limit pass", n, mean)
		}
		total += mean * limit / 20
	}
	simtest.About(t, d, "step", "grd", "admitted_requests", total, 0.002)
	simtest.About(t, d, "step", "grd", "over_limit_pct_max", 100, 0.001)
}

// TestPeersFollowFaults checks that limiters that are added and removed change the
// demand, and that a new limit holds at once: the admitted rate is the limit, apart
// from the first estimates of each stage.
func TestPeersFollowFaults(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 60s
warmup: 5s
replications: 5
topologies:
  six: {clients: 6, network: 40ms}
algorithms:
  two: {preset: global-random-drop, branching: 2}
scenarios:
  - name: come and go
    policy: {limit: 1000/s, burst: 100}
    topology: six
    traffic: [{pattern: poisson, rate: 2000/s}]
    faults: [{autoscale: {stages: [{clients: 2}, {from: 20s, clients: 6}, {from: 40s, clients: 3}]}}]
    algorithms: [global-random-drop, flow-proportional-share]
  - name: a tenth
    policy: {limit: 1000/s, burst: 100}
    topology: six
    traffic: [{pattern: poisson, rate: 2000/s}]
    faults: [{policy-change: {factor: 0.1}}]
    algorithms: [global-random-drop, flow-proportional-share, two, gubernator-global]
  - name: started anew
    policy: {limit: 1000/s, burst: 100}
    topology: {clients: 6, servers: 6}
    traffic: [{pattern: poisson, rate: 2000/s}]
    faults: [{server-restart: {from: 10s, every: 10s, servers: 2, down_for: 500ms}}]
    algorithms: [global-random-drop, flow-proportional-share]
`)
	simtest.About(t, d, "come and go", "global-random-drop", "admitted_over_limit", 1.02, 0.04)
	simtest.About(t, d, "come and go", "flow-proportional-share", "admitted_over_limit", 1, 0.05)
	for _, algorithm := range []string{"global-random-drop", "two", "flow-proportional-share"} {
		simtest.About(t, d, "a tenth", algorithm, "admitted_over_limit", 1.01, 0.05) // of the limit in force
	}
	simtest.About(t, d, "started anew", "global-random-drop", "admitted_over_limit", 1.03, 0.05)
	simtest.About(t, d, "started anew", "flow-proportional-share", "admitted_over_limit", 1.01, 0.05)
}
