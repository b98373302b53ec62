package trial

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// The simulated network has the median and the 99th percentile of the target's answers,
// and is never without latency, which a log-normal one cannot be.
func TestLatencyIsThatOfTheTarget(t *testing.T) {
	var took []int64
	for i := range int64(100) {
		took = append(took, (i+1)*1e6)
	}
	for _, c := range []struct {
		took     []int64
		p50, p99 int64
	}{{took, 50e6, 99e6}, {[]int64{7}, 7, 7}, {[]int64{0, 0, 5}, 1, 5}} {
		want := catalog.Choice{Name: "lognormal", Values: catalog.Values{"p50": {V: c.p50}, "p99": {V: c.p99}}}
		if diff := cmp.Diff(want, latencyOf(c.took)); diff != "" {
			t.Error(diff)
		}
	}
}

// A simulation takes what is expected of the target into its document, and leaves the
// scenario as it was, so that it can run again.
func TestSimulationLeavesTheScenario(t *testing.T) {
	trial := trialOf(t, "fixed-window", "2s", "fixed-window", "calendar")
	f, problems := scenarios.Load("s", []byte(`{"version": 1, "duration": "2s", "scenarios": [{"name": "s", "policy": {"limit": "100/s"}, "traffic": [{"pattern": "poisson", "rate": "200/s"}],
		"algorithms": ["fixed-window"], "expect": {"go": {"rejected_pct": "<= 99"}, "fixed-window": {"rejected_pct": "<= 98"}}}]}`), ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	trial.File = f
	s := &f.Scenarios[0]
	expected := slices.Clone(s.Expect)
	m := &measurement{Trial: trial, run: windowed(t, trial, 0)}
	m.times()
	for range 2 {
		d, err := m.simulate(t.Context(), s.Algorithms)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(d.Scenarios[0].Expectations); n != 2 {
			t.Errorf("the document has %d expectations: %+v", n, d.Scenarios[0].Expectations)
		}
		if !slices.EqualFunc(s.Expect, expected, func(a, b scenarios.Expectation) bool { return a.Algorithm == b.Algorithm && a.OfTarget == b.OfTarget }) || s.Duration != 2e9 || s.Traffic[0].Pattern != "poisson" {
			t.Errorf("the scenario now lasts %d ns, with %+v, and expects %+v", s.Duration, s.Traffic, s.Expect)
		}
	}
}

// Shares of clients are never certainly off.
func TestOffWithoutShares(t *testing.T) {
	two, one := 2.0, 1.0
	measured := map[string]results.Summary{}
	predicted := results.Result{Metrics: map[string]results.Summary{}}
	for _, metric := range []string{"rejected_pct", "client_share_min_pct", "client_share_max_over_min"} {
		measured[metric] = results.Summary{Bounds: true, Mean: &two, Lo: &two, Hi: &two}
		predicted.Metrics[metric] = results.Summary{Mean: &one}
	}
	if diff := cmp.Diff(map[string]float64{"rejected_pct": 1}, offOf(measured, predicted)); diff != "" {
		t.Error(diff)
	}
}
