package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestReferenceWithLimit checks figures against a reference of 60 in any minute, which
// buckets of 30/min keep up to some burst. A herd empties the bucket at once, and the
// minute that begins with it holds the burst and 29 more, one every 2 s. A fixed window of
// 40/min admits 80 around a boundary.
func TestReferenceWithLimit(t *testing.T) {
	text := `
version: 1
duration: 10min
algorithms: {bucket: {preset: token-bucket}}
scenarios:
  - name: own limit
    policy: {limit: LIMIT, reference: {sliding-log: 60/min}}
    traffic: [{pattern: herd, count: 100, at: 59s}, {pattern: constant, rate: 10/s, from: 60s}]
    algorithms: [bucket, fixed-window]
`
	for _, c := range []struct {
		limit, row string
		excess     float64
	}{
		{"30/min, burst: 30", "bucket", 0}, {"30/min, burst: 31", "bucket", 0}, {"30/min, burst: 38", "bucket", 7},
		{"30/min", "fixed-window", 0}, {"40/min", "fixed-window", 20},
	} {
		d := simtest.Run(t, strings.Replace(text, "LIMIT", c.limit, 1))
		if got := simtest.Mean(t, d, "own limit", c.row, "burst_excess"); got != c.excess {
			t.Errorf("%s with limit %s exceeds 60 in a minute by %v, want %v", c.row, c.limit, got, c.excess)
		}
		if got, want := d.Scenarios[0].LimitText(), "measured against a sliding-log of 60/min"; !strings.HasSuffix(got, want) {
			t.Errorf("the policy reads %q, want it to end in %q", got, want)
		}
	}
}

// TestReferenceMeetsBothLimits checks that limiters decide by the policy's limit, as if it
// were measured against itself, and that figures are those of the reference, as if its
// limit were the policy's.
func TestReferenceMeetsBothLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := func(name string) int { return rapid.IntRange(1, 40).Draw(t, name) }
		kind := rapid.SampledFrom([]string{"token-bucket", "sliding-log", "fixed-window"}).Draw(t, "kind")
		limit, burst, own, rate := count("limit"), count("burst"), count("own"), count("rate")
		reference := fmt.Sprintf("{%s: {limit: %d/s}}", kind, own)
		windows := func(policy string) map[string][]sim.Window {
			text := fmt.Sprintf(`
version: 1
duration: 20s
replications: 1
scenarios:
  - name: s
    policy: {%s}
    traffic: [{pattern: poisson, rate: %d/s, keys: {uniform: 3}}]
    algorithms: [token-bucket, fixed-window, sliding-window-log]
`, policy, rate)
			seen := map[string][]sim.Window{}
			simtest.RunWith(t, text, sim.Options{Details: sim.Details{Windows: func(w *sim.Window) error {
				seen[w.Algorithm] = append(seen[w.Algorithm], *w)
				return nil
			}}})
			return seen
		}
		both := windows(fmt.Sprintf("limit: %d/s, burst: %d, reference: %s", limit, burst, reference))
		enforced := windows(fmt.Sprintf("limit: %d/s, burst: %d", limit, burst))
		alone := windows(fmt.Sprintf("limit: %d/s, reference: %s", own, kind))
		for row, list := range both {
			for i, w := range list {
				by := enforced[row][i].Admitted
				if row == "reference" {
					by = alone[row][i].Admitted
				}
				if want := alone[row][i]; w.Admitted != by || w.Reference != want.Reference || w.Limit != want.Limit || w.Saturated != want.Saturated {
					t.Fatalf("%s: %+v, but admits %d under its limit, and the reference alone gives %+v", row, w, by, want)
				}
			}
		}
	})
}
