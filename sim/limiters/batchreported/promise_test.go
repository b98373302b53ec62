package batchreported_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// skewed returns a spread that gives the first of n clients a percentage and the others
// equal parts of the rest.
func skewed(percent, n int) string {
	rest := fmt.Sprintf(", %d/%d", 100-percent, 100*(n-1))
	return fmt.Sprintf("{skewed: [%d%%%s]}", percent, strings.Repeat(rest, n-1))
}

// TestEndStateInSteadyTraffic checks that the end state refuses nothing of what is
// offered below the limit, and how close it stays to the limit above it, as its
// description says, however the traffic is spread over clients. With the rejection rate
// it keeps 5 % with any interval well below the time for which rates hold.
func TestEndStateInSteadyTraffic(t *testing.T) {
	most := map[string]map[float64]float64{ // by algorithm and load
		"100ms": {0.5: 0, 0.9: 0.01, 1.3: 2, 3: 9, 10: 20},
		"20ms":  {0.5: 0, 0.9: 0.01, 1.3: 1, 3: 2, 10: 6},
		"rate":  {0.5: 0, 0.9: 0.01, 1.3: 5, 3: 5, 10: 5},
		"500ms": {0.5: 0, 0.9: 0.01, 1.3: 5, 3: 5, 10: 5},
	}
	var scenarios strings.Builder
	type row struct {
		name string
		load float64
	}
	var rows []row
	for _, clients := range []int{4, 200} {
		for _, spread := range []string{"random", "hash", skewed(40, clients), skewed(70, clients)} {
			for load := range most["20ms"] {
				name := fmt.Sprintf("%vx on %d, %.12s", load, clients, spread)
				rows = append(rows, row{name, load})
				fmt.Fprintf(&scenarios, `  - name: "%s"
    policy: {limit: 1000/s, burst: 100}
    topology: {clients: %d, servers: 4, network: {lognormal: {p50: 1ms, p99: 15ms}}}
    traffic: [{pattern: poisson, rate: %.0f/s, spread: %s}]
    algorithms: ["100ms", "20ms", "rate", "500ms"]
`, name, clients, 1000*load, spread)
			}
		}
	}
	d := simtest.Run(t, `
version: 1
duration: 20s
warmup: 8s
replications: 1
algorithms:
  100ms: {preset: batch-debt-local}
  20ms:  {preset: batch-debt-local, interval: 20ms}
  rate:  {preset: batch-debt-rate}
  500ms: {preset: batch-debt-rate, interval: 500ms}
scenarios:
`+scenarios.String())
	for _, r := range rows {
		for algorithm, most := range most {
			over, under := simtest.Mean(t, d, r.name, algorithm, "over_admission_pct"), simtest.Mean(t, d, r.name, algorithm, "under_admission_pct")
			if over > most[r.load] || under > most[r.load] {
				t.Errorf("%s, %s: %.2f %% over, %.2f %% under, want at most %v %%", r.name, algorithm, over, under, most[r.load])
			}
		}
	}
}

// TestRejectionRateAnswersBothFields checks that a window that is full stays
// closed until it ends, although the rejection rate did not foresee the load, and
// that the rate without the reject-until time leaves it open.
func TestRejectionRateAnswersBothFields(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 24s
warmup: 4s
replications: 1
scenarios:
  - name: square wave
    policy: {limit: 1000/s, burst: 50}
    topology: {clients: 20}
    traffic: [{pattern: square, high: 4000/s, high_for: 1s, low_for: 1s}]
    algorithms: [rejection-rate, rejection-rate-only]
`)
	over := func(name string) float64 { return simtest.Mean(t, d, "square wave", name, "over_limit_pct") }
	if both := over("rejection-rate"); both < 30 || both > 45 { // k*d/w = 40 %
		t.Errorf("both fields: %.1f %% over the limit, want about 40", both)
	}
	if only := over("rejection-rate-only"); only < 250 {
		t.Errorf("the rate alone: %.1f %% over the limit, want about 290", only)
	}
}

// TestLocalAutoAdmitsLargeRequests checks that the local limiter "auto" holds a
// request of any cost, by going into debt.
func TestLocalAutoAdmitsLargeRequests(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 63s
warmup: 3s
replications: 1
scenarios:
  - name: large
    policy: {limit: 1000/s, burst: 200}
    topology: {clients: 10}
    traffic: [{pattern: poisson, rate: 60/s, cost: 50, spread: random}]
    algorithms: [batch-debt-local]
`)
	simtest.About(t, d, "large", "batch-debt-local", "admitted_over_limit", 1, 0.02)
}
