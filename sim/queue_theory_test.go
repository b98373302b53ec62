package sim

import (
	"fmt"
	"math"
	"testing"
)

// A leaky bucket under Poisson load is an M/D/1 queue: requests wait
// rho*D/(2*(1-rho)) on average (Pollaczek and Khinchine), here with D = 10 ms.
func TestLeakyBucketIsMD1(t *testing.T) {
	for _, rho := range []float64{0.5, 0.8} {
		d := simulate(t, fmt.Sprintf(`
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
		s := summary(t, d, "queue", "leaky-bucket", "wait_mean_ms")
		if want < *s.Lo || want > *s.Hi || *s.Hi-*s.Lo > want/10 {
			t.Errorf("rho %v: waits %v ms on average (%v to %v), want %v", rho, *s.Mean, *s.Lo, *s.Hi, want)
		}
		// The share that does not wait at all is 1-rho.
		undelayed := 1 - figure(t, d, "queue", "leaky-bucket", "delayed_requests")/figure(t, d, "queue", "leaky-bucket", "admitted_requests")
		if math.Abs(undelayed-(1-rho)) > 0.01 {
			t.Errorf("rho %v: a share of %v does not wait, want %v", rho, undelayed, 1-rho)
		}
	}
}

// Callers leave a queue after max_wait. While it is never empty every token is
// used; whoever arrives finds the queue as long as patience allows.
func TestMaxWait(t *testing.T) {
	d := simulate(t, `
version: 1
duration: 10s
metrics: full
algorithms:
  patient: {preset: rover, burst: 1, max_wait: 100ms, replenish: continuous}
scenarios:
  - name: queue
    policy: {limit: 100/s}
    traffic: [{pattern: constant, rate: 200/s}]
    algorithms: [patient]
`)
	// One token at 0 and one every 10 ms up to 9.99 s.
	exactly(t, d, "queue", "patient", "admitted_requests", 1000)
	exactly(t, d, "queue", "patient", "wait_max_ms", 100)
	// Of the last 100 ms, 20 arrivals and 10 tokens for those before them.
	exactly(t, d, "queue", "patient", "waiting_requests", 20)
	exactly(t, d, "queue", "patient", "rejected_max_wait_requests", 2000-1000-20)
	exactly(t, d, "queue", "patient", "rejected_requests", 2000-1000-20)
}
