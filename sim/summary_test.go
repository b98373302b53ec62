package sim_test

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestValuesBelongToTheirMetric checks, for each metric of each row, that the
// numbers which stand for the replications average to the figure.
func TestValuesBelongToTheirMetric(t *testing.T) {
	d := simtest.Run(t, `
version: 1
seed: 1
replications: 3
duration: 5s
scenarios:
  - name: light
    policy: {limit: 10/s}
    traffic: [{pattern: poisson, rate: 12/s}]
    algorithms: [fixed-window]
    metrics: full
`)
	for _, r := range d.Results {
		for name, s := range r.Metrics {
			if s.Mean == nil {
				continue
			}
			if len(s.Values) != r.Replications {
				t.Errorf("%s %s: %d values of %d replications", r.Algorithm, name, len(s.Values), r.Replications)
			}
			if s.Pooled == results.PooledLargest || s.Lo == nil {
				continue
			}
			if mean := stats.Mean(s.Replicates()); math.Abs(mean-*s.Mean) > 1e-9*math.Abs(mean) {
				t.Errorf("%s %s: replications average %v, figure %v", r.Algorithm, name, mean, *s.Mean)
			}
		}
	}
}
