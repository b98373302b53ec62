package central_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestDebtOfDepthZero checks that a bucket of depth 0 is no sliding window: it
// admits a request only if the one before is paid for, which rejects k/(1+k) of
// random traffic at k times the limit. A depth of 50 rejects none below the limit.
func TestDebtOfDepthZero(t *testing.T) {
	for _, rate := range []int{800, 1300, 3000} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 60s
algorithms:
  none: {preset: token-bucket, debt: true, burst: 0}
  half: {preset: token-bucket, debt: true, burst: 50}
scenarios:
  - name: random
    policy: {limit: 1000/s, burst: 0, reference: sliding-log}
    traffic: [{pattern: poisson, rate: %d/s}]
    algorithms: [none, half]
`, rate))
		k := float64(rate) / 1000
		simtest.About(t, d, "random", "none", "rejected_pct", 100*k/(1+k), 0.02)
		if rate < 1000 {
			simtest.Exactly(t, d, "random", "half", "rejected_pct", 0)
		}
	}
}
