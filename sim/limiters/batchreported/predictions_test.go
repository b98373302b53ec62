package batchreported_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestPredictions compares the closed forms that explain prints with simulations
// over a range of loads, intervals, numbers of clients and latencies.
func TestPredictions(t *testing.T) {
	for _, c := range []struct {
		options, arrivals, network string
		k, clients                 int
		interval                   int64
		over, noise                float64 // how far off a prediction may be, share of the limit; 0: there is none
	}{
		{"phase: staggered", "constant", "0s", 3, 20, 100 * ms, 0.008, 0},
		{"phase: random", "poisson", "0s", 3, 20, 100 * ms, 0.01, 0},
		{"phase: random", "poisson", "0s", 10, 5, 50 * ms, 0.06, 0},
		{"phase: staggered", "poisson", "20ms", 2, 50, 100 * ms, 0.01, 0},
		{"phase: random", "poisson", "{lognormal: {p50: 5ms, p99: 50ms}}", 4, 40, 200 * ms, 0.03, 0},
		{"phase: aligned", "constant", "0s", 3, 10, 100 * ms, 0.001, 0},
		{"phase: aligned", "constant", "0s", 7, 10, 50 * ms, 0.001, 0},
		{"phase: aligned", "constant", "10ms", 3, 10, 100 * ms, 0.004, 0},
		{"phase: common-random", "poisson", "0s", 3, 10, 20 * ms, 0.02, 0},
		{"reject_til: false, rejection_rate: true", "constant", "0s", 3, 20, 100 * ms, 0.003, 0.004},
		{"reject_til: false, rejection_rate: true", "poisson", "0s", 3, 20, 100 * ms, 0.004, 0.006},
		{"reject_til: false, rejection_rate: true, thinning: diffusion", "poisson", "0s", 2, 20, 100 * ms, 0.004, 0.006},
	} {
		name := fmt.Sprintf("%s, %s, %s, %dx on %d, each %d ms", c.options, c.arrivals, c.network, c.k, c.clients, c.interval/ms)
		text := fmt.Sprintf(`
version: 1
duration: 40s
replications: 6
algorithms:
  tested: {preset: batch-reported, interval: %dms, %s}
scenarios:
  - name: steady
    warmup: 4s
    policy: {limit: 1000/s}
    topology: {clients: %d, network: %s}
    traffic: [{pattern: %s, rate: %d/s}]
    algorithms: [tested]
`, c.interval/ms, c.options, c.clients, c.network, c.arrivals, 1000*c.k)
		f := simtest.Load(t, text)
		config, err := batchreported.ConfigFrom(f.Scenarios[0].Algorithms[0].Options, counting.Limit{Count: 1000, Window: 1000 * ms, Burst: 1000}, c.clients, 1000)
		if err != nil {
			t.Fatal(err)
		}
		steady := batchreported.Load{Offered: float64(1000 * c.k), Cost: 1, Poisson: c.arrivals == "poisson", Before: 4, Span: 36}
		switch c.network {
		case "10ms":
			steady.Latency, steady.Tail = 0.010, 0.010
		case "20ms":
			steady.Latency, steady.Tail = 0.020, 0.020
		case "{lognormal: {p50: 5ms, p99: 50ms}}":
			sigma := math.Log(10) / 2.3263478740408408
			steady.Latency, steady.Tail = 0.005*math.Exp(sigma*sigma/2), 0.050
		}
		p := config.Predict(steady)
		d := simtest.Run(t, text)
		compare := func(metric string, want catalog.Predicted, scale, within float64) {
			if within == 0 {
				return
			}
			got := simtest.Mean(t, d, "steady", "tested", metric) / scale
			if want.Formula == "" || math.Abs(got-want.Value) > within {
				t.Errorf("%s: %s = %.4f, predicted %.4f by %q", name, metric, got, want.Value, want.Formula)
			}
		}
		compare("over_limit_pct", p.OverLimit, 100, c.over)
		compare("window_error_sd_pct", p.Noise, 100, c.noise)
		compare("admitted_over_limit", p.LongRun, 1, c.over)
	}
}
