package rover_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestSettledClaims follows claims by hand: 10/s, a full burst of 10, and callers that
// claim an estimate of 8. The second one lacks 6 tokens. It gets 2 in 200 ms and, at the
// answer to the first one, whose cost is 3, the 5 that the first one has not used. If
// the first one costs 12, its answer claims 4 more behind the second one, which waits
// for its own 6 tokens as before; a third caller, of 1 token, waits for these 4 and its
// own. If the answers are not settled, all wait for what was claimed.
func TestSettledClaims(t *testing.T) {
	for _, c := range []struct {
		settle string
		actual int
		want   [3]int64 // ms of the dispatches
	}{
		// tail 10 (0 s), head 10: 8, 16, 17 are the tickets.
		{"none", 3, [3]int64{0, 600, 700}},
		{"deduct-estimate-then-settle", 3, [3]int64{0, 200, 200}},
		{"deduct-estimate-then-settle", 12, [3]int64{0, 600, 1100}},
	} {
		rows := simtest.Decisions(t, fmt.Sprintf(`
version: 1
duration: 3s
algorithms:
  claims: {preset: rover, replenish: continuous, max_wait: 2s, settle: %s}
scenarios:
  - name: s
    policy: {limit: 10/s, burst: 10}
    traffic:
      - {pattern: list, events: [{at: 0s}], cost: {estimate: 8, actual: %d}, answer: 200ms}
      - {pattern: list, events: [{at: 0s}], cost: {estimate: 8, actual: 8}, answer: 10s}
      - {pattern: list, events: [{at: 201ms}], cost: {estimate: 1, actual: 1}, answer: 10s}
    algorithms: [claims]
`, c.settle, c.actual))
		for _, d := range rows["claims"] {
			want := max(c.want[d.Attempt], d.ArrivalNs/1e6)
			if got := d.DispatchedNs; got != want*1e6 {
				t.Errorf("%s, cost %d: request %d leaves at %d ns, want %d ms", c.settle, c.actual, d.Attempt, got, want)
			}
		}
	}
}

// TestCappedClaimsReleaseTheActualCost checks that a capped bucket of 10 has 10 tokens
// in use at most, at their actual cost: with answers after 1 s and requests of 2 that
// claim 5, two start at once and the first answer makes room for the next.
func TestCappedClaimsReleaseTheActualCost(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 100s
algorithms:
  claims: {preset: rover-capped, replenish: continuous, when_short: refuse, settle: deduct-estimate-then-settle}
  never:  {preset: rover-capped, replenish: continuous, when_short: refuse, settle: deduct-estimate-then-settle, settlement_loss: 100%}
  gives-up: {preset: rover-capped, replenish: continuous, when_short: refuse, settle: deduct-estimate-then-settle, settlement_loss: 100%, expires_after: 1s}
scenarios:
  - name: s
    policy: {limit: 1000/s, burst: 10}
    traffic: [{pattern: constant, rate: 1000/s, cost: {estimate: 5, actual: 2}, answer: 1s}]
    algorithms: [claims, never, gives-up]
`)
	simtest.Exactly(t, d, "s", "never", "admitted_requests", 2)
	// Each pair lasts 1 s, or a tick of the constant traffic more.
	simtest.Between(t, d, "s", "claims", "admitted_requests", 198, 200)
	simtest.Between(t, d, "s", "gives-up", "admitted_requests", 198, 200)
}
