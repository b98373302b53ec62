package cli

import (
	"cmp"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/attack"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters"
)

// search returns the options of the search.
func (p *attacking) search(a *app, c *cobra.Command, f *scenarios.File) (o attack.Options, err error) {
	s := &f.Scenarios[0]
	if o.Goals, err = p.goals(a, s); err != nil {
		return o, err
	}
	if o.May, err = attack.ParseChoices(p.may); err != nil {
		return o, usage.Errorf("--may-choose: %w", err)
	}
	if p.keys < 1 || p.keys > 10_000 {
		return o, usage.Errorf("--keys: want 1 to 10000, not %d", p.keys)
	}
	if c.Flags().Changed("keys") && !o.May.Keys {
		return o, usage.Errorf("--keys: it needs --may-choose keys")
	}
	o.Keys, o.Seed, o.Workers = 1, p.seed, cmp.Or(p.workers, runtime.GOMAXPROCS(0))
	if o.May.Keys {
		o.Keys = p.keys
	}
	if p.workers < 0 {
		return o, usage.Errorf("--workers: %d is negative", p.workers)
	}
	o.Requests = min(mostRequests, 4*(min(s.Policy.Limit.Count, mostRequests)+min(s.Policy.Burst, mostRequests)))
	if p.requests != "" {
		if o.Requests, err = units.ParseCount(p.requests); err != nil || o.Requests < 2 || o.Requests > mostRequests {
			return o, usage.Errorf("--requests: want 2 to %d, not %s", mostRequests, p.requests)
		}
	}
	if o.Budget = budgetFor(s, o.Requests); p.budget != "" {
		if o.Budget, err = units.ParseCount(p.budget); err != nil || o.Budget < 1 {
			return o, usage.Errorf("--budget: want a number of requests such as 200k, not %s", p.budget)
		}
	}
	if p.rate != "" && p.rate != "unlimited" {
		rate, err := units.ParseRate(p.rate)
		if err != nil {
			return o, usage.Errorf("--rate: %w", err)
		}
		if err := p.limitRate(&o, f, rate); err != nil {
			return o, err
		}
	}
	o.Sim = sim.Options{Memory: terminal.FreeMemory(), Programs: a.MakeFleet, AllowExec: p.allowExec}
	return o, nil
}

// goals returns the metrics to make as bad as possible, and has the scenario measure
// and show them.
func (p *attacking) goals(a *app, s *scenarios.Scenario) (goals []attack.Goal, err error) {
	for _, name := range strings.Split(p.worst, ",") {
		name = strings.TrimSpace(name)
		metric := catalog.Find(a.Catalog().Metrics, name)
		switch {
		case metric == nil:
			return nil, usage.Errorf("--worst: there is no metric %q%s", name, scenarios.Suggest(name, describe.Names("metrics")))
		case slices.ContainsFunc(goals, func(g attack.Goal) bool { return g.Metric.Name == name }):
			return nil, usage.Errorf("--worst: %s is given twice", name)
		}
		goals = append(goals, attack.Goal{Metric: *metric})
		s.Full = s.Full || metric.Full
		if !slices.Contains(catalog.Headline(), name) {
			s.Columns = append(s.Columns, name)
		}
	}
	return goals, nil
}

// theory sets the bounds of the goals. It returns what theory states about each
// figure, or the reason why it states nothing.
func (p *attacking) theory(s *scenarios.Scenario, o *attack.Options) (stated []catalog.Predicted) {
	for i := range o.Goals {
		bound := theoryOf(s, o.Goals[i].Metric.Name, o.May)
		o.Goals[i].Bound, o.Goals[i].Bounded = bound.Value, bound.Formula != ""
		stated = append(stated, bound)
	}
	return stated
}

// theoryOf returns the bound of a figure, or the reason why none is known.
func theoryOf(s *scenarios.Scenario, metric string, may attack.Choices) catalog.Predicted {
	switch {
	case metric != "burst_excess":
		return catalog.Predicted{Why: "closed forms are for burst_excess alone"}
	case s.Policy.Reference.Kind != "token-bucket":
		return catalog.Predicted{Why: "closed forms are for policies whose reference is a token bucket"}
	case may.Costs || may.Faults:
		return catalog.Predicted{Why: "closed forms are for requests of cost 1 and without faults"}
	}
	return limiters.Worst(s)
}
