package sim_test

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestSeriesHasTheLimitInForce checks that a series has the limit in force: the
// policy's limit times the factor of the fault, summed over the keys seen.
func TestSeriesHasTheLimitInForce(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 10s
scenarios:
  - name: cut
    policy: {limit: 50/s, burst: 5}
    traffic: [{pattern: constant, rate: 400/s, keys: {uniform: {count: 2}}}]
    algorithms: [token-bucket]
    faults: [{policy-change: {from: 2s, to: 5s, factor: 0.5}}]
`)
	for _, s := range d.Series {
		perSecond := float64(s.BinNs) / 1e9
		want := []results.LimitChange{{AtNs: 2e9, LimitPerBin: 50 * perSecond}, {AtNs: 5e9, LimitPerBin: 100 * perSecond}}
		if s.LimitPerBin != 100*perSecond || !slices.Equal(s.LimitChanges, want) {
			t.Errorf("%s: limit %v and changes %v, want %v and %v", s.Algorithm, s.LimitPerBin, s.LimitChanges, 100*perSecond, want)
		}
	}
}
