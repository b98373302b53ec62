package trial

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// TestPhaseOfClock draws clocks that are ahead by any time, and readings that take any
// time. The phase always holds the true one, and is as wide as the fastest reading
// and the clock's step at most.
func TestPhaseOfClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.Int64Range(1e6, 1e12).Draw(t, "window")
		ahead := rapid.Int64Range(1e18, 2e18).Draw(t, "ahead")
		step := rapid.SampledFrom([]int64{1, 1000, 1e6}).Draw(t, "step")
		start := time.Now()
		var readings []reading
		least := window
		for range rapid.IntRange(1, 5).Draw(t, "readings") {
			from := rapid.Int64Range(-1e9, 1e12).Draw(t, "from")
			before, after := rapid.Int64Range(0, 1e7).Draw(t, "before"), rapid.Int64Range(0, 1e7).Draw(t, "after")
			least = min(least, before+after)
			unix := from + before + ahead
			readings = append(readings, reading{start.Add(time.Duration(from)), start.Add(time.Duration(from + before + after)), unix - unix%step})
		}
		p, err := phaseOf(readings, start, step, window)
		if err != nil {
			if least+step < window/4 {
				t.Fatal(err)
			}
			return
		}
		truth := ((-ahead)%window + window) % window
		if held := (truth-p.EarliestNs+window)%window <= p.LatestNs-p.EarliestNs; !held {
			t.Fatalf("windows begin at %d, not from %d to %d", truth, p.EarliestNs, p.LatestNs)
		}
		if p.EarliestNs < 0 || p.EarliestNs >= window || p.LatestNs-p.EarliestNs > least+step {
			t.Fatalf("phase from %d to %d of windows of %d, read in %d", p.EarliestNs, p.LatestNs, window, least)
		}
	})
}
