package central_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestLeakyBucketIsMD1 checks that a leaky bucket under Poisson load is an M/D/1
// queue: requests wait rho*D/(2*(1-rho)) on average (Pollaczek and Khinchine), here
// with D = 10 ms.
func TestLeakyBucketIsMD1(t *testing.T) {
	for _, rho := range []float64{0.5, 0.8} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 330s
warmup: 30s
replications: 20
scenarios:
  - name: queue
    policy: {limit: 100/s, burst: 100000}
    traffic: [{pattern: poisson, rate: %v/s}]
    algorithms: [leaky-bucket]
`, 100*rho))
		want := rho * 10 / (2 * (1 - rho))
		s := simtest.Summary(t, d, "queue", "leaky-bucket", "wait_mean_ms")
		if want < *s.Lo || want > *s.Hi || *s.Hi-*s.Lo > want/10 {
			t.Errorf("rho %v: waits %v ms on average (%v to %v), want %v", rho, *s.Mean, *s.Lo, *s.Hi, want)
		}
		// The share of requests that do not wait is 1-rho.
		undelayed := 1 - simtest.Mean(t, d, "queue", "leaky-bucket", "delayed_requests")/simtest.Mean(t, d, "queue", "leaky-bucket", "admitted_requests")
		if math.Abs(undelayed-(1-rho)) > 0.01 {
			t.Errorf("rho %v: a share of %v does not wait, want %v", rho, undelayed, 1-rho)
		}
	}
}
