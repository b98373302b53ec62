package sim_test

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestNodelayIsComparedWithTheReference checks that a leaky bucket without delay is
// compared with the rejecting reference, not with the shaper: requests that both
// reject are no false rejections.
func TestNodelayIsComparedWithTheReference(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 10s
algorithms:
  nodelay: {preset: leaky-bucket, nodelay: true}
scenarios:
  - name: herd
    policy: {limit: 10/s, burst: 9}
    traffic: [{pattern: herd, count: 30}]
    algorithms: [nodelay]
    metrics: full
`)
	for _, r := range d.Results {
		if r.Algorithm == "reference-shaper" {
			t.Error("a shaper, though no algorithm delays")
		}
	}
	if got := simtest.Mean(t, d, "herd", "nodelay", "false_reject_pct"); got != 0 {
		t.Errorf("false_reject_pct %v, want 0", got)
	}
	// The bucket admits nine requests of its burst and the one in service.
	if got := simtest.Mean(t, d, "herd", "nodelay", "long_run_error_pct"); got < 11 || got > 12 {
		t.Errorf("long_run_error_pct %v, want 100*(10/9-1)", got)
	}
}

// TestOverAdmissionFollowsTheReference checks over- and under-admission against
// each kind of reference. 100 requests come 100 ms before the end of a window and
// 100 more 100 ms after it. A fixed window admits all, a sliding log the first
// 100, and a token bucket 20 of the second 100.
func TestOverAdmissionFollowsTheReference(t *testing.T) {
	text := `
version: 1
duration: 10s
scenarios:
  - name: two herds
    policy: {limit: 100/s, burst: 100, reference: KIND}
    traffic: [{pattern: herd, count: 100, at: 900ms}, {pattern: herd, count: 100, at: 1100ms}]
    algorithms: [fixed-window, sliding-window-log, token-bucket]
`
	admitted := map[string]float64{"fixed-window": 200, "sliding-window-log": 100, "token-bucket": 120}
	for kind, own := range map[string]string{"fixed-window": "fixed-window", "sliding-log": "sliding-window-log", "token-bucket": "token-bucket"} {
		d := simtest.Run(t, strings.Replace(text, "KIND", kind, 1))
		for algorithm, n := range admitted {
			more := 100 * (n - admitted[own]) / admitted[own]
			for metric, want := range map[string]float64{"over_admission_pct": max(0, more), "under_admission_pct": max(0, -more)} {
				if got := simtest.Mean(t, d, "two herds", algorithm, metric); got < want-1e-9 || got > want+1e-9 {
					t.Errorf("reference %s: %s of %s is %v, want %v", kind, metric, algorithm, got, want)
				}
			}
		}
	}
}
