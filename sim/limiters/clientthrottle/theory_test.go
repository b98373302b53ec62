package clientthrottle_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestClientThrottle checks that in steady overload a client sends K requests for
// each accepted one, and sends nearly none while the server accepts none.
func TestClientThrottle(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 120s
replications: 2
algorithms:
  two:    {preset: sre-throttle, window: 10s}
  eleven: {preset: sre-throttle, window: 10s, k: 1.1}
  away:   {preset: sre-throttle, window: 10s, backend: remote}
scenarios:
  - name: ten times
    warmup: 20s
    policy: {limit: 100/s, burst: 10}
    topology: {clients: 5, network: 2ms}
    traffic: [{pattern: poisson, rate: 1000/s, spread: random}]
    algorithms: [two, eleven, away]
  - name: within
    policy: {limit: 100/s, burst: 100}
    topology: {clients: 5}
    traffic: [{pattern: constant, rate: 90/s}]
    algorithms: [two]
  - name: crash
    policy: {limit: 100/s, burst: 100}
    topology: {clients: 5, network: 2ms}
    traffic: [{pattern: constant, rate: 90/s}]
    algorithms: [away]
    faults: [{server-crash: {from: 60s, down_for: 60s}}]
`)
	for name, k := range map[string]float64{"two": 2, "eleven": 1.1, "away": 2} {
		simtest.About(t, d, "ten times", name, "server_calls_per_s", 100*k, 0.03)
	}
	simtest.About(t, d, "ten times", "two", "admitted_over_limit", 1, 0.01)
	simtest.Exactly(t, d, "within", "two", "rejected_requests", 0)
	// While the server accepts no request, the client soon sends almost none:
	// after n requests the probability to send one is 1/(n+1).
	simtest.Between(t, d, "crash", "away", "timed_out_requests", 18*5, 90*12)
}
