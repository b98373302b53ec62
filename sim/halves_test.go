package sim_test

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestHalves checks that rows hold the figures of both halves of the span, pooled over
// replications. Of the halves of a span of even length, the mean by saturated windows is
// the figure of the whole.
func TestHalves(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 8s
scenarios:
  - name: start
    policy: {limit: 100/s, burst: 100}
    traffic: [{pattern: poisson, rate: 150/s}]
    algorithms: [fixed-window, token-bucket]
`)
	for _, r := range d.Results {
		for _, metric := range catalog.Headline() {
			halves, whole := r.Halves[metric], r.Summary(metric)
			if halves[0].Mean == nil || halves[1].Mean == nil || len(halves[0].Values) != r.Replications {
				t.Fatalf("%s, %s: %+v", r.Algorithm, metric, halves)
			}
			for i, x := range whole.Values {
				first, second := *halves[0].Values[i], *halves[1].Values[i]
				if metric == "burst_excess" && max(first, second) != *x || metric != "burst_excess" && (*x < min(first, second) || *x > max(first, second)) {
					t.Errorf("%s, %s: %v and %v, whole %v", r.Algorithm, metric, first, second, *x)
				}
			}
		}
		over := r.Halves["over_limit_pct"]
		sum, windows := 0.0, 0.0
		for _, half := range over {
			for i, n := range half.Denominators {
				sum, windows = sum+half.Numerators[i], windows+n
			}
		}
		if want := sum / windows; windows > 0 && math.Abs(*r.Summary("over_limit_pct").Mean-want) > 1e-9 {
			t.Errorf("%s: over_limit_pct %v, of the halves %v", r.Algorithm, *r.Summary("over_limit_pct").Mean, want)
		}
		if r.Algorithm == "token-bucket" && stats.Mean(r.Drift("over_limit_pct")) > -10 {
			t.Errorf("a full bucket at the start, but the halves are %v and %v over the limit", *over[0].Mean, *over[1].Mean)
		}
	}
}
