package central_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestPolicyChange checks that a central limiter follows a change of the policy,
// the only fault that affects it.
func TestPolicyChange(t *testing.T) {
	for _, c := range []struct {
		factor string
		scaled float64
	}{{"0.1", 100}, {"10", 3000}, {"2", 2000}} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 30s
metrics: full
scenarios:
  - name: changed
    policy: {limit: 1000/s, burst: 1}
    traffic: [{pattern: constant, rate: 3000/s}]
    faults: [{policy-change: {from: 10s, to: 20s, factor: %s}}]
    algorithms: [fixed-window, token-bucket, gcra, sliding-window-log, leaky-bucket]
`, c.factor))
		want := 20*1000 + 10*c.scaled
		simtest.Exactly(t, d, "changed", "fixed-window", "admitted_requests", want)
		simtest.Exactly(t, d, "changed", "fixed-window", "over_limit_pct", 0)
		simtest.Exactly(t, d, "changed", "sliding-window-log", "worst_sliding_pct", 0)
		simtest.Exactly(t, d, "changed", "token-bucket", "burst_excess", 0)
		simtest.Exactly(t, d, "changed", "reference", "fault_extra_admitted", 0)
		for _, algorithm := range []string{"token-bucket", "gcra", "sliding-window-log", "leaky-bucket"} {
			simtest.About(t, d, "changed", algorithm, "admitted_requests", want, 0.0005)
		}
		// Each window has the limit in force: 20 windows of 1000 and 10 of the
		// other limit.
		simtest.About(t, d, "changed", "fixed-window", "admitted_over_limit", want/(20*1000+10*map[string]float64{"0.1": 100, "10": 10000, "2": 2000}[c.factor]), 1e-9)
	}
}
