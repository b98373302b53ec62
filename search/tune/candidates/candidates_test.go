package candidates

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/tune/search"
	"github.com/limitgauge/limitgauge/sim"
)

const joint = `version: 1
duration: 4s
policies:
  p: {limit: 100/s}
scenarios:
  - name: one
    policy: p
    traffic: [{pattern: constant, rate: 200/s}]
    algorithms: [token-bucket]
    expect: {token-bucket: {rejected_pct: "<= 40"}}
    vary: {burst: {of: policy.burst, values: [10, 100]}}
  - name: two
    policy: p
    traffic: [{pattern: poisson, rate: 150/s}]
    algorithms: [token-bucket]
    expect: {token-bucket: {rejected_pct: "<= 30", over_limit_pct: "<= 20"}}
`

// open returns the candidates of a grid, whose promises are those of its scenarios.
func open(t *testing.T, g *scenarios.Grid, o Options) *Set {
	t.Helper()
	if o.Least, o.Promises = "rejected_pct", (Promises{}); o.Algorithms == nil {
		o.Algorithms = []string{"token-bucket"}
	}
	for _, s := range g.File.Scenarios {
		o.Promises[s.Name] = map[string][]scenarios.Expectation{"token-bucket": s.Expect}
	}
	set, err := New(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

// gridOf returns the grid of all scenarios in a text.
func gridOf(t *testing.T, text string) *scenarios.Grid {
	t.Helper()
	g, problems, err := scenarios.LoadGrid("s.yaml", []byte(text), ".", sim.Catalog(), nil, scenarios.Overrides{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if g, err = g.Joined(func(*scenarios.Scenario) bool { return true }); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestSame checks which candidates are the same: those of an algorithm that an axis does not
// change. They have no value of that axis.
func TestSame(t *testing.T) {
	set := open(t, gridOf(t, `version: 1
duration: 4s
algorithms:
  own: {preset: token-bucket}
scenarios:
  - name: one
    policy: {limit: 100/s}
    traffic: [{pattern: constant, rate: 200/s}]
    algorithms: [gcra, own]
    expect: {own: {rejected_pct: "<= 40"}}
    vary: {debt: {of: algorithms.own.debt, values: [false, true]}, burst: {of: policy.burst, values: [10, 100, 50]}}
`), Options{Algorithms: []string{"gcra", "own"}})
	if set.Len() != 12 {
		t.Fatalf("%d candidates", set.Len())
	}
	for i := range 12 {
		algorithm, debt, burst := []string{"gcra", "own"}[i/6], []string{"false", "true"}[i/3%2], []string{"10", "100", "50"}[i%3]
		same := i
		if algorithm == "gcra" {
			same, debt = i%3, ""
		}
		if set.Algorithm(i) != algorithm || set.Same(i) != same || !slices.Equal(set.Values(i), []string{debt, burst}) {
			t.Errorf("%d: %s, same as %d, values %q; want %s, %d, %q and %q", i, set.Algorithm(i), set.Same(i), set.Values(i), algorithm, same, debt, burst)
		}
	}
}

// TestRefused checks that the problem of a cell is an error, and not a candidate.
func TestRefused(t *testing.T) {
	g := gridOf(t, strings.Replace(joint, "[10, 100]", "[10, many]", 1))
	if _, err := New(t.Context(), g.Padded(), Options{Algorithms: []string{"token-bucket"}, Scenarios: 2}); err == nil || !strings.Contains(err.Error(), "many") {
		t.Errorf("%v", err)
	}
}

// TestText checks that the file of a candidate holds what its trials simulate: all
// scenarios with the candidate's values, one algorithm and its promises.
func TestText(t *testing.T) {
	for _, full := range []string{"no", "as an option", "in the file"} {
		text := strings.ReplaceAll(joint, "[token-bucket]", "[gcra, token-bucket]")
		if full == "in the file" {
			text = strings.Replace(text, "scenarios:", "metrics: full\nscenarios:", 1)
		}
		set := open(t, gridOf(t, text).Padded(), Options{Scenarios: 2, Full: full == "as an option"})
		for i, burst := range []int64{10, 100} {
			text, err := set.Text(i)
			if err != nil {
				t.Fatal(err)
			}
			f, problems := scenarios.Load("t.yaml", text, ".", sim.Catalog())
			if len(problems) > 0 || len(f.Scenarios) != 2 {
				t.Fatalf("%v:\n%s", problems, text)
			}
			for j, name := range []string{"one", "two"} {
				s := &f.Scenarios[j]
				if s.Name != name || s.Policy.Reference.Burst != burst || len(s.Algorithms) != 1 || s.Algorithms[0].Name != "token-bucket" || len(s.Expect) != j+1 || s.Replications != set.Replications() || s.Full != (full != "no") {
					t.Errorf("candidate %d, all metrics %s:\n%s", i, full, text)
				}
			}
		}
	}
}

// TestScenarios checks a trial in several scenarios: the figures of each, and the mean or
// the largest of their costs.
func TestScenarios(t *testing.T) {
	g := gridOf(t, joint)
	try := func(g *scenarios.Grid, o Options) []search.Outcome {
		set := open(t, g, o)
		var trials []search.Trial
		for i := range set.Len() {
			trials = append(trials, search.Trial{Candidate: i, Seed: 2, Replication: search.Whole})
		}
		outcomes, err := set.Try(context.Background(), trials)
		if err != nil {
			t.Fatal(err)
		}
		return outcomes
	}
	single := try(g, Options{}) // each cell as a candidate
	mean, worst := try(g.Padded(), Options{Scenarios: 2}), try(g.Padded(), Options{Scenarios: 2, Worst: true})
	for i := range 2 {
		one, two := single[i], single[i+2]
		if want := (one.Cost + two.Cost) / 2; mean[i].Cost != want || worst[i].Cost != max(one.Cost, two.Cost) || mean[i].Exact {
			t.Errorf("%d: mean %+v, worst %+v of %+v and %+v", i, mean[i], worst[i], one, two)
		}
		if !slices.Equal(mean[i].Figures, slices.Concat(one.Figures, two.Figures)) || len(mean[i].Figures) != 3 {
			t.Errorf("%d: figures %v of %v and %v", i, mean[i].Figures, one.Figures, two.Figures)
		}
	}
}
