package table

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// TestHalfNotes checks when a note tells that the halves of the span differ, and what it
// advises.
func TestHalfNotes(t *testing.T) {
	over := func(name string, first, second results.Summary) results.Result {
		return results.Result{Algorithm: name, Replications: len(first.Values), Exact: len(first.Values) == 1,
			Halves: map[string][2]results.Summary{"over_limit_pct": {first, second}}}
	}
	point, sample := resultstest.Point, resultstest.Sample
	burst := func(first, second float64) results.Result {
		return results.Result{Algorithm: "a", Exact: true, Halves: map[string][2]results.Summary{
			"over_limit_pct": {point(1), point(0.5)}, "burst_excess": {point(first), point(second)}}}
	}
	const s = int64(1e9)
	scenario := results.Scenario{StartNs: 3 * s, EndNs: 100 * s, AdvisedWarmupNs: 30 * s, Policy: results.Policy{Limit: 50, WindowNs: s}}
	with := func(change func(*results.Scenario)) results.Scenario {
		c := scenario
		change(&c)
		return c
	}
	warm := with(func(s *results.Scenario) { s.StartNs = 30e9 })
	one := []results.Result{over("a", point(22.7), point(0.4))}
	chance := func(first, second float64) []results.Result {
		r := over("a", point(first), point(second))
		r.Exact = false
		return []results.Result{r}
	}
	const differ = "the halves of the span differ: a over-limit 22.7 %, then 0.4 %"
	for _, c := range []struct {
		name     string
		scenario results.Scenario
		rows     []results.Result
		want     string
	}{
		{"a short start", scenario, one, differ + "; set warmup: 30s to leave the start out"},
		{"more than half of the run", with(func(s *results.Scenario) { s.EndNs = 50e9 }), one, differ + "; set warmup: 30s and duration: 1min to leave the start out"},
		{"longer than the span", with(func(s *results.Scenario) { s.EndNs = 16e9 }), one,
			differ + "; the start lasts longer than this span of 13s: set warmup: 30s and duration: 1min to leave it out"},
		{"after the warm-up", warm, one,
			differ + "; the warm-up is long enough for the reference (30s), so a limiter may need more time, or go through a cycle"},
		{"faults", with(func(s *results.Scenario) { s.Unsteady = []string{"step traffic", "faults"} }), one,
			differ + "; the reason may be the start, or step traffic, or faults"},
		{"unknown", with(func(s *results.Scenario) { s.AdvisedWarmupNs = 0 }), one, differ + "; set a warmup to leave the start out"},
		{"one random run", scenario, chance(3, 1), "the halves of the span differ: a over-limit 3 %, then 1 %, perhaps by chance in one random run; set warmup: 30s to leave the start out"},
		{"one random run that differs by less than half", scenario, chance(3, 2), ""},
		{"below a tenth of a point", scenario, []results.Result{over("a", point(1.09), point(1))}, ""},
		{"a burst in percent of the limit", scenario, []results.Result{burst(3, 3.5)}, "the halves of the span differ: a burst excess 3 req, then 3.5 req; set warmup: 30s to leave the start out"},
		{"a burst that differs less than another figure", scenario, []results.Result{burst(3, 3.1)}, "the halves of the span differ: a over-limit 1 %, then 0.5 %; set warmup: 30s to leave the start out"},
		{"not significant", scenario, []results.Result{over("a", sample(1, 2, 3, 2), sample(1.5, 1.8, 3.2, 2.1))}, ""},
		{"significant by replication", scenario, []results.Result{over("a", sample(1, 7, 3, 2), sample(2.1, 8.1, 4, 3))},
			"the halves of the span differ: a over-limit 3.25 %, then 4.3 %; set warmup: 30s to leave the start out"},
		{"after the warm-up, not significant among many", warm, []results.Result{over("a", sample(1, 2, 3, 4), sample(1.8, 2.6, 3.9, 4.3)), over("b", sample(1, 2), sample(2, 1)),
			over("c", sample(1, 2), sample(2, 1)), over("d", sample(1, 2), sample(2, 1)), over("e", sample(1, 2), sample(2, 1))}, ""},
		{"the same alone", warm, []results.Result{over("a", sample(1, 2, 3, 4), sample(1.8, 2.6, 3.9, 4.3))},
			"the halves of the span differ: a over-limit 2.5 %, then 3.15 %; the warm-up is long enough for the reference (30s), so a limiter may need more time, or go through a cycle"},
		{"most of the span is the start", with(func(s *results.Scenario) { s.EndNs, s.DrainNs = 16e9, 10e9 }), []results.Result{over("a", point(1), point(1))},
			"full buckets drain for about 10s, most of this span; the start lasts longer than this span of 13s: set warmup: 30s and duration: 1min to leave it out"},
		{"less than half of it is", with(func(s *results.Scenario) { s.EndNs, s.DrainNs = 18e9, 10e9 }), []results.Result{over("a", point(1), point(1))}, ""},
		{"no figure of a half", scenario, []results.Result{over("a", point(3), resultstest.NoData("none", 1))}, ""},
		{"no halves", scenario, []results.Result{{Metrics: map[string]results.Summary{"over_limit_pct": point(3)}}}, ""},
		{"many rows", scenario, []results.Result{over("a", point(2), point(1)), over("b", point(1), point(4)), over("c", point(1), point(1)),
			over("d", point(9), point(1)), over("e", point(7), point(1)), over("f", point(1.5), point(1))},
			"the halves of the span differ: d over-limit 9 %, then 1 %; e over-limit 7 %, then 1 %; b over-limit 1 %, then 4 %; and 2 more; set warmup: 30s to leave the start out"},
	} {
		if got := strings.Join(halfNotes(c.scenario, c.rows, results.Labels(c.rows), resultstest.Metrics), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestHalvesOfGoodput checks that a table of good answers says nothing of the halves of
// figures that it does not show.
func TestHalvesOfGoodput(t *testing.T) {
	for good, want := range map[bool]int{false: 1, true: 0} {
		drifting := results.Result{Algorithm: "a", Exact: true, Replications: 1, Metrics: map[string]results.Summary{},
			Halves: map[string][2]results.Summary{"over_limit_pct": {resultstest.Point(50), resultstest.Point(0)}}}
		if good {
			drifting.Metrics["goodput_per_s"] = resultstest.Point(5)
		}
		rows := []results.Result{drifting}
		if got := halfNotes(results.Scenario{}, rows, []string{"a"}, resultstest.Metrics); len(got) != want {
			t.Errorf("with good answers %t: %q", good, got)
		}
	}
}
