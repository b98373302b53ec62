package sim_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/internal/simtest"
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
