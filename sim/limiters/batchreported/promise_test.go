package batchreported_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestEndStateKeepsThePromise checks that the end state stays within 5 % of the
// limit, over and under it, for the bursts, fleets, intervals and loads that its
// description names.
func TestEndStateKeepsThePromise(t *testing.T) {
	var scenarios strings.Builder
	var names []string
	for _, x := range []struct {
		limit, burst, clients int
		interval              string
	}{
		{1000, 50, 20, "10ms"}, {1000, 50, 20, "100ms"}, {1000, 50, 20, "1s"}, {1000, 50, 4, "100ms"}, {1000, 50, 200, "100ms"}, {1000, 50, 200, "1s"},
		{1000, 200, 4, "100ms"}, {1000, 200, 20, "100ms"}, {1000, 200, 200, "100ms"}, {1000, 200, 20, "1s"},
		{1000, 1000, 4, "10ms"}, {1000, 1000, 20, "100ms"}, {1000, 1000, 200, "100ms"}, {100, 20, 20, "100ms"},
	} {
		for _, k := range []float64{1.3, 3, 10} {
			for _, spread := range []string{"even", "random"} {
				name := fmt.Sprintf("%d/s burst %d on %d each %s %vx %s", x.limit, x.burst, x.clients, x.interval, k, spread)
				names = append(names, name)
				fmt.Fprintf(&scenarios, `  - name: %s
    policy: {limit: %d/s, burst: %d}
    topology: {clients: %d, servers: 4, network: {lognormal: {p50: 1ms, p99: 15ms}}}
    traffic: [{pattern: poisson, rate: %.0f/s, spread: %s}]
    algorithms: ["%s"]
`, name, x.limit, x.burst, x.clients, k*float64(x.limit), spread, x.interval)
			}
		}
	}
	d := simtest.Run(t, `
version: 1
duration: 25s
warmup: 10s  # at 1.3 times the limit a burst of 1000 lasts for 4 s
replications: 1
algorithms:
  10ms:  {preset: batch-debt-local, interval: 10ms}
  100ms: {preset: batch-debt-local}
  1s:    {preset: batch-debt-local, interval: 1s}
scenarios:
`+scenarios.String())
	for _, name := range names {
		interval := strings.Fields(name)[6]
		over, under := simtest.Mean(t, d, name, interval, "over_limit_pct"), simtest.Mean(t, d, name, interval, "under_admission_pct")
		if over > 5 || under > 5 {
			t.Errorf("%s: %.1f %% over, %.1f %% under", name, over, under)
		}
	}
}

// TestEndStateAndSlowAnswers checks that the end state keeps the promise of 5 % if
// a round trip takes at most three quarters of the interval, and not if it takes
// as long as the interval.
func TestEndStateAndSlowAnswers(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 40s
warmup: 10s
replications: 1
algorithms:
  300ms: {preset: batch-debt-local, interval: 300ms}
  400ms: {preset: batch-debt-local, interval: 400ms}
scenarios:
  - name: slow
    policy: {limit: 1000/s, burst: 50}
    topology: {clients: 20, network: {constant: 300ms}}
    traffic: [{pattern: poisson, rate: 3000/s, spread: random}]
    algorithms: ["300ms", "400ms"]
`)
	for _, metric := range []string{"over_limit_pct", "under_admission_pct"} {
		if got := simtest.Mean(t, d, "slow", "400ms", metric); got > 5 {
			t.Errorf("%s with an interval of 400 ms: %.1f, want at most 5", metric, got)
		}
		if got := simtest.Mean(t, d, "slow", "300ms", metric); got < 5 {
			t.Errorf("%s with an interval of 300 ms: %.1f, want more than 5", metric, got)
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
