package clientthrottle_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestThrottleUnderTwoPolicies checks the limiter behind clients that do not throttle,
// because k is large: it charges as the central limiter does, also when it is called.
// With k = 2, the client rejects requests of a heavy user, and none of the others: its
// own limit rejects the heavy user, the total does not.
func TestThrottleUnderTwoPolicies(t *testing.T) {
	for _, charge := range []string{"all", "none"} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 20s
replications: 1
policies:
  total: {limit: 1000/s, burst: 100}
  users: {limit: 60/s, burst: 20, per: user}
algorithms:
  here:      {preset: token-bucket, charge: %[1]s}
  unthrottled: {preset: sre-throttle, k: 1000, charge: %[1]s}
  called:    {preset: sre-throttle, k: 1000, backend: remote, charge: %[1]s}
  throttled: {preset: sre-throttle, k: 2, charge: %[1]s}
scenarios:
  - name: loud
    policies: [total, users]
    traffic:
      - {pattern: constant, rate: 600/s, descriptors: {users: one}}
      - {pattern: constant, rate: 50/s, from: 1ms, descriptors: {users: {uniform: {count: 8}}}}
    algorithms: [here, unthrottled, called, throttled]
`, charge))
		for _, metric := range []string{"admitted_requests", "rejected_requests"} {
			want := simtest.Mean(t, d, "loud", "here", metric)
			simtest.Exactly(t, d, "loud", "unthrottled", metric, want)
			simtest.Exactly(t, d, "loud", "called", metric, want)
		}
		simtest.Exactly(t, d, "loud", "unthrottled", "rejected_local_requests", 0)
		// The heavy user's 600/s become 2*60/s, and the others' 50/s are sent.
		simtest.About(t, d, "loud", "throttled", "server_calls_per_s", 170, 0.1)
		simtest.About(t, d, "loud", "throttled", "admitted_requests", 20*110, 0.05)
	}
}
