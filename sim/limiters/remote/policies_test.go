package remote_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestRemoteMultiPolicy checks requests under two policies. Without delay, a store
// that decides under all keys together equals the central limiter for every option
// charge. Owners that each decide for their keys equal it if all policies are
// charged.
func TestRemoteMultiPolicy(t *testing.T) {
	for _, charge := range []string{"all", "none"} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 20s
replications: 1
policies:
  users:  {limit: 30/s, burst: 10, per: user}
  groups: {limit: 100/s, burst: 50, per: group}
algorithms:
  here:   {enforcement: central, counter: token-bucket, charge: %[1]s}
  store:  {enforcement: remote, counter: token-bucket, charge: %[1]s, store_service_time: 0s}
  parked: {enforcement: remote, counter: token-bucket, charge: %[1]s, store_service_time: 0s, batch_size: 2, batch_time: 1ns}
  owners: {enforcement: remote, counter: token-bucket, charge: %[1]s, store: false, route: hash}
  apart:  {enforcement: remote, counter: token-bucket, charge: %[1]s, store_service_time: 0s, route: hash, fan_out: by-descriptor}
scenarios:
  - name: both
    policies: [users, groups]
    topology: {clients: 3, servers: 4}
    traffic:
      - pattern: poisson
        rate: 300/s
        descriptors:
          users:  {keys: {uniform: {count: 8}}, count: 2}
          groups: {keys: {uniform: {count: 3}}, applies: 50%%}
    algorithms: [here, store, parked, owners, apart]
`, charge))
		compare := []string{"store", "owners", "apart"}
		if charge == "none" {
			compare = []string{"store"}
		}
		for _, metric := range []string{"admitted_requests", "rejected_requests"} {
			want := simtest.Mean(t, d, "both", "here", metric)
			for _, name := range compare {
				simtest.Exactly(t, d, "both", name, metric, want)
			}
			simtest.About(t, d, "both", "parked", metric, want, 0.02)
		}
		simtest.Exactly(t, d, "both", "store", "fanout_max", 1)
		simtest.Exactly(t, d, "both", "apart", "fanout_max", 3)
		simtest.About(t, d, "both", "apart", "fanout_mean", 2.5, 0.02)
	}
}

// TestFanOut checks the calls of a request. D keys have S*(1-(1-1/S)^D) of S owners
// on average, which is the number of calls if keys are grouped by owner. Without
// grouping it is D, and the caller waits for the slowest call.
func TestFanOut(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
replications: 5
policies:
  all: {limit: 1000000/s}
  one: {limit: 1000000/s}
algorithms:
  grouped: {preset: sharded-memory, route: hash, timeout: 0s}
  apart:   {preset: sharded-memory, route: hash, timeout: 0s, fan_out: by-descriptor}
  store:   {preset: remote, store_network: 0s, timeout: 0s}
  one-out: {preset: sharded-memory, route: hash, timeout: 10ms, on_timeout: fail-closed, fan_out: by-descriptor}
scenarios:
  - name: ten
    policies: [all, one]
    topology: {clients: 5, servers: 8, network: {exponential: {p99: 10ms}}}
    traffic:
      - pattern: poisson
        rate: 500/s
        descriptors:
          all: {keys: {uniform: {count: 20000}}, count: 10}
          one: {applies: 0%}
    algorithms: [grouped, apart, store, one-out]
`)
	calls := 8 * (1 - math.Pow(7.0/8, 10))
	simtest.About(t, d, "ten", "grouped", "fanout_mean", calls, 0.01)
	simtest.About(t, d, "ten", "grouped", "calls_per_decision", calls, 0.01)
	simtest.Exactly(t, d, "ten", "grouped", "fanout_max", 8)
	simtest.Exactly(t, d, "ten", "apart", "fanout_mean", 10)
	simtest.Exactly(t, d, "ten", "store", "fanout_mean", 1)
	simtest.About(t, d, "ten", "grouped", "server_entries_per_s", 5000, 0.02)
	// The mean of the largest of n exponential latencies is their mean times 1
	// + 1/2 + ... + 1/n. The 99th percentile of the largest of ten is the
	// latency that a single one exceeds with probability 1 - 0.99^(1/10).
	mean := 10 / math.Log(100)
	harmonic := 0.0
	for i := 1.0; i <= 10; i++ {
		harmonic += 1 / i
	}
	simtest.About(t, d, "ten", "apart", "decision_latency_mean_ms", mean*harmonic, 0.01)
	simtest.About(t, d, "ten", "apart", "decision_latency_p99_ms", -mean*math.Log(1-math.Pow(0.99, 0.1)), 0.03)
	simtest.About(t, d, "ten", "store", "decision_latency_mean_ms", mean, 0.02)
	offered := simtest.Mean(t, d, "ten", "one-out", "offered_requests")
	simtest.About(t, d, "ten", "one-out", "rejected_fail_closed_requests", (1-math.Pow(0.99, 10))*offered, 0.05)
	simtest.About(t, d, "ten", "one-out", "timed_out_requests", (1-math.Pow(0.99, 10))*offered, 0.05)
}
