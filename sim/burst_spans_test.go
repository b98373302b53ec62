package sim_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestBurstOfLongRun checks that the burst excess of steady limiters does not grow
// with the length of the run, after a warm-up of three windows. The accumulated
// excess does: 20 clients that report every 100 ms admit 30 % too much.
func TestBurstOfLongRun(t *testing.T) {
	of := map[int]map[string]float64{}
	for _, seconds := range []int{30, 60} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
seed: 1
replications: 3
warmup: 3s
duration: %ds
scenarios:
  - name: fleet
    policy: {limit: 1000/s, burst: 50}
    topology: {clients: 20, servers: 4, network: {lognormal: {p50: 1ms, p99: 15ms}}}
    traffic: [{pattern: poisson, rate: 3000/s}]
    algorithms: [fixed-window, batch-reported, rejection-rate, batch-debt]
`, 3+seconds))
		of[seconds] = map[string]float64{}
		for _, r := range d.Results {
			of[seconds][r.Algorithm] = *r.Metrics["burst_excess"].Mean
			of[seconds][r.Algorithm+" accumulated"] = *r.Metrics["accumulated_excess"].Mean
		}
	}
	for _, name := range []string{"reference", "fixed-window", "batch-reported", "rejection-rate", "batch-debt"} {
		// A maximum over twice as many windows is a little larger. 30 requests are
		// the noise of Poisson arrivals in a second.
		if short, long := of[30][name], of[60][name]; long < short-30 || long > short+30 {
			t.Errorf("%s: burst_excess is %v in 30 s and %v in 60 s", name, short, long)
		}
	}
	if short, long := of[30]["batch-reported accumulated"], of[60]["batch-reported accumulated"]; long < 1.9*short || long > 2.1*short {
		t.Errorf("batch-reported: accumulated_excess is %v in 30 s and %v in 60 s, want about twice as much", short, long)
	}
}

// TestStraddleOfSlidingLog checks that a fixed window is not taken for exact by a
// policy that is compared with a sliding log: with traffic that straddles
// boundaries it admits 185 in a second under a limit of 100.
func TestStraddleOfSlidingLog(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 60s
scenarios:
  - name: square gap
    policy: {limit: 100/s, reference: sliding-log}
    traffic: [{pattern: square, low: 20/s, high: 190/s, high_for: 1s, low_for: 700ms}]
    algorithms: [fixed-window, sliding-window-log]
`)
	simtest.Exactly(t, d, "square gap", "reference", "burst_excess", 0)
	simtest.Exactly(t, d, "square gap", "sliding-window-log", "burst_excess", 0)
	simtest.Exactly(t, d, "square gap", "fixed-window", "burst_excess", 85)
	simtest.Exactly(t, d, "square gap", "fixed-window", "burst_excess_s", 0.85)
}

// TestBurstAtChangeOfLimit checks that bursts after a change of the limit, at the
// beginning of a window, are measured against the new burst. 100 clients admit
// 100/s from then on. The largest excess is that of two windows under 20/s with a
// burst of 20: 200 requests in 1.99 s.
func TestBurstAtChangeOfLimit(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 8s
scenarios:
  - name: doubled
    policy: {limit: 10/s}
    topology: {clients: 100}
    faults: [{policy-change: {from: 4s, factor: 2}}]
    traffic:
      - {pattern: herd, count: 1}
      - {pattern: constant, rate: 100/s, from: 4s}
    algorithms: [local-full]
`)
	if got := simtest.Mean(t, d, "doubled", "local-full", "burst_excess"); math.Abs(got-(200-20*1.99-20)) > 1e-9 {
		t.Errorf("burst excess %v, want 140.2", got)
	}
}
