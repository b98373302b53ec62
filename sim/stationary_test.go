package sim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// cyclic lists the presets whose decisions under constant traffic go through
// cycles that are longer than a window, or that never repeat. Their figures vary
// with the part of a cycle that a run measures, and do not grow with its length.
// docs/metrics.md and their pages say so. Under random traffic they are like the
// others.
var cyclic = map[string]bool{
	"sampled-average": true, "kafka-sampled-average": true, // as long as their samples, 11 s
	"gubernator-global": true, "apisix-delayed-sync": true, "apisix-delayed-sync-before": true,
}

// TestStationary checks that a stationary scenario of twice the length has the
// same headline figures after a warm-up of three windows, for every preset:
// within 0.1 or the intervals of both.
func TestStationary(t *testing.T) {
	presets, rarely := pollRarely()
	// Spans are multiples of 11 s for the sampled averages.
	run := func(traffic string, windows int) *results.Document {
		return simtest.Run(t, fmt.Sprintf(`
version: 1
replications: 3
duration: %ds
warmup: 3s
algorithms:
%sscenarios:
  - name: s
    policy: {limit: 100/s, burst: 20}
    topology: {clients: 4, servers: 2, network: 4ms}
    traffic: [{%s}]
    algorithms: [%s]
`, 3+windows, rarely, traffic, strings.Join(presets, ", ")))
	}
	for _, traffic := range []string{"pattern: constant, rate: 150/s", "pattern: constant, rate: 80/s", "pattern: poisson, rate: 300/s"} {
		short, long := run(traffic, 22), run(traffic, 44)
		if len(short.Results) < len(presets) {
			t.Fatalf("%d rows for %d presets", len(short.Results), len(presets))
		}
		for i, r := range short.Results {
			if cyclic[r.Algorithm] && strings.Contains(traffic, "constant") {
				continue
			}
			for _, metric := range catalog.Headline() {
				a, b := r.Summary(metric), long.Results[i].Summary(metric)
				switch {
				case a.Mean == nil || b.Mean == nil:
					if a.Reason != b.Reason {
						t.Errorf("%s, %s: no %s: %q, and %q in a run of twice the length", traffic, r.Algorithm, metric, a.Reason, b.Reason)
					}
				case math.Abs(*a.Mean-*b.Mean) > max(0.1, a.Spread()+b.Spread()):
					t.Errorf("%s, %s: %s is %.3g ±%.3g, and %.3g ±%.3g in a run of twice the length",
						traffic, r.Algorithm, metric, *a.Mean, a.Spread(), *b.Mean, b.Spread())
				}
			}
		}
	}
}
