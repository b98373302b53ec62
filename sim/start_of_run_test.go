package sim_test

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestFirstWindows checks that the start of a run stands apart from the rest, and
// that a warm-up of three windows removes it. A token bucket of 100 tokens admits
// 200 requests in its first second and 100 in each other.
func TestFirstWindows(t *testing.T) {
	text := `
version: 1
duration: 10s
warmup: WARMUP
scenarios:
  - name: steady
    policy: {limit: 100/s, burst: 100}
    traffic: [{pattern: constant, rate: 300/s}]
    algorithms: [token-bucket]
`
	for warmup, want := range map[string][3]float64{"0s": {10, 100. / 3, 0}, "3s": {0, 0, 0}} {
		d := simtest.Run(t, strings.Replace(text, "WARMUP", warmup, 1))
		for i, metric := range []string{"over_limit_pct", "over_limit_first_windows_pct", "over_limit_rest_pct"} {
			if got := simtest.Mean(t, d, "steady", "token-bucket", metric); got < want[i]-1 || got > want[i]+1 {
				t.Errorf("warm-up %s: %s is %v, want about %v", warmup, metric, got, want[i])
			}
		}
	}
}
