package attack

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// scenarioOf returns a file with one algorithm under a limit.
func scenarioOf(t *testing.T, policy, algorithm string, clients int, duration string) *scenarios.File {
	return simtest.Load(t, fmt.Sprintf(`version: 1
algorithms: {attacked: %s}
scenarios:
  - name: attack
    replications: 1
    duration: %s
    policy: {%s}
    topology: {clients: %d}
    traffic: [{pattern: list, events: [{at: 0s}]}]
    algorithms: [attacked]
`, algorithm, duration, policy, clients))
}

// options returns a search for the burst excess with a budget of some trials.
func options(t *testing.T, requests, trials int64, may string) Options {
	choices, err := ParseChoices(may)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Goals: []Goal{{Metric: *catalog.Find(sim.Catalog().Metrics, "burst_excess")}}, May: choices, Requests: requests,
		Budget: trials * max(requests, LeastCharge), Keys: 1, Seed: 1, Workers: 2}
}

// TestReachesTheory checks for every counter with a closed form that the search
// finds at least 99 % of it and never more, under limits and options that differ.
func TestReachesTheory(t *testing.T) {
	const usual, small, even = "limit: 100/s, burst: 20", "limit: 7/s, burst: 30", "limit: 50/s"
	cases := map[string][]string{"": {usual, small, even}} // policies by option
	for _, option := range []string{"count_rejected: true", "debt: true", "nodelay: true", "delay: 3", "expire: each-hit", "fill_interval: 300ms", "fill_interval: 1700ms", "tokens_per_fill: 3", "burst: 7"} {
		cases[option] = []string{usual}
	}
	known := 0
	for _, c := range limiters.Counters() {
		for option, policies := range cases {
			name, _, _ := strings.Cut(option, ":")
			if name != "" && catalog.Find(c.Fields, name) == nil {
				continue
			}
			for _, policy := range policies {
				f := scenarioOf(t, policy, fmt.Sprintf("{enforcement: central, counter: %s, %s}", c.Name, option), 1, "4s")
				s := &f.Scenarios[0]
				bound := limiters.Worst(s)
				if bound.Formula == "" {
					continue
				}
				known++
				o := options(t, 4*(s.Policy.Limit.Count+s.Policy.Burst), 600, "times")
				o.Goals[0].Bound, o.Goals[0].Bounded = bound.Value, true
				r, err := Run(context.Background(), f, o)
				if err != nil {
					t.Fatal(err)
				}
				found := r.Found[0]
				if found.Figure > bound.Value || found.Figure < 0.99*bound.Value {
					t.Errorf("%s, %s, %s: found %v, theory has %v = %s", c.Name, option, policy, found.Figure, bound.Value, bound.Formula)
				}
			}
		}
	}
	if known < 40 {
		t.Errorf("only %d closed forms were tried", known)
	}
}

// TestFindsWeaknesses checks that the search finds by itself what limiters are known
// to forgive.
func TestFindsWeaknesses(t *testing.T) {
	search := func(algorithm, may string, apart int64) Found {
		t.Helper()
		o := options(t, 800, 150, may)
		if o.Apart = apart; apart > 0 {
			o.Requests, o.Budget = 3000, 250_000
		}
		found, err := Run(context.Background(), scenarioOf(t, "limit: 100/s", algorithm, 4, "10s"), o)
		if err != nil {
			t.Fatal(err)
		}
		return found.Found[0]
	}
	if found := search("{preset: batch-reported}", "times", 0); found.Figure != 700 {
		t.Errorf("batch-reported: %v, want all 800 requests before the first report", found.Figure)
	}
	const apart = 3_333_334 // three times the limit
	aligned, literal := search("{preset: batch-debt, phase: aligned}", "times", apart), search("{preset: batch-debt, phase: aligned, order: literal}", "times", apart)
	if first := literal.Candidate.Trains[0].At; literal.Figure < 1.3*aligned.Figure || first < 1e9 {
		t.Errorf("order: literal has %v, else %v, from %v: it forgives an idle time", literal.Figure, aligned.Figure, literal.Candidate.Trains)
	}
	if found := search("{preset: remote}", "times", 0); found.Figure > 100 {
		t.Errorf("remote without faults: %v", found.Figure)
	}
	if found := search("{preset: remote, on_timeout: fail-open}", "times,faults", 0); found.Figure < 600 || len(found.Candidate.Faults) != 1 {
		t.Errorf("remote with faults: %v, %v: it fails open", found.Figure, found.Candidate.Faults)
	}
}

// TestFigureOfEachGoal checks that no goal has a better figure than the worst traffic of
// another goal gives it.
func TestFigureOfEachGoal(t *testing.T) {
	for _, algorithm := range []string{"{preset: rejection-rate-only}", "{preset: batch-debt}", "{preset: prefetch}", "{preset: rover-faithful}"} {
		for seed := uint64(1); seed <= 3; seed++ {
			f := scenarioOf(t, "limit: 20/s", algorithm, 4, "10s")
			o := options(t, 400, 200, "times,clients")
			o.Seed = seed
			for _, name := range []string{"accumulated_excess", "rejected_pct"} {
				o.Goals = append(o.Goals, Goal{Metric: *catalog.Find(sim.Catalog().Metrics, name)})
			}
			r, err := Run(context.Background(), f, o)
			if err != nil {
				t.Fatal(err)
			}
			for i, goal := range o.Goals {
				for j, other := range r.Found {
					file, err := File(f, other.Candidate)
					if err != nil {
						t.Fatal(err)
					}
					if figure, _, err := Figure(context.Background(), file, goal, o); err != nil || goal.Worse(figure, r.Found[i].Figure) {
						t.Errorf("%s, seed %d: %s is %v, and %v under the traffic for %s: %v", algorithm, seed, goal.Metric.Name, r.Found[i].Figure, figure, o.Goals[j].Metric.Name, err)
					}
				}
			}
		}
	}
}

// TestOutages checks that a limiter that fails open is found without leave to choose
// faults, and that one without a network has no outage.
func TestOutages(t *testing.T) {
	o := options(t, 800, 150, "times")
	found, err := Outages(context.Background(), scenarioOf(t, "limit: 100/s", "{preset: remote, on_timeout: fail-open}", 4, "10s"), o)
	if err != nil || len(found) != 1 || found[0].Kind == "" || found[0].Figure != 700 {
		t.Errorf("remote: %v, %v, want all 800 requests", found, err)
	}
	if found, err = Outages(context.Background(), scenarioOf(t, "limit: 100/s", "{preset: fixed-window}", 4, "10s"), o); found != nil || err != nil {
		t.Errorf("fixed-window: %v, %v", found, err)
	}
}

// TestPatternsCoverTheRun checks that a pair of bursts is around each instant of the run,
// and that bursts follow idle times of one window, two, three and more exactly.
func TestPatternsCoverTheRun(t *testing.T) {
	s := newSearch(scenarioOf(t, "limit: 100/s, burst: 20", "{preset: token-bucket}", 1, "65s"), options(t, 480, 150, "times"))
	var covered int64
	for _, pairs := range s.everywhere() {
		for i := 0; i < len(pairs); i += 2 {
			covered += pairs[i+1].At - pairs[i].At
		}
	}
	if covered < s.end-100_000_000 || covered > s.end {
		t.Errorf("%d ns of %d are in a pair", covered, s.end)
	}
	idle := map[int64]bool{}
	p := &starts{space: &s.space}
	p.overTime()
	for _, c := range p.list {
		for i := 1; i < len(c.Trains); i++ {
			idle[c.Trains[i].At-c.Trains[i-1].last()] = true
		}
	}
	for windows := int64(1); windows <= 10; windows++ {
		if !idle[windows*s.window] {
			t.Errorf("no burst follows %d windows without requests", windows)
		}
	}
}

// TestSameOnAnyNumberOfWorkers checks that the result does not depend on workers.
func TestSameOnAnyNumberOfWorkers(t *testing.T) {
	var first *Result
	for _, workers := range []int{1, 2, 7} {
		o := options(t, 100, 150, "times,clients,phases,keys,faults")
		o.Workers, o.Keys = workers, 3
		found, err := Run(context.Background(), scenarioOf(t, "limit: 20/s", "{preset: batch-reported}", 4, "4s"), o)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = found
		}
		if fmt.Sprint(*found.Found[0].Candidate) != fmt.Sprint(*first.Found[0].Candidate) || found.Used != first.Used {
			t.Errorf("%d workers: %+v, one %+v", workers, found.Found[0].Candidate, first.Found[0].Candidate)
		}
	}
}
