package candidates

import (
	"context"
	"slices"
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

// TestScenarios checks a trial in several scenarios: the figures of each, and the mean or
// the largest of their costs.
func TestScenarios(t *testing.T) {
	g, problems, err := scenarios.LoadGrid("s.yaml", []byte(joint), ".", sim.Catalog(), nil, scenarios.Overrides{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if g, err = g.Joined(func(*scenarios.Scenario) bool { return true }); err != nil {
		t.Fatal(err)
	}
	try := func(g *scenarios.Grid, o Options) []search.Outcome {
		o.Algorithms, o.Least, o.Promises = []string{"token-bucket"}, "rejected_pct", Promises{}
		for _, s := range g.File.Scenarios {
			o.Promises[s.Name] = map[string][]scenarios.Expectation{"token-bucket": s.Expect}
		}
		set, err := New(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		defer set.Close()
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
