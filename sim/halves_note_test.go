package sim_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// nearLimit runs Poisson traffic at a rate near a limit of 100/s with a burst of one
// window.
func nearLimit(t *testing.T, rate, warmUp, span int) *results.Document {
	t.Helper()
	return simtest.Run(t, fmt.Sprintf(`
version: 1
seed: 5
duration: %ds
warmup: %ds
scenarios:
  - name: s
    policy: {limit: 100/s, burst: 100}
    traffic: [{pattern: poisson, rate: %d/s}]
    algorithms: [fixed-window, sliding-window-counter, batch-reported]
`, warmUp+span, warmUp, rate))
}

// drifts returns the figures of rows whose halves differ by more than their interval
// among so many.
func drifts(d *results.Document, among int) (list []string) {
	for _, r := range d.Results {
		for _, metric := range catalog.Headline() {
			by := stats.OfMeanAmong(among, r.Drift(metric))
			if math.Abs(by.Mean) > max(0.1, by.Half) {
				list = append(list, r.Algorithm+" "+metric)
			}
		}
	}
	return list
}

// TestStationaryNearTheLimit checks that the advised warm-up leaves the start out near the
// limit, where a full bucket drains slowly: the halves agree, and so do the figures of a
// run of twice the length. Three windows do not suffice.
func TestStationaryNearTheLimit(t *testing.T) {
	for rate, want := range map[int]int{105: 60, 110: 30} { // 3*B/(rate - r) at the mean
		short := nearLimit(t, rate, 3, 13)
		// At 105/s the bucket drains in 20 s, and both halves of 13 s are the start.
		if drains := short.Scenarios[0].DrainNs > 95e8; !drains && !slices.Contains(drifts(short, 1), "fixed-window under_admission_pct") {
			t.Errorf("%d/s: after 3 s only %q differ", rate, drifts(short, 1))
		} else if rate == 105 && !drains {
			t.Errorf("%d/s: the bucket drains for %d ns", rate, short.Scenarios[0].DrainNs)
		}
		advised := int(short.Scenarios[0].AdvisedWarmupNs / 1e9)
		if advised < want*3/4 || advised > want*3/2 {
			t.Errorf("%d/s: a warm-up of %d s is advised, want about %d", rate, advised, want)
		}
		once, twice := nearLimit(t, rate, advised, 100), nearLimit(t, rate, advised, 200)
		if got := drifts(once, 12); len(got) > 0 {
			t.Errorf("%d/s: after %d s the halves of %q differ", rate, advised, got)
		}
		for i, r := range once.Results {
			for _, metric := range catalog.Headline() {
				a, b := r.Summary(metric), twice.Results[i].Summary(metric)
				if math.Abs(*a.Mean-*b.Mean) > max(0.1, a.Spread()+b.Spread()) {
					t.Errorf("%d/s, %s: %s is %.3g ±%.3g, and %.3g ±%.3g in a run of twice the length",
						rate, r.Algorithm, metric, *a.Mean, a.Spread(), *b.Mean, b.Spread())
				}
			}
		}
	}
}

// TestUnsteady checks what is named beside the start, and the advised warm-up of steady
// traffic.
func TestUnsteady(t *testing.T) {
	for _, c := range []struct {
		traffic, more string
		want          string
		warmUp        int64 // s
	}{
		{"pattern: constant, rate: 300/s", "", "", 6}, // the window of 2 s
		{"pattern: constant, rate: 90/s", "", "", 30}, // 3 * 100/10 s
		{"pattern: constant, rate: 100/s", "", "", 300},
		{"pattern: constant, rate: 200/s, keys: {uniform: 2}", "", "", 300},
		{"pattern: constant, rate: 110/s, cost: 30", "", "", 6},
		{"pattern: constant, rate: 1/s, cost: 120", "", "", 18}, // of a bucket that admits 120
		{"pattern: square, high: 200/s, high_for: 1s, low_for: 1s", "", "square traffic", 0},
		{"pattern: square, high: 600/s, high_for: 1s, low_for: 1s, offset: random", "", "", 6},
		{"pattern: boundary, count: 9, window: 1s, offset: 2ms", "", "boundary traffic", 0},
		{"pattern: step, rate: 200/s, to_rate: 300/s, at: 9s", "", "step traffic", 0},
		{"pattern: constant, rate: 300/s, to: 9s", "", "traffic that begins or ends", 0},
		{"pattern: constant, rate: 300/s", "faults: [{policy-change: {from: 9s, factor: 0.5}}]", "faults", 0},
		{"pattern: constant, rate: 300/s", "faults: [{report-loss: {p: 50%}}]", "", 6},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
replications: 2
duration: 20s
warmup: 6s
scenarios:
  - name: s
    policy: {limit: 200/2s, burst: 100}
    traffic: [{%s}]
    %s
    algorithms: [batch-reported]
`, c.traffic, c.more))
		s := d.Scenarios[0]
		if got := strings.Join(s.Unsteady, ", "); got != c.want || s.AdvisedWarmupNs != c.warmUp*1e9 {
			t.Errorf("%s %s: %q and a warm-up of %d s, want %q and %d s", c.traffic, c.more, got, s.AdvisedWarmupNs/1e9, c.want, c.warmUp)
		}
	}
}
