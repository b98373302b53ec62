package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/cmd/cli/workers"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/attack"
	"github.com/limitgauge/limitgauge/search/attack/answer"
)

// mostRequests is the largest number of requests of a trial.
const mostRequests = 1_000_000

// defaultGoals lists the metrics that attack makes as bad as possible: too much at
// once, too much in the long run, and too little.
const defaultGoals = "burst_excess,accumulated_excess,false_reject_pct"

// attacking holds the flags of attack.
type attacking struct {
	described              setting // if an algorithm is named
	scenario, algorithm    string
	worst, may             string
	budget, requests, rate string
	keys, windows, workers int
	replications           int
	seed                   uint64
	output                 string
	allowExec              bool
	on                     workers.Distribution
}

func (p *attacking) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.described.limit, "limit", "", "the `LIMIT` that the algorithm enforces, such as 100/s")
	p.described.limiterFlags(c, 4)
	inputs.SetFlag(c, &p.described.sets)
	f.StringVar(&p.scenario, "scenario", "", "attack the scenario called `NAME` of the file")
	f.StringVar(&p.algorithm, "algorithm", "", "attack the algorithm called `NAME` of the file")
	f.StringVar(&p.worst, "worst", defaultGoals, "make each `METRIC` as bad as possible, one after the other")
	f.StringVar(&p.may, "may-choose", "times,clients,keys", "what the search may `CHOOSE`: times,clients,keys,costs,phases,faults")
	f.StringVar(&p.budget, "budget", "", "begin no more trials after `N` requests in all together, such as 200k; 16 trials begin at a time, and each counts as 200 at least; by default enough for 2000 of the largest trials, and 10M at most, for a program under exec: for 500 trials")
	f.StringVar(&p.requests, "requests", "", "send at most `N` requests in a trial; by default four times the limit and burst together")
	f.StringVar(&p.rate, "rate", "", "send no two requests closer than at `RATE`, such as 300/s; unlimited allows bursts at one instant; by default see above")
	f.IntVar(&p.keys, "keys", 4, "choose from `N` keys, with --may-choose keys")
	f.IntVar(&p.replications, "replications", 1, "make the mean over `N` replications as bad as possible, if the limiter draws random numbers")
	f.IntVar(&p.windows, "windows", 0, "attack for `N` windows of the limit; by default 10, and as many more as a minute needs")
	f.Uint64Var(&p.seed, "seed", 1, "seed the search and every random draw with `N`")
	f.IntVar(&p.workers, "workers", 0, "simulate `N` trials at a time instead of one per core; results do not depend on it")
	f.StringVarP(&p.output, "output", "o", "", "write the worst traffic as a scenario `FILE` that run and live can use")
	f.BoolVar(&p.allowExec, "allow-exec", false, "start the programs that the file names under exec:; they run as you, without a sandbox")
	p.on.Flags(c, "long trials")
}

// ofAlgorithm lists the flags that describe the scenario if no file does, and
// ofFile those that choose from a file.
var (
	ofAlgorithm = []string{"limit", "burst", "clients", "servers", "network"}
	ofFile      = []string{"scenario", "algorithm", "allow-exec"}
)

func (a *app) attackCommand() *cobra.Command {
	var p attacking
	c := &cobra.Command{
		Use:   "attack FILE | SUITE | ALGORITHM",
		Short: "find the traffic that is worst for a limiter",
		Long: `Attack searches for the requests that make figures of a limiter as bad as
possible: how much it admits too much at once and in the long run, and how much it
refuses wrongly, unless --worst names other metrics. It starts from known patterns, such as a pair of bursts at a boundary,
changes the worst ones, refines their times, and removes the requests that the
figure does not need. Every candidate is simulated, so the limiter really has the
figure. Beside it stands the bound of theory, where there is a closed form.

The limiter is an ALGORITHM by name with a --limit, or one of a scenario FILE,
whose traffic and expectations are then left out. Requests cost 1 unless the search
may choose costs. With -o the worst traffic is a scenario file, with a scenario for
each figure: run gives the same figures again.

Bursts at one instant are allowed unless there is a --rate. If the limiter admits
every request of the largest burst at any time, as one does that learns of requests
only from reports, bursts tell no more about it. Attack says so and searches at three
times the limit.

Ctrl-C ends the search; the worst so far is printed and written.

The search knows the random draws of its seed, such as phases of timers. Where
there are any, the figures under ten other seeds stand beside the one found. With
more --replications it depends less on them.`,
		Example: `  limitgauge attack fixed-window --limit 100/s --burst 20 -o worst.yaml
  limitgauge attack batch-reported --limit 100/s --clients 20 --worst over_limit_pct_max
  limitgauge attack limits.yaml --scenario "steady 3x" --algorithm remote --may-choose times,faults`,
		Args:              usage.Arguments(1, 1),
		ValidArgsFunction: suiteOrFile(1),
	}
	p.flags(c)
	c.RunE = func(c *cobra.Command, args []string) error { return a.attack(c, &p, args[0]) }
	return c
}

func (a *app) attack(c *cobra.Command, p *attacking, name string) error {
	defer terminal.Calm()()
	files := inputs.NewFileSet(a.Host)
	files.Writes("--output", p.output)
	if err := cmp.Or(besideAnswer("--output", p.output), p.on.Check(a.Host, c)); err != nil {
		return err
	}
	f, err := p.load(a, c, name, files)
	if err != nil {
		return err
	}
	o, err := p.search(a, c, f)
	if err != nil {
		return err
	}
	reasons := p.theory(&f.Scenarios[0], &o)
	if p.rate == "" && !o.Goals[0].Bounded {
		if err := a.limitIfUnlimited(c.Context(), p, f, &o); err != nil {
			return err
		}
	}
	o.Elsewhere = p.on.Join(a.Host, "attack", f, startsPrograms(f), func(int) {})
	defer o.Close()
	found, err := a.searchAttack(c.Context(), f, o)
	if err != nil {
		return err
	}
	o.Finish()
	text, err := answer.File(f, o, found)
	if err != nil {
		return err
	}
	if err := answer.Show(context.WithoutCancel(c.Context()), a.Out, a.Width(a.Out), f, o, found, reasons); err != nil {
		return err
	}
	var ended error
	if found.Interrupted {
		ended = usage.Interrupted("interrupted: this is the worst so far; with more time it may be worse")
	}
	if p.output == "" {
		return ended
	}
	a.noteElsewhere(p.output, text, f)
	return errors.Join(a.writeFile(p.output, whole(text)), ended)
}

// limitIfUnlimited sets a least distance of requests if the limiter admits all
// requests of the largest burst.
func (a *app) limitIfUnlimited(ctx context.Context, p *attacking, f *scenarios.File, o *attack.Options) error {
	unlimited, err := attack.Unlimited(ctx, f, *o)
	if err != nil || !unlimited {
		return err
	}
	limit := f.Scenarios[0].Policy.Limit
	fmt.Fprintf(a.Out, "unlimited: all %s of a burst at one instant are admitted; searched at three times the limit instead\n", format.Count(o.Requests, "request"))
	return p.limitRate(o, f, units.Rate{Count: 3 * limit.Count, Per: limit.Per})
}

// searchAttack runs a search and shows its progress if it takes long.
func (a *app) searchAttack(ctx context.Context, f *scenarios.File, o attack.Options) (*attack.Result, error) {
	o.Progress = &attack.Progress{}
	stop := a.Show(5*time.Second, func(time.Duration) terminal.Moment {
		used := o.Progress.Used.Load()
		return terminal.Moment{Share: min(1, float64(used)/float64(o.Budget)), Text: format.Count(o.Progress.Trials.Load(), "trial")}
	})
	defer stop()
	return attack.Run(ctx, f, o)
}
