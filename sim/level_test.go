package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestLevelIsWhatIsAdmitted checks that the level after a decision is the number of
// requests of cost 1 that the limiter then admits at the same instant, for every
// preset that reports a level, and for variants of the counters.
func TestLevelIsWhatIsAdmitted(t *testing.T) {
	const instant, requests = int64(2100e6), 140
	// These presets know no level, see docs/results.md.
	unknown := []string{"batch-debt", "batch-debt-local", "batch-debt-rate", "batch-reported", "batch-reported-redis", "batch-reported-redis-batch", "batch-reported-redis-descriptor", "bucket4j-prefetch",
		"global-random-drop", "prefetch", "rejection-rate", "rejection-rate-local", "rejection-rate-only", "sampled-reports"}
	stores := []string{"remote-cached", "async-increment"} // these show the store: not the replica's window, and before the increment
	leased := []string{"doorman-fair", "doorman-proportional", "leased"}
	var names []string
	queues := map[string]bool{"reference-shaper": true} // their level includes requests that wait
	for _, p := range sim.Catalog().Counting() {
		names = append(names, p.Name)
		queues[p.Name] = counting.IsQueue(p.Counter)
	}
	names = append(names, "debt", "average", "local-debt", "remote-sampled", "leased")
	for _, early := range []string{
		"", "{at: 1200ms, cost: 3}, ", "{at: 2s, cost: 12}, {at: 2100ms, cost: 7}, ",
		"{at: 100ms, cost: 8}, {at: 900ms, cost: 5}, {at: 1700ms, cost: 9}, {at: 1750ms, cost: 10}, ",
		"{at: 300ms}, {at: 350ms}, {at: 600ms, cost: 2}, {at: 1001ms, cost: 11}, {at: 2050ms}, ",
	} {
		text := fmt.Sprintf(`
version: 1
duration: 4s
replications: 1
algorithms:
  debt: {enforcement: central, counter: token-bucket, debt: true, burst: 5}
  average: {enforcement: central, counter: sampled-average, samples: 3, sample_window: 300ms}
  local-debt: {enforcement: local, counter: token-bucket, debt: true, initial: 2}
  remote-sampled: {enforcement: remote, counter: sampled-average, samples: 2, timeout: 0s}
  leased: {preset: doorman-proportional, without_lease: pessimistic}
scenarios:
  - name: levels
    policy: {limit: 10/s, burst: 12}
    topology: {clients: 1}
    traffic: [{pattern: list, events: [%s%s]}]
    algorithms: [%s]
`, early, strings.TrimSuffix(strings.Repeat("{at: 2100ms}, ", requests), ", "), strings.Join(names, ", "))
		for name, rows := range simtest.Decisions(t, text) {
			if slices.Contains(stores, name) || early == "" && slices.Contains(leased, name) { // whose lease arrives at the same instant
				continue
			}
			slices.SortFunc(rows, func(a, b sim.Decision) int { return int(a.Attempt - b.Attempt) })
			admitted, known := int64(0), false
			for i := len(rows) - 1; i >= 0 && rows[i].ArrivalNs == instant && rows[i].Cost == 1; i-- {
				d := &rows[i]
				known = known || d.Level != nil
				if d.Level != nil && d.DecidedNs == instant && *d.Level <= requests-3 && max(*d.Level, 0) != admitted {
					t.Errorf("%s after %q: level %d after request %d, but %d are admitted then", name, early, *d.Level, i, admitted)
					break
				}
				if d.DispatchedNs == instant || queues[name] && d.Verdict == "admitted" {
					admitted++
				}
			}
			if known == slices.Contains(unknown, name) {
				t.Errorf("%s reports a level: %v", name, known)
			}
		}
	}
}
