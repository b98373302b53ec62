package sim_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
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

// equalKeys runs keys with the same random traffic, and a further one with more if
// more is above 0.
func equalKeys(t *testing.T, keys, more, seconds, seed int) *results.Document {
	t.Helper()
	further := ""
	if more > 0 {
		further = fmt.Sprintf("      - {name: more, pattern: poisson, rate: %d/s, key: key-7}\n", more)
	}
	return simtest.Run(t, fmt.Sprintf(`
version: 1
duration: %ds
seed: %d
replications: 10
algorithms: {local-windows: {enforcement: local, counter: fixed-window, share: full}}
scenarios:
  - name: equal
    policy: {limit: 10/s, burst: 10, per: tenant}
    topology: {clients: 4}
    traffic:
      - {name: all, pattern: poisson, rate: %d/s, keys: {uniform: %d}}
%s    algorithms: [token-bucket, local-windows]
`, seconds, seed, 11*keys, keys, further))
}

// TestEqualKeys checks that the worst of equal keys is what equal keys are expected to
// have by chance, and has no name; and that a key with more traffic has one.
func TestEqualKeys(t *testing.T) {
	for _, c := range []struct{ keys, seconds int }{{200, 10}, {200, 100}, {5, 10}, {5, 100}} {
		for seed := range 3 {
			d := equalKeys(t, c.keys, 0, c.seconds, seed+1)
			for _, r := range d.Results {
				worst, equal := r.Summary("over_limit_pct_worst_key"), *r.Summary("over_limit_pct_equal_keys").Mean
				if math.Abs(*worst.Mean-equal) > 0.05**worst.Mean+worst.Spread() {
					t.Errorf("%+v, seed %d, %s: the worst key has %.3g ±%.3g, equal keys %.3g", c, seed+1, r.Algorithm, *worst.Mean, worst.Spread(), equal)
				}
				if r.WorstKey != "" {
					t.Errorf("%+v, seed %d, %s: %q is named", c, seed+1, r.Algorithm, r.WorstKey)
				}
			}
		}
	}
	d := equalKeys(t, 200, 25, 20, 1)
	for _, r := range d.Results {
		want := map[string]string{"local-windows": "key-7"}[r.Algorithm] // a bucket admits no more of it
		if r.WorstKey != want {
			t.Errorf("%s: %q is named, want %q", r.Algorithm, r.WorstKey, want)
		}
	}
}
