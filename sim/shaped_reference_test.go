package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// TestShapedReferenceStopsWaiting checks a leaky bucket under 3,000/s for 10 s, and
// then 100/s, with a queue of 100. It admits the first request, 1,000/s for 10 s and
// what waits then. Its reference has the same queue and does not dispatch the
// overload of the first 10 s later.
func TestShapedReferenceStopsWaiting(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
metrics: full
scenarios:
  - name: overload
    policy: {limit: 1000/s, burst: 100}
    traffic: [{pattern: step, rate: 3000/s, to_rate: 100/s, at: 10s}]
    algorithms: [leaky-bucket, rover]
`)
	for _, row := range []string{"leaky-bucket", "reference-shaper"} {
		simtest.Exactly(t, d, "overload", row, "admitted_requests", 1+10_000+100+999)
		for _, m := range []string{"under_admission_pct", "over_admission_pct", "over_limit_pct", "long_run_error_pct", "lead_max", "lag_max", "false_reject_pct"} {
			simtest.Exactly(t, d, "overload", row, m, 0)
		}
	}
	// A rover bucket lets callers wait for 1 s, and its reference does too.
	simtest.Exactly(t, d, "overload", "reference-shaper-2", "admitted_requests", 100+10_999+1000)
	simtest.Exactly(t, d, "overload", "reference-shaper-2", "wait_max_ms", 1000)
	for _, r := range d.Results {
		want := map[string][2]string{
			"reference-shaper": {"", "a queue of 100 requests"}, "reference-shaper-2": {"", "waits of at most 1s"},
			"leaky-bucket": {"reference-shaper", ""}, "rover": {"reference-shaper-2", ""},
		}[r.Algorithm]
		if got := [2]string{r.ComparedWith, r.Waiting}; got != want {
			t.Errorf("%s: compared with and waiting are %q, want %q", r.Algorithm, got, want)
		}
	}
}

// TestShapedReferenceOfCosts checks that the queue of a shaper holds what its limit counts.
func TestShapedReferenceOfCosts(t *testing.T) {
	for cost, want := range map[string]string{"1": "a queue of 9 requests", "3": "a queue of 9 tokens"} {
		d := simtest.Run(t, `
version: 1
duration: 1s
scenarios:
  - name: costs
    policy: {limit: 100/s, burst: 9}
    traffic: [{pattern: constant, rate: 300/s, cost: `+cost+`}]
    algorithms: [leaky-bucket]
`)
		if got := d.Results[1]; got.Algorithm != "reference-shaper" || got.Waiting != want {
			t.Errorf("cost %s: %s has %q, want %q", cost, got.Algorithm, got.Waiting, want)
		}
	}
}

// TestLeakyBucketEqualsItsReference checks leaky buckets with queues and delays of
// different lengths in one table, on any traffic over several keys, with weighted
// costs and retries. None differs from its reference at any instant.
func TestLeakyBucketEqualsItsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := draw.Retries(t, draw.Scenario(t, 1, "", "leaky-bucket, long, short, partly, token-bucket"))
		text = strings.Replace(text, "algorithms:\n", fmt.Sprintf(`algorithms:
  long: {preset: leaky-bucket, burst: %d}
  short: {preset: leaky-bucket, burst: %d}
  partly: {preset: leaky-bucket, burst: %d, delay: %d}
`, rapid.IntRange(20, 300).Draw(t, "long"), rapid.IntRange(0, 4).Draw(t, "short"),
			rapid.IntRange(3, 30).Draw(t, "partly"), rapid.IntRange(1, 9).Draw(t, "delay")), 1)
		d := simtest.Run(t, text)
		for _, r := range d.Results {
			if r.Algorithm == "token-bucket" {
				continue
			}
			for _, m := range []string{"under_admission_pct", "over_admission_pct", "long_run_error_pct", "lead_max", "lag_max", "false_reject_pct"} {
				if x := r.Metrics[m].Mean; x != nil && *x != 0 {
					t.Fatalf("%s: %s is %v\n%s", r.Algorithm, m, *x, text)
				}
			}
		}
	})
}
