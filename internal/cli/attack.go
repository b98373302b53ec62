package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/attack"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters"
)

// mostRequests is the largest number of requests of a trial.
const mostRequests = 1_000_000

// attacking holds the flags of attack.
type attacking struct {
	limit, network         string
	burst                  int64
	clients, servers       int
	options                []string
	scenario, algorithm    string
	worst, may             string
	budget, requests, rate string
	keys, windows, workers int
	replications           int
	seed                   uint64
	output                 string
	allowExec              bool
}

func (p *attacking) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.limit, "limit", "", "the `LIMIT` that the algorithm enforces, such as 100/s")
	f.Int64Var(&p.burst, "burst", 0, "depth of buckets in `REQUESTS`; the limit's count unless given")
	f.IntVar(&p.clients, "clients", 4, "`N` clients")
	f.IntVar(&p.servers, "servers", 1, "`N` servers of the limiter")
	f.StringVar(&p.network, "network", "0s", "`LATENCY` of a call: 5ms, or {lognormal: {p50: 1ms, p99: 15ms}}")
	f.StringArrayVar(&p.options, "set", nil, "an `OPTION=VALUE` of the algorithm; may be given again")
	f.StringVar(&p.scenario, "scenario", "", "attack the scenario called `NAME` of the file")
	f.StringVar(&p.algorithm, "algorithm", "", "attack the algorithm called `NAME` of the file")
	f.StringVar(&p.worst, "worst", "burst_excess", "make the `METRIC` as bad as possible")
	f.StringVar(&p.may, "may-choose", "times,clients", "what the search may `CHOOSE`: times,clients,keys,phases,faults")
	f.StringVar(&p.budget, "budget", "", "simulate at most `N` requests in all trials together, such as 200k; a trial counts as 200 at least; by default enough for 2000 of the largest trials, and 10M at most")
	f.StringVar(&p.requests, "requests", "", "send at most `N` requests in a trial; by default four times the limit and burst together")
	f.StringVar(&p.rate, "rate", "", "send no two requests closer than at `RATE`, such as 300/s; unlimited allows bursts at one instant; by default see above")
	f.IntVar(&p.keys, "keys", 4, "choose from `N` keys, with --may-choose keys")
	f.IntVar(&p.replications, "replications", 1, "make the mean over `N` replications as bad as possible, if the limiter draws random numbers")
	f.IntVar(&p.windows, "windows", 10, "attack for `N` windows of the limit")
	f.Uint64Var(&p.seed, "seed", 1, "seed the search and every random draw with `N`")
	f.IntVar(&p.workers, "workers", 0, "simulate `N` trials at a time instead of one per core; results do not depend on it")
	f.StringVarP(&p.output, "output", "o", "", "write the worst traffic as a scenario `FILE` that run and live can use")
	f.BoolVar(&p.allowExec, "allow-exec", false, "start the programs that the file names under exec:; they run as you, without a sandbox")
}

// ofAlgorithm lists the flags that describe the scenario if no file does, and
// ofFile those that choose from a file.
var (
	ofAlgorithm = []string{"limit", "burst", "clients", "servers", "network", "set"}
	ofFile      = []string{"scenario", "algorithm", "allow-exec"}
)

func (a *app) attackCommand() *cobra.Command {
	var p attacking
	c := &cobra.Command{
		Use:   "attack FILE | SUITE | ALGORITHM",
		Short: "find the traffic that is worst for a limiter",
		Long: `Attack searches for the requests that make a figure of a limiter as bad as
possible. It starts from known patterns, such as a pair of bursts at a boundary,
changes the worst ones, refines their times, and removes the requests that the
figure does not need. Every candidate is simulated, so the limiter really has the
figure. Beside it stands the bound of theory, where there is a closed form.

The limiter is an ALGORITHM by name with a --limit, or one of a scenario FILE,
whose traffic and expectations are then left out. All requests have cost 1. With
-o the worst traffic is a scenario file: run gives the same figure again.

Bursts at one instant are allowed unless there is a --rate. If the limiter admits
every request of the largest burst, as one does that learns of requests only from
reports, bursts tell no more about it. Attack says so and searches again at three
times the limit.

The search knows the random draws of its seed, such as phases of timers. Where
there are any, the figures under ten other seeds stand beside the one found. With
more --replications it depends less on them.`,
		Example: `  limitgauge attack fixed-window --limit 100/s --burst 20 -o worst.yaml
  limitgauge attack batch-reported --limit 100/s --clients 20 --worst over_limit_pct_max
  limitgauge attack scenarios.yaml --scenario "steady 3x" --algorithm remote --may-choose times,faults`,
		Args:              arguments(1, 1),
		ValidArgsFunction: suiteOrFile(1),
	}
	p.flags(c)
	c.RunE = func(c *cobra.Command, args []string) error { return a.attack(c, &p, args[0]) }
	return c
}

func (a *app) attack(c *cobra.Command, p *attacking, name string) error {
	files := a.fileSet()
	files.writes("--output", p.output)
	f, err := p.load(a, c, name, files)
	if err != nil {
		return err
	}
	o, err := p.search(a, c, f)
	if err != nil {
		return err
	}
	bound := p.theory(&f.Scenarios[0], o.Metric.Name)
	o.Bound, o.Bounded = bound.Value, bound.Formula != ""
	found, err := a.searchAttack(c.Context(), f, o)
	if err != nil {
		return err
	}
	if p.rate == "" && found.OneBurst() && found.Admitted == float64(o.Requests) && bound.Formula == "" {
		fmt.Fprintf(a.Out, "unlimited: all %s were admitted, and %s is %s; more --requests can make it worse\n",
			format.Count(o.Requests, "request"), o.Metric.Name, figureText(found.Figure, o.Metric))
		limit := f.Scenarios[0].Policy.Limit
		if err := p.limitRate(&o, f, units.Rate{Count: 3 * limit.Count, Per: limit.Per}); err != nil {
			return err
		}
		if found, err = a.searchAttack(c.Context(), f, o); err != nil {
			return err
		}
	}
	worst, err := attack.File(f, found.Candidate)
	if err != nil {
		return err
	}
	text := append([]byte(attackNote(f, o, found)), worst.Effective()...)
	row, err := a.again(c.Context(), f, text, o)
	if err != nil {
		return err
	}
	if again := row.Summary(o.Metric.Name).Mean; again == nil || *again != found.Figure {
		return fmt.Errorf("the scenario file does not repeat the figure of %v: please report this", found.Figure)
	}
	var others []float64
	if !row.Exact {
		if others, err = attack.Others(c.Context(), f, found.Candidate, o, 10); err != nil {
			return err
		}
	}
	if err := a.showAttack(f, o, found, bound, others); err != nil {
		return err
	}
	if p.output == "" {
		return nil
	}
	return a.writeFile(p.output, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// search returns the options of the search.
func (p *attacking) search(a *app, c *cobra.Command, f *scenarios.File) (o attack.Options, err error) {
	s := &f.Scenarios[0]
	metric := catalog.Find(a.catalog().Metrics, p.worst)
	if metric == nil {
		return o, usagef("--worst: there is no metric %q%s", p.worst, scenarios.Suggest(p.worst, names("metrics")))
	}
	if o.May, err = attack.ParseChoices(p.may); err != nil {
		return o, usagef("--may-choose: %w", err)
	}
	if p.keys < 1 || p.keys > 10_000 {
		return o, usagef("--keys: want 1 to 10000, not %d", p.keys)
	}
	if c.Flags().Changed("keys") && !o.May.Keys {
		return o, usagef("--keys: it needs --may-choose keys")
	}
	o.Metric, o.Keys, o.Seed, o.Workers = *metric, 1, p.seed, p.workers
	if o.May.Keys {
		o.Keys = p.keys
	}
	if p.workers < 0 {
		return o, usagef("--workers: %d is negative", p.workers)
	} else if p.workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Requests = min(mostRequests, 4*(min(s.Policy.Limit.Count, mostRequests)+min(s.Policy.Burst, mostRequests)))
	if p.requests != "" {
		if o.Requests, err = units.ParseCount(p.requests); err != nil || o.Requests < 2 || o.Requests > mostRequests {
			return o, usagef("--requests: want 2 to %d, not %s", mostRequests, p.requests)
		}
	}
	if o.Budget = budgetFor(o.Requests); p.budget != "" {
		if o.Budget, err = units.ParseCount(p.budget); err != nil || o.Budget < 1 {
			return o, usagef("--budget: want a number of requests such as 200k, not %s", p.budget)
		}
	}
	if p.rate != "" && p.rate != "unlimited" {
		rate, err := units.ParseRate(p.rate)
		if err != nil {
			return o, usagef("--rate: %w", err)
		}
		if err := p.limitRate(&o, f, rate); err != nil {
			return o, err
		}
	}
	s.Full = s.Full || metric.Full
	if !slices.Contains(catalog.Headline(), metric.Name) {
		s.Columns = []string{metric.Name}
	}
	o.Sim = sim.Options{Memory: freeMemory(), Programs: a.makeFleet, AllowExec: p.allowExec}
	return o, nil
}

// theory returns the bound of the figure, or the reason why none is known.
func (p *attacking) theory(s *scenarios.Scenario, metric string) catalog.Predicted {
	switch {
	case metric != "burst_excess":
		return catalog.Predicted{Why: "closed forms are for burst_excess alone"}
	case s.Policy.Reference != "token-bucket":
		return catalog.Predicted{Why: "closed forms are for policies whose reference is a token bucket"}
	}
	return limiters.Worst(s)
}

// again loads and runs the text of a scenario file and returns its row.
func (a *app) again(ctx context.Context, f *scenarios.File, text []byte, o attack.Options) (results.Result, error) {
	loaded, problems := scenarios.Load("attack", text, f.Dir, a.catalog())
	if len(problems) > 0 {
		return results.Result{}, &sim.Invalid{Problems: problems}
	}
	return attack.Row(ctx, loaded, o)
}
