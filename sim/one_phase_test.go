package sim_test

import (
	"context"
	"testing"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// Rows without random draws are exact, but show one phase if some of their traffic is
// periodic. A random offset is a draw, so rows have replications.
func TestOnePhase(t *testing.T) {
	for _, c := range []struct {
		traffic      string
		exact, phase bool
	}{
		{"{pattern: list, events: [{at: 0s, count: 9}]}", true, false},
		{"{pattern: square, high: 90/s, high_for: 300ms, low_for: 200ms}", true, true},
		{"{pattern: square, high: 90/s, high_for: 300ms, low_for: 200ms, offset: 100ms}", true, true},
		{"{pattern: square, high: 90/s, high_for: 300ms, low_for: 200ms, offset: random}", false, false},
		{"{pattern: herd, count: 9}", true, false},
	} {
		f := simtest.Load(t, `
version: 1
replications: 3
scenarios:
  - name: s
    duration: 2s
    policy: {limit: 40/s}
    traffic: [`+c.traffic+`]
    algorithms: [token-bucket, batch-reported]
`)
		d, err := sim.Run(context.Background(), f, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range d.Results {
			exact := c.exact && r.Algorithm != "batch-reported" // whose reports have random phases
			replications := 3
			if exact {
				replications = 1
			}
			if r.Exact != exact || r.OnePhase != (exact && c.phase) || r.Replications != replications {
				t.Errorf("%s: %s is exact %v, of one phase %v, with %d replications", c.traffic, r.Algorithm, r.Exact, r.OnePhase, r.Replications)
			}
		}
	}
}
