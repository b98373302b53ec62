package baseline

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

var ten = []float64{10, 11, 9, 10.5, 9.5, 10.2, 9.8, 10.1, 9.9, 10}

func moved(values []float64, by ...float64) []float64 {
	out := make([]float64, len(values))
	for i, x := range values {
		out[i] = x + by[i%len(by)]
	}
	return out
}

// TestVerdicts checks one cell with every possible status.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name      string
		metric    string
		base, now results.Summary
		effects   []string
		want      gate.Status
		reason    string
		needed    int
	}{
		{name: "the same", base: resultstest.Sample(ten...), now: resultstest.Sample(ten...), want: gate.Unchanged},
		{name: "worse", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.5)...), want: gate.Failed},
		{name: "better", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, -0.5)...), want: gate.Improved},
		{name: "worse, but not by enough", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.05)...), want: gate.Passed},
		{name: "worse by just enough", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.1)...), want: gate.Failed},
		{name: "enough is more for this metric", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.5)...), effects: []string{"over_limit_pct=1"}, want: gate.Passed},
		{name: "enough is a share", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.5)...), effects: []string{"4%"}, want: gate.Failed},
		{name: "enough is a larger share", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.5)...), effects: []string{"6%"}, want: gate.Passed},
		{name: "share and amount must both be reached", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.5)...), effects: []string{"4%", "0.6"}, want: gate.Passed},
		{name: "any change counts", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 1e-9)...), effects: []string{"0"}, want: gate.Failed},
		{name: "worse on average, by chance", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 3, -2, 4, -3.5, 0.5)...), want: gate.Passed},
		{name: "better by chance", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, -3, 2, -4, 3.5, -0.5)...), want: gate.Passed},
		{name: "higher is better", metric: "fairness_tenant_run_min", base: resultstest.Sample(moved(ten, -9.5)...), now: resultstest.Sample(moved(ten, -9.7)...), want: gate.Failed},
		{name: "higher is better, and is", metric: "fairness_tenant_run_min", base: resultstest.Sample(moved(ten, -9.7)...), now: resultstest.Sample(moved(ten, -9.5)...), want: gate.Improved},
		{name: "no better direction: up fails", metric: "rejected_pct", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.5)...), want: gate.Failed},
		{name: "no better direction: down fails", metric: "rejected_pct", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, -0.5)...), want: gate.Failed},

		{name: "exact, the same", base: resultstest.Sample(5), now: resultstest.Sample(5), want: gate.Unchanged},
		{name: "exact, worse", base: resultstest.Sample(5), now: resultstest.Sample(5.2), want: gate.Failed},
		{name: "exact, better", base: resultstest.Sample(5), now: resultstest.Sample(4), want: gate.Improved},
		{name: "exact, worse by little", base: resultstest.Sample(5), now: resultstest.Sample(5.01), want: gate.Failed},
		{name: "exact, not by enough", base: resultstest.Sample(5), now: resultstest.Sample(5.01), effects: []string{"1%"}, want: gate.Passed},
		{name: "exact, rounded", base: resultstest.Sample(5), now: resultstest.Sample(math.Nextafter(5, 6)), want: gate.Passed},
		{name: "exact, from 0", base: resultstest.Sample(0), now: resultstest.Sample(0.1), want: gate.Failed},
		{name: "exact, from just below 0.1", base: resultstest.Sample(0.3), now: resultstest.Sample(0.3 + 0.1), want: gate.Failed},
		{name: "exact became random, worse", base: resultstest.Sample(9), now: resultstest.Sample(ten...), want: gate.Failed},
		{name: "exact became random, no different", base: resultstest.Sample(10), now: resultstest.Sample(ten...), want: gate.Passed},

		{name: "other replications", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 5)[:8]...), want: gate.Failed},
		{name: "other replications, no different", base: resultstest.Sample(ten...), now: resultstest.Sample(ten[:8]...), want: gate.Unchanged},
		{name: "four replications", base: resultstest.Sample(ten[:4]...), now: resultstest.Sample(moved(ten, 5)[:4]...), reason: "too few replications: 4, need 5", needed: 5},
		{name: "four replications, the same", base: resultstest.Sample(ten[:4]...), now: resultstest.Sample(ten[:4]...), reason: "too few replications: 4, need 5", needed: 5},
		{name: "five replications", base: resultstest.Sample(ten[:5]...), now: resultstest.Sample(moved(ten, 5)[:5]...), want: gate.Failed},
		{name: "five replications, two-sided", metric: "rejected_pct", base: resultstest.Sample(ten[:5]...), now: resultstest.Sample(moved(ten, 5)[:5]...), reason: "need 6", needed: 6},
		{name: "one against ten", base: resultstest.Sample(ten...), now: results.Summary{Mean: &ten[0], Lo: &ten[0], Hi: &ten[0]}, reason: "lacks the values"},
		{name: "a largest of some replications", base: largestOf(&ten[0], nil, &ten[2], &ten[3], &ten[4]), now: largestOf(&ten[0], &ten[1], &ten[2], &ten[3], &ten[4]),
			reason: "the figure of the baseline is of some of the replications only"},
		{name: "no data now", base: resultstest.Sample(ten...), now: resultstest.NoData("no window was saturated", 10), reason: "no data in the run: no window was saturated"},
		{name: "no data before", base: resultstest.NoData("no window was saturated", 10), now: resultstest.Sample(ten...), reason: "no data in the baseline: no window was saturated"},
		{name: "a mean of other values", base: resultstest.Sample(ten...), now: func() results.Summary {
			s := resultstest.Sample(ten...)
			other := 3.0
			s.Mean = &other
			return s
		}(), reason: "has the mean 3, but its values have 10"},
	} {
		metric := c.metric
		if metric == "" {
			metric = "over_limit_pct"
		}
		effects, err := ParseEffects(c.effects, registry)
		if err != nil {
			t.Fatal(err)
		}
		base, now := document(map[string]results.Summary{metric: c.base}), document(map[string]results.Summary{metric: c.now})
		got, err := Compare(base, now, Options{Registry: registry, Metrics: []string{metric}, Effects: effects})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		cell := got.Cells[len(got.Cells)-1]
		if cell.Status != c.want || !strings.Contains(cell.Reason, c.reason) || (c.reason == "") != (cell.Reason == "") || cell.Needed != c.needed {
			t.Errorf("%s: %s (%s; needs %d), want %s (%s; %d)", c.name, cell.Status, cell.Reason, cell.Needed, c.want, c.reason, c.needed)
		}
		// The evaluator that all formats use has the same outcome.
		want := gate.Passed
		switch c.want {
		case gate.Failed, gate.Unevaluated:
			want = c.want
		}
		if outcome := got.Verdicts().Outcome(); outcome != want {
			t.Errorf("%s: the gate's outcome is %s, want %s", c.name, outcome, want)
		}
	}
}

func TestMissingRows(t *testing.T) {
	base := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)})
	other := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)})
	other.Results[1].Algorithm = "b"
	got, err := Compare(base, other, Options{Registry: registry, References: true})
	if err != nil {
		t.Fatal(err)
	}
	gone, fresh := got.Cells[1], got.Cells[2]
	if gone.Algorithm != "a" || gone.Status != gate.Unevaluated || !strings.Contains(gone.Reason, "the run has not") {
		t.Errorf("a row that went missing: %+v", gone)
	}
	if fresh.Algorithm != "b" || fresh.Status != gate.Unevaluated || !strings.Contains(fresh.Reason, "baseline must be updated") {
		t.Errorf("a new row: %+v", fresh)
	}
	if got.Verdicts().Outcome() != gate.Unevaluated {
		t.Error("missing rows pass")
	}
	allowed, err := Compare(base, other, Options{Registry: registry, References: true, AllowUnevaluated: []string{"*"}})
	if err != nil || allowed.Verdicts().Outcome() != gate.Passed {
		t.Errorf("allowed to be missing, the gate says %s (%v)", allowed.Verdicts().Outcome(), err)
	}
	// The run was interrupted before this row. The row is missing, and allowing
	// that is not a pass.
	cut := document(nil)
	cut.Partial, cut.Results = true, cut.Results[:1]
	got, err = Compare(base, cut, Options{Registry: registry, References: true, AllowUnevaluated: []string{"*"}})
	if err != nil || !strings.Contains(got.Cells[1].Reason, "interrupted") || got.Verdicts().Outcome() != gate.Unevaluated {
		t.Errorf("an interrupted run: %+v, %v", got.Cells, err)
	}
}

// TestRemovedScenarioKeepsItsSeed checks that verdicts on a scenario that only the
// baseline has name its seed.
func TestRemovedScenarioKeepsItsSeed(t *testing.T) {
	base := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)})
	base.Scenarios = append(base.Scenarios, results.Scenario{Name: "gone", Seed: 7})
	gone := base.Results[1]
	gone.Scenario = "gone"
	base.Results = append(base.Results, gone)
	now := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)})
	got, err := Compare(base, now, Options{Registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	last := got.Verdicts().List[len(got.Cells)-1]
	if last.Scenario != "gone" || last.Seed != 7 || !strings.Contains(last.String(), "the run has not; seed 7") {
		t.Errorf("verdict on a removed scenario: %s", last)
	}
}

// TestRefusals checks that documents that measure different things are not
// compared, and that the error names the difference.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(base, now *results.Document, o *Options)
		want   string
	}{
		{"seed", func(_, now *results.Document, _ *Options) { now.Stamp.Seed, now.Scenarios[0].Seed = 2, 2 }, "seed: 1 in the baseline, 2 now"},
		{"scenario's seed", func(_, now *results.Document, _ *Options) { now.Scenarios[0].Seed = 2 }, `scenario "s": seed: 1 in the baseline, 2 now`},
		{"scenario", func(base, now *results.Document, _ *Options) {
			base.Stamp.Scenario = "scenarios: [{name: s, duration: 8s}]"
			now.Stamp.Scenario = "scenarios: [{name: s, duration: 9s}]"
		}, `scenario "s": duration: 8s in the baseline, 9s now`},
		{"no scenario", func(_, now *results.Document, _ *Options) {
			now.Stamp.Scenario = "scenarios: [{name: s, duration: 9s}]"
		}, `scenario "s": settings: not stated in the baseline, stated now`},
		{"no scenario in common", func(_, now *results.Document, _ *Options) { now.Scenarios[0].Name, now.Results = "t", now.Results[:1] }, `scenarios: "s" in the baseline, "t" now`},
		{"partial baseline", func(base, _ *results.Document, _ *Options) { base.Partial = true }, "the baseline is partial"},
		{"empty baseline", func(base, _ *results.Document, _ *Options) { base.Results = nil }, "the baseline has no results"},
		{"empty run", func(_, now *results.Document, _ *Options) { now.Results = nil }, "the run has no results"},
		{"a metric without data", func(_, _ *results.Document, o *Options) { o.Metrics = []string{"over_limit_pct", "burst_excess"} }, "no row of the baseline or of the run has data for burst_excess"},
		{"no metric with data", func(base, now *results.Document, _ *Options) {
			base.Results, now.Results = base.Results[1:], now.Results[1:]
			base.Results[0].Metrics, now.Results[0].Metrics = nil, nil
		}, "has data for any gated metric"},
	} {
		base, now := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)}), document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)})
		o := Options{Registry: registry}
		c.change(base, now, &o)
		_, err := Compare(base, now, o)
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want a refusal with %q", c.name, err, c.want)
		}
	}
	base, now := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)}), document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)})
	base.SchemaVersion = 7
	var schema *results.SchemaError
	if _, err := Compare(base, now, Options{Registry: registry}); !errors.As(err, &schema) || !strings.Contains(err.Error(), "the baseline") {
		t.Errorf("another schema: error %v", err)
	}
	var refusal *Refusal
	for _, o := range []Options{{Metrics: []string{"nope"}}, {Metrics: []string{"burst_excess", "burst_excess"}}} {
		o.Registry = registry
		if _, err := Compare(now, now, o); err == nil || errors.As(err, &refusal) {
			t.Errorf("options %+v: error %v, want one that is no refusal", o, err)
		}
	}
}

// TestNullGates compares runs without a change, paired and with other seeds,
// many times. At most 5 % of the gates may fail, within the limits of chance,
// although any change counts and there are 18 metrics.
func TestNullGates(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many samples")
	}
	effects, err := ParseEffects([]string{"0"}, registry)
	if err != nil {
		t.Fatal(err)
	}
	for _, otherSeeds := range []bool{false, true} {
		trials := 400
		if otherSeeds {
			trials = 40 // each takes long, and hardly any may fail
		}
		r := rand.New(rand.NewPCG(11, 12))
		failed, improved := 0, 0
		for range trials {
			base, now := run(r, 2, 10), run(r, 2, 10)
			if otherSeeds {
				now.Stamp.Seed = 2
			}
			got, err := Compare(base, now, Options{Registry: registry, Effects: effects, OtherSeeds: otherSeeds})
			if err != nil {
				t.Fatal(err)
			}
			if has(got, gate.Failed) {
				failed++
			}
			if has(got, gate.Unevaluated) {
				t.Fatal("a figure could not be evaluated")
			}
			if method := got.Cells[0].change.Method; (method == stats.Independent) != otherSeeds {
				t.Fatalf("other seeds %v: compared %s", otherSeeds, method)
			}
			if has(got, gate.Improved) {
				improved++
			}
		}
		most := 0.05*float64(trials) + 4*math.Sqrt(0.05*0.95*float64(trials))
		if float64(failed) > most || float64(improved) > most {
			t.Errorf("other seeds %v: of %d gates without a change %d failed and %d found an improvement, at most %.0f may", otherSeeds, trials, failed, improved, most)
		}
		if failed == 0 && !otherSeeds {
			t.Errorf("other seeds %v: not one of %d gates failed: the correction leaves no power", otherSeeds, trials)
		}
	}
}

func has(c Comparison, status gate.Status) bool {
	return slices.ContainsFunc(c.Cells, func(c Cell) bool { return c.Status == status })
}

// TestInjectedRegression makes one metric of one row worse by the given size.
// Only that cell may fail, in every trial.
func TestInjectedRegression(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for trial := range 20 {
		base := run(r, 3, 10)
		at := r.IntN(len(base.Results))
		metric := registry[r.IntN(3)].Name
		now := perturb(base, at, metric, func(x float64) float64 { return x * 1.02 }) // 2 %, above the 1 % that counts
		got, err := Compare(base, now, Options{Registry: registry})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got.Cells {
			want := gate.Unchanged
			if c.Row == rowOf(now.Results[at]) && c.Metric.Name == metric {
				want = gate.Failed
			}
			if c.Status != want {
				t.Errorf("trial %d: %s %s %s is %s, want %s", trial, c.Scenario, c.Algorithm, c.Metric.Name, c.Status, want)
			}
		}
	}
}

// TestManyChangesAtOnce checks that ten replications, and five, suffice for any
// number of figures, and that a figure that moved in few replications neither fails
// nor is left without a verdict (issue 15, point 4).
func TestManyChangesAtOnce(t *testing.T) {
	for _, replications := range []int{5, 10} {
		base := run(rand.New(rand.NewPCG(15, 16)), 12, replications) // 108 figures
		now := base
		for i, row := range base.Results {
			for name := range row.Metrics {
				now = perturb(now, i, name, func(x float64) float64 { return x + 1 })
			}
		}
		got, err := Compare(base, now, Options{Registry: registry})
		if err != nil {
			t.Fatal(err)
		}
		if n := got.Verdicts().Count(gate.Failed); n != 108 {
			t.Errorf("%d replications: %d of 108 figures that are worse in each of them fail", replications, n)
		}
	}
	base := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(ten...)})
	few := slices.Clone(ten)
	few[3] += 7
	few[7] += 9
	got, err := Compare(base, document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(few...)}), Options{Registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	if c := got.Cells[len(got.Cells)-1]; c.Status != gate.Passed || *c.P != 0.25 {
		t.Errorf("a figure that moved in two of ten replications: %s with p %v, want passed with 0.25", c.Status, c.P)
	}
}

// TestFixedBaseline checks the promise for independent runs: of random baselines at
// least 95 % have at most 5 % red gates without a change, within the limits of
// chance (issue 15, point 7).
func TestFixedBaseline(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many samples")
	}
	r := rand.New(rand.NewPCG(17, 18))
	effects, _ := ParseEffects([]string{"0"}, registry)
	const baselines, gates = 40, 40
	var runs []*results.Document
	for range gates {
		d := run(r, 1, 7)
		d.Stamp.Seed = 2
		runs = append(runs, d)
	}
	unlucky := 0
	for range baselines {
		base, red := run(r, 1, 7), 0
		for _, now := range runs {
			got, err := Compare(base, now, Options{Registry: registry, Effects: effects, OtherSeeds: true})
			if err != nil {
				t.Fatal(err)
			}
			if has(got, gate.Failed) {
				red++
			}
		}
		if red > gates*5/100 {
			unlucky++
		}
	}
	if unlucky > baselines*5/100 {
		t.Errorf("%d of %d baselines have more than 5 %% red gates, at most 5 %% may", unlucky, baselines)
	}
}

func TestNotes(t *testing.T) {
	base, now := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(ten...)}), document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(ten...)})
	now.Stamp.Version = "v2"
	now.Scenarios[0].TrafficDigests[9] = "other"
	got, err := Compare(base, now, Options{Registry: registry, References: true})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(got.Notes, "\n")
	for _, want := range []string{"version: v1 in the baseline, v2 now", "the same seed made other traffic", "1 figures vary by chance", "1 figures draw no random number", "6 figures have data neither"} {
		if !strings.Contains(all, want) {
			t.Errorf("the notes lack %q:\n%s", want, all)
		}
	}
	if method := got.Verdicts().List[1].Note; !strings.HasPrefix(method, "unpaired over 10 replications") {
		t.Errorf("other traffic is compared %s", method)
	}
}

// TestOlderBaseline checks that a gate compares what a baseline of an earlier
// version has, and tells what it lacks.
func TestOlderBaseline(t *testing.T) {
	base, now := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5)}), document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(5), "over_admission_pct": resultstest.Sample(7)})
	got, err := Compare(base, now, Options{Registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	if outcome, notes := got.Verdicts().Outcome(), strings.Join(got.Notes, "\n"); !outcome.Holds() || !strings.Contains(notes, "so they are not gated: over_admission_pct;") {
		t.Errorf("%s, with the notes\n%s", outcome, notes)
	}
	got, err = Compare(base, now, Options{Registry: registry, Metrics: []string{"over_admission_pct"}})
	if err != nil || got.Verdicts().Outcome() != gate.Unevaluated {
		t.Errorf("a metric that was asked for: %v, error %v", got.Verdicts().Outcome(), err)
	}
}

func TestParseEffects(t *testing.T) {
	for text, want := range map[string]string{
		"nope=1": `no metric is called "nope"`, "x": `"x": `, "-1": "below 0", "NaN": `"NaN": `, "burst_excess=": `"burst_excess=": `, "Inf%": `"Inf%": `,
	} {
		if _, err := ParseEffects([]string{text}, registry); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", text, err, want)
		}
	}
	e, err := ParseEffects([]string{"2%", "burst_excess=5", "burst_excess=10%"}, registry)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(e.For(registry[0]), e.For(registry[1])); got != "{0.02 0} {0.1 5}" {
		t.Errorf("effects are %s", got)
	}
	if got := (Effects{}).For(registry[4]); got != (Effect{0.01, 0.001}) {
		t.Errorf("the default for a ratio is %v", got)
	}
}

// largestOf returns the summary of a largest observation with these values.
func largestOf(values ...*float64) results.Summary {
	largest := slices.MaxFunc(values, func(a, b *float64) int { return cmp.Compare(value(a), value(b)) })
	return results.SummarizeLargest(values, *largest)
}

// value returns a number that is below all others if there is none.
func value(x *float64) float64 {
	if x == nil {
		return math.Inf(-1)
	}
	return *x
}

// TestRareObservations checks that a figure which few replications observe is neither
// judged nor missed where a run without a change may observe it in none, and that a
// figure which most replications observe is missed.
func TestRareObservations(t *testing.T) {
	observed := func(n int) results.Summary {
		values, windows, sums := make([]*float64, 10), make([]float64, 10), make([]float64, 10)
		for i := range n {
			x := float64(10 + i)
			values[i], windows[i], sums[i] = &x, 1, x
		}
		if n == 0 {
			return results.Summary{Values: values, Pooled: results.PooledRatio, Numerators: sums, Denominators: windows, Reason: "no saturated window"}
		}
		return results.SummarizeRatio(values, sums, windows)
	}
	for _, tt := range []struct {
		base, now  int
		otherSeeds bool
		gated      bool
	}{
		{0, 4, false, false}, {4, 0, false, false}, {0, 5, false, true}, {1, 4, false, false}, {2, 4, false, true},
		{0, 6, true, false}, {6, 0, true, false}, {0, 7, true, true}, {7, 0, true, true}, // 10 C 7 of 20 C 7 is 0.15 %
	} {
		doc := func(n int, seed uint64) *results.Document {
			d := document(map[string]results.Summary{"over_limit_pct": observed(n), "burst_excess": resultstest.Sample(ten...)})
			d.Stamp.Seed, d.Scenarios[0].Seed = seed, seed
			return d
		}
		seed := uint64(1)
		if tt.otherSeeds {
			seed = 2
		}
		got, err := Compare(doc(tt.base, 1), doc(tt.now, seed), Options{Registry: registry, OtherSeeds: tt.otherSeeds})
		if err != nil {
			t.Fatal(err)
		}
		gated := slices.ContainsFunc(got.Cells, func(c Cell) bool { return c.Metric.Name == "over_limit_pct" })
		said := strings.Contains(strings.Join(got.Notes, "\n"), "s/a/over_limit_pct is not gated")
		if gated != tt.gated || said == tt.gated {
			t.Errorf("%d and %d of 10 replications, other seeds %v: gated %v, said not to be %v", tt.base, tt.now, tt.otherSeeds, gated, said)
		}
	}
}
