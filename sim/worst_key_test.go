package sim_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestWorstKey checks that the worst key stands beside a pooled figure that
// hides it. Each of three clients admits the limit: 300 of the loud tenant's
// requests a second are admitted, and the 100 that the quiet one sends.
func TestWorstKey(t *testing.T) {
	text := `
version: 1
duration: 10s
algorithms: {local-windows: {enforcement: local, counter: fixed-window, share: full}}
scenarios:
  - name: two tenants
    policy: {limit: 100/s, per: tenant}
    topology: {clients: 3}
    traffic:
      - {name: quiet, pattern: constant, rate: 100/s, key: quiet}
      - {name: loud, pattern: constant, rate: 900/s, key: loud}
    algorithms: [local-windows, fixed-window]
`
	d := simtest.Run(t, text)
	for _, want := range []struct {
		algorithm, key string
		pooled, worst  float64
	}{
		{"local-windows", "loud", 100, 200},
		{"fixed-window", "", 0, 0}, // no key is over its limit
	} {
		for _, r := range d.Results {
			if r.Algorithm != want.algorithm {
				continue
			}
			pooled := simtest.Mean(t, d, "two tenants", r.Algorithm, "over_limit_pct")
			worst := simtest.Mean(t, d, "two tenants", r.Algorithm, "over_limit_pct_worst_key")
			if pooled != want.pooled || worst != want.worst || r.WorstKey != want.key {
				t.Errorf("%s: pooled %v, worst %v of %q, want %+v", want.algorithm, pooled, worst, r.WorstKey, want)
			}
		}
	}
}
