package baseline

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// notWorse returns an expectation of algorithm a: "5%" or an amount.
func notWorse(metric string, threshold float64, relative bool) results.Expectation {
	return results.Expectation{Algorithm: "a", Metric: metric, Op: catalog.NotWorse, Threshold: threshold, Relative: relative, Line: 7, Col: 9}
}

// proof compares two runs of algorithm a with one metric that must be proven not
// worse, and returns its verdict.
func proof(t *testing.T, base, now *results.Document, e results.Expectation, o Options) gate.Verdict {
	t.Helper()
	o.Registry = registry
	now.Scenarios[0].Expectations = []results.Expectation{e}
	c, err := Compare(base, now, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range c.Verdicts().List {
		if v.Algorithm == e.Algorithm && v.Metric == e.Metric {
			return v
		}
	}
	t.Fatalf("no verdict for %s %s", e.Algorithm, e.Metric)
	return gate.Verdict{}
}

// TestNotWorse checks one figure that must be proven not worse, with every outcome.
func TestNotWorse(t *testing.T) {
	noisy := moved(ten, 3, -2, 4, -3.5, 0.5)
	for _, c := range []struct {
		name      string
		metric    string // over_limit_pct if ""
		base, now results.Summary
		margin    float64
		relative  bool
		want      gate.Status
		reason    string
	}{
		{name: "the same", base: resultstest.Sample(ten...), now: resultstest.Sample(ten...), margin: 0.5, want: gate.Unchanged},
		{name: "proven", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.3, -0.2)...), margin: 0.5, want: gate.Passed},
		{name: "proven, of the baseline's figure", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.3, -0.2)...), margin: 5, relative: true, want: gate.Passed},
		{name: "worse beyond chance, but by less", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.3)...), margin: 0.5, want: gate.Passed},
		{name: "worse by just as much", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.1)...), margin: 0.1, want: gate.Passed},
		{name: "better", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, -3)...), margin: 0.1, want: gate.Passed},
		{name: "refuted", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 1.2, 0.8)...), margin: 0.5, want: gate.Failed},
		{name: "refuted, of the baseline's figure", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 1.2, 0.8)...), margin: 5, relative: true, want: gate.Failed},
		{name: "too noisy", base: resultstest.Sample(ten...), now: resultstest.Sample(noisy...), margin: 0.5,
			reason: "not proven: by the 95 % interval it may be worse by 2.55, more than 0.5; if it has not changed, 346 replications of both runs suffice with a probability of 80 %"},
		{name: "too noisy for any number", base: resultstest.Sample(ten...), now: resultstest.Sample(noisy...), margin: 1e-6, reason: "no number of replications up to 1048576 suffices"},
		{name: "better on average, too noisy", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(noisy, -1)...), margin: 0.5, reason: "may be worse by 1.55, more than 0.5"},
		{name: "five replications", base: resultstest.Sample(ten[:5]...), now: resultstest.Sample(ten[:5]...), margin: 5, reason: "too few replications: 5, need 6"},
		{name: "six replications", base: resultstest.Sample(ten[:6]...), now: resultstest.Sample(moved(ten[:6], 0.1, -0.1)...), margin: 1, want: gate.Passed},
		{name: "a share of 0", base: resultstest.Sample(0, 0, 0, 0, 0, 0), now: resultstest.Sample(0, 0, 0, 0.1, 0, 0), margin: 5, relative: true, reason: "5 % of a baseline of 0 is 0: state an amount"},
		{name: "a share of 0, the same", base: resultstest.Sample(0, 0, 0, 0, 0, 0), now: resultstest.Sample(0, 0, 0, 0, 0, 0), margin: 5, relative: true, want: gate.Unchanged},

		{name: "higher is better: down a little", metric: "fairness_tenant_run_min", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, -0.1, -0.3)...), margin: 0.5, want: gate.Passed},
		{name: "higher is better: down", metric: "fairness_tenant_run_min", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, -0.9, -1.1)...), margin: 0.5, want: gate.Failed},
		{name: "higher is better: up", metric: "fairness_tenant_run_min", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 9, 1)...), margin: 0.5, want: gate.Passed},
		{name: "no better direction: up", metric: "rejected_pct", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, 0.9, 1.1)...), margin: 0.5, want: gate.Failed},
		{name: "no better direction: down", metric: "rejected_pct", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, -0.9, -1.1)...), margin: 0.5, want: gate.Failed},
		{name: "no better direction: about the same", metric: "rejected_pct", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, -0.2, 0.3)...), margin: 0.5, want: gate.Passed},
		{name: "no better direction: too noisy", metric: "rejected_pct", base: resultstest.Sample(ten...), now: resultstest.Sample(noisy...), margin: 0.5, reason: "may be worse by 2.55"},
		{name: "a metric that nobody knows", metric: "of_later", base: resultstest.Sample(ten...), now: resultstest.Sample(moved(ten, -0.9, -1.1)...), margin: 0.5, want: gate.Failed},

		{name: "exact, the same", base: resultstest.Sample(5), now: resultstest.Sample(5), margin: 0.1, want: gate.Unchanged},
		{name: "exact, worse by just as much", base: resultstest.Sample(0.3), now: resultstest.Sample(0.3 + 0.1), margin: 0.1, want: gate.Passed},
		{name: "exact, worse by more", base: resultstest.Sample(5), now: resultstest.Sample(5.2), margin: 0.1, want: gate.Failed},
		{name: "exact, better", base: resultstest.Sample(5), now: resultstest.Sample(1), margin: 0.1, want: gate.Passed},
		{name: "exact, better, of no direction", metric: "rejected_pct", base: resultstest.Sample(5), now: resultstest.Sample(1), margin: 0.1, want: gate.Failed},
		{name: "exact became random", base: resultstest.Sample(10), now: resultstest.Sample(moved(ten, 0.3, -0.2)...), margin: 0.6, want: gate.Passed},
		{name: "exact became random, too noisy", base: resultstest.Sample(10), now: resultstest.Sample(moved(ten, 0.3, -0.2)...), margin: 0.1, reason: "replications suffice with"},

		{name: "no data", base: resultstest.NoData("no window was saturated", 10), now: resultstest.NoData("no window was saturated", 10), margin: 5, reason: "no data in the baseline: no window was saturated"},
		{name: "no data now", base: resultstest.Sample(ten...), now: resultstest.NoData("no window was saturated", 10), margin: 5, reason: "no data in the run: no window was saturated"},
	} {
		metric := c.metric
		if metric == "" {
			metric = "over_limit_pct"
		}
		doc := func(s results.Summary) *results.Document {
			d := document(map[string]results.Summary{metric: s})
			d.Results = append(d.Results, results.Result{Scenario: "s", Algorithm: "b", Exact: true, Replications: 1,
				Metrics: map[string]results.Summary{"burst_excess": resultstest.Sample(1)}}) // so that there is something to gate
			return d
		}
		v := proof(t, doc(c.base), doc(c.now), notWorse(metric, c.margin, c.relative), Options{AllowUnevaluated: []string{"*"}})
		if v.Status != c.want || !strings.Contains(v.Reason, c.reason) || c.reason == "" && v.Reason != "" {
			t.Errorf("%s: %s (%s), want %s (%s)", c.name, v.Status, v.Reason, c.want, c.reason)
		}
		if v.Line != 7 || v.Change.NotWorse == "" || v.Change.P != nil || v.Change.Caught80 != nil {
			t.Errorf("%s: line %d, change %+v", c.name, v.Line, v.Change)
		}
		// What is missing is excused by --allow-unevaluated, a missing proof is not.
		if want := v.Status == gate.Unevaluated && v.Change.Change == nil; v.Allowed != want {
			t.Errorf("%s: excused is %v, want %v", c.name, v.Allowed, want)
		}
	}
}

// TestNotWorseOfMissingRows checks that an expectation never disappears with its row.
func TestNotWorseOfMissingRows(t *testing.T) {
	values := map[string]results.Summary{"over_limit_pct": resultstest.Sample(ten...)}
	without := func() *results.Document {
		d := document(values)
		d.Results[1].Algorithm = "b"
		return d
	}
	partial := without()
	partial.Partial = true
	for _, c := range []struct {
		base, now *results.Document
		reason    string
	}{
		{without(), document(values), "the baseline has no such row"},
		{document(values), without(), "the baseline has this row, the run has not"},
		{without(), without(), "no result for this algorithm"},
		{without(), partial, "no result: the run was interrupted before it"},
	} {
		v := proof(t, c.base, c.now, notWorse("over_limit_pct", 5, true), Options{})
		if v.Status != gate.Unevaluated || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s (%s), want the reason %s", v.Status, v.Reason, c.reason)
		}
	}
}

// TestNotWorseOfReference checks that an expectation of the reference compares that
// figure of it, and no other.
func TestNotWorseOfReference(t *testing.T) {
	doc := func(over float64) *results.Document {
		d := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(ten...)})
		d.Results[0].Metrics = map[string]results.Summary{"over_limit_pct": resultstest.Sample(over), "burst_excess": resultstest.Sample(over)}
		return d
	}
	e := notWorse("over_limit_pct", 0.5, false)
	e.Algorithm = "reference"
	if v := proof(t, doc(1), doc(2), e, Options{}); v.Status != gate.Failed {
		t.Errorf("the reference is %s (%s), want failed", v.Status, v.Reason)
	}
	now := doc(2)
	now.Scenarios[0].Expectations = []results.Expectation{e}
	c, err := Compare(doc(1), now, Options{Registry: registry})
	if err != nil || len(c.Cells) != 2 {
		t.Errorf("%d figures are compared, want 2 (%v)", len(c.Cells), err)
	}
}

// TestNotWorseOfOptions checks which figures the margins of the command line are for.
func TestNotWorseOfOptions(t *testing.T) {
	metrics := map[string]results.Summary{"over_limit_pct": resultstest.Sample(ten...), "burst_excess": resultstest.Sample(ten...)}
	for margin, want := range map[string]int{"over_limit_pct=5%": 1, "5%": 2} {
		effects, err := ParseEffects([]string{margin}, registry)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Compare(document(metrics), document(metrics), Options{Registry: registry, NotWorse: effects})
		if err != nil {
			t.Fatal(err)
		}
		proven := 0
		for _, v := range c.Verdicts().List {
			if v.Change.NotWorse == "5 %" {
				proven++
			}
		}
		if proven != want {
			t.Errorf("--not-worse %s: %d figures must be proven, want %d", margin, proven, want)
		}
	}
}

// TestFalseProofs simulates figures that are worse by exactly the margin. At most
// 2.5 % of the gates pass, of pairs and of independent runs, whichever direction is
// better.
func TestFalseProofs(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many samples")
	}
	const gates = 1000
	r := rand.New(rand.NewPCG(11, 12))
	draw := func(mean float64, n int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = mean + r.NormFloat64()
		}
		return values
	}
	for _, c := range []struct {
		name, metric string
		by           float64
		seed         uint64 // of now
	}{
		{"pairs", "over_limit_pct", 0.5, 1},
		{"pairs, higher is better", "fairness_tenant_run_min", -0.5, 1},
		{"pairs, either direction", "rejected_pct", -0.5, 1},
		{"independent runs", "over_limit_pct", 0.5, 2},
	} {
		passed := 0
		for range gates {
			base := document(map[string]results.Summary{c.metric: resultstest.Sample(draw(10, 10)...)})
			now := document(map[string]results.Summary{c.metric: resultstest.Sample(draw(10+c.by, 10)...)})
			now.Stamp.Seed, now.Scenarios[0].Seed = c.seed, c.seed
			if proof(t, base, now, notWorse(c.metric, 0.5, false), Options{OtherSeeds: true}).Status.Holds() {
				passed++
			}
		}
		if share := float64(passed) / gates; share > 0.025+2*math.Sqrt(0.025*0.975/gates) {
			t.Errorf("%s: %.4f of the gates pass, want at most 0.025", c.name, share)
		}
	}
}

// TestReplicationsToProve simulates gates of a figure that has not changed. With the
// number of replications that an unevaluated gate asks for, at least 80 % pass.
func TestReplicationsToProve(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many samples")
	}
	const gates = 100
	r := rand.New(rand.NewPCG(13, 14))
	draw := func(n int) results.Summary {
		values := make([]float64, n)
		for i := range values {
			values[i] = 10 + r.NormFloat64()
		}
		return resultstest.Sample(values...)
	}
	for _, c := range []struct {
		metric string
		seed   uint64 // of now
	}{{"over_limit_pct", 1}, {"rejected_pct", 1}, {"over_limit_pct", 2}} {
		judge := func(n int) Cell {
			base, now := document(map[string]results.Summary{c.metric: draw(n)}), document(map[string]results.Summary{c.metric: draw(n)})
			now.Stamp.Seed, now.Scenarios[0].Seed = c.seed, c.seed
			now.Scenarios[0].Expectations = []results.Expectation{notWorse(c.metric, 0.7, false)}
			got, err := Compare(base, now, Options{Registry: registry, OtherSeeds: true, Metrics: []string{c.metric}})
			if err != nil {
				t.Fatal(err)
			}
			return got.Cells[0]
		}
		asked, passed, most := 0, 0, 0
		for asked < gates {
			first := judge(10)
			if first.Needed == 0 {
				continue
			}
			asked++
			most = max(most, first.Needed)
			if judge(first.Needed).Status.Holds() {
				passed++
			}
		}
		if share := float64(passed) / float64(asked); share < 0.8-2*math.Sqrt(0.8*0.2/gates) || share > 0.93 {
			t.Errorf("%s, seed %d: %.3f of the gates pass with the replications that they asked for (up to %d), want 0.8", c.metric, c.seed, share, most)
		}
	}
}

// TestSelfTestOfProof checks that a figure that must be proven not worse is tried
// with a change just beyond its margin, which only the run states.
func TestSelfTestOfProof(t *testing.T) {
	metrics := map[string]results.Summary{"over_limit_pct": resultstest.Sample(ten...), "burst_excess": resultstest.Sample(ten...)}
	now := document(metrics)
	now.Scenarios[0].Expectations = []results.Expectation{notWorse("over_limit_pct", 20, true)}
	p, err := SelfTest(now, document(metrics), Options{Registry: registry})
	if err != nil || !p.Holds() {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, one := range p {
		if one.Verdict.Metric == "over_limit_pct" && (one.Verdict.Change.NotWorse != "20 %" || math.Abs(*one.Perturbed-12) > 0.001) {
			t.Errorf("%s was tried with %g, want 12", one.Verdict.Check(), *one.Perturbed)
		}
	}
	p, err = SelfTest(now, nil, Options{Registry: registry})
	if err != nil || len(p) != 1 || p.Holds() || !strings.Contains(p[0].Reason, "--baseline") {
		t.Errorf("without a baseline: %+v, %v", p, err)
	}
}
