package sim_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestNothingIsHandedOutTwice checks the excess of limiters that grant tokens in
// advance, while messages are lost, late and cut off. The excess is at most the
// tokens that a client holds, or the parts of requests by which its buckets are
// rounded up. Where callers wait, late responses add what they admit at once. A
// late or lost response that lowers a lease adds that lease for as long.
func TestNothingIsHandedOutTwice(t *testing.T) {
	const clients, burst = 8, 40
	const late = 400 * 0.15 // of a limit of 400/s, for responses that are 150 ms late
	for _, c := range []struct {
		options string
		most    float64
	}{
		{"{preset: prefetch, lease_size: 5}", clients*(5+5) + late},
		{"{preset: prefetch, lease_size: 5, low_water: 0, expiry: 0s, refusal: forgotten, timeout: 20ms}", clients*5 + late},
		{"{preset: prefetch, lease_size: 7, expiry: 30ms}", clients*(5+7) + late},
		{"{enforcement: prefetch, counter: token-bucket, lease_size: 4, when_empty: reject}", clients * (5 + 4)},
		{"{preset: doorman-fair, refresh: 300ms, retry: 100ms, timeout: 100ms, without_lease: pessimistic, lease: 2s}", clients + late},
		{"{preset: doorman-proportional, refresh: 100ms, without_lease: pessimistic, lease: 1s, idle: 0s}", clients + late},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 20s
replications: 2
algorithms:
  tested: %s
scenarios:
  - name: rough
    policy: {limit: 400/s, burst: %d}
    topology: {clients: %d, servers: 2, network: {lognormal: {p50: 4ms, p99: 60ms}}}
    traffic:
      - {pattern: square, high: 1500/s, low: 50/s, high_for: 700ms, low_for: 900ms, arrivals: poisson, spread: random}
      - {pattern: poisson, rate: 100/s, spread: {skewed: {shares: [0.5, 0.5]}}}
    algorithms: [tested]
    faults:
      - {report-loss: {from: 2s, to: 8s, p: 20%%}}
      - {report-delay: {from: 5s, to: 12s, p: 20%%, delay: 80ms}}
      - {partition: {from: 9s, to: 13s, share: 40%%}}
`, c.options, burst, clients))
		simtest.Between(t, d, "rough", "tested", "burst_excess", 0, c.most)
		simtest.Between(t, d, "rough", "tested", "admitted_over_limit", 0.3, 1.02)
	}
}
