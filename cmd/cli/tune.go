package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/cmd/cli/workers"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/answer"
	"github.com/limitgauge/limitgauge/search/sweep"
	"github.com/limitgauge/limitgauge/search/tune"
	"github.com/limitgauge/limitgauge/search/tune/candidates"
	"github.com/limitgauge/limitgauge/search/tune/search"
	"github.com/limitgauge/limitgauge/sim"
)

// tuneFlags holds the flags of tune.
type tuneFlags struct {
	inputs.Running
	described  setting // if an algorithm is named
	named      bool    // one is, instead of a file
	alone      bool    // each option of it is changed alone
	promises   []string
	least      string
	vary       []string
	scenarios  []string
	algorithms []string
	budget     string
	on         workers.Distribution
	out        output
}

func (a *app) tuneCommand() *cobra.Command {
	var t tuneFlags
	c := &cobra.Command{
		Use:   "tune [FILE | SUITE | ALGORITHM | -]",
		Short: "find the cheapest setting that keeps a promise",
		Long: `Tune searches the combinations of the values of some axes, as sweep runs them, for
the one with the least of a metric that keeps a promise: thresholds given by
--promise, or else those under expect: of the algorithm. Axes are those under vary:
in the scenario or given by --vary. Each algorithm of the scenario is tried, unless
--algorithm chooses.

One setting serves all scenarios of the file: it keeps the promise in each, and its
cost is the mean of them, or with --least 'worst METRIC' that of the dearest one. An
axis of a definition counts in each scenario that uses the definition. --scenario
chooses.

Of an ALGORITHM by name with a --limit, and of scenarios without axes, tune changes
one option at a time: it finds the cheapest value of each option that keeps the promise
alone, and of all of them the cheapest. For an algorithm by name, figures are those of
the steady state, after three windows; the promise is at most 5 % over-limit and
under-admission, and the cost is server_calls_per_s, unless flags say otherwise.

The search looks at single replications of the file's seed. Then fresh seeds
decide: the answer keeps the promise on at least 95 of 100 of them, each a run with
the file's replications. It prints the values as YAML, their cost, what the next
cheaper setting breaks, and how sure that is.

The exit code is 3 if no setting keeps the promise, and 4 if that is not known.`,
		Example: `  limitgauge tune limits.yaml --promise 'over_limit_pct <= 5' --least server_calls_per_s
  limitgauge tune limits.yaml --least server_calls_per_s -o tuned.yaml
  limitgauge tune limits.yaml --promise 'wait_p99_ms <= 5' --least over_limit_pct \
    --vary batch.interval=20ms..500ms:30:log --algorithm batch
  limitgauge tune batch-reported --limit 1000/s --rate 3000/s --clients 20`,
		Args:              usage.Arguments(0, 1),
		ValidArgsFunction: upTo(1, func() []cobra.Completion { return append(suites(), a.words("algorithms")()...) }, cobra.ShellCompDirectiveDefault),
	}
	f := c.Flags()
	t.Running.CommonFlags(c)
	t.described.flags(c)
	f.StringArrayVar(&t.promises, "promise", nil, "keep this `THRESHOLD`, such as 'over_limit_pct <= 5'; may be given again; by default those under expect: of the algorithm")
	f.StringVar(&t.least, "least", "", "make the `METRIC` as small as possible, such as server_calls_per_s: the mean of the scenarios, or with 'worst METRIC' the largest; required for a file")
	f.StringArrayVar(&t.vary, "vary", nil, "vary a setting: `AXIS=VALUES`, as sweep does; may be given again")
	f.StringArrayVar(&t.scenarios, "scenario", nil, "tune only the scenario called `NAME`; may be given again")
	f.StringArrayVar(&t.algorithms, "algorithm", nil, "try only the algorithm called `NAME`; may be given again")
	f.StringVar(&t.budget, "budget", "", "make at most `N` runs, of one replication in one scenario each, such as 20k; by default a fifth of those of all settings on 100 seeds, and at least 400 seeds of one")
	t.on.Flags(c, "long trials")
	t.out.fileFlags(c, "answer", "table", "markdown", "csv", "json", "yaml")
	f.StringVar(&t.out.plots, "plots", defaultPlots, "draw the front as a PNG plot into `DIR`")
	f.BoolVar(&t.out.noPlots, "no-plots", false, "draw no plot")
	c.RunE = func(c *cobra.Command, args []string) error { return a.tune(c, &t, args) }
	return c
}

// tune searches and shows the answer.
func (a *app) tune(c *cobra.Command, t *tuneFlags, args []string) error {
	defer terminal.Calm()()
	name := inputs.FileArgument(args)
	budget, err := t.check(a, c, name)
	if err != nil {
		return err
	}
	read := inputs.Scenarios("the scenario file", name)
	if t.named {
		read = inputs.Names("") // no file
	}
	files, err := inputs.Claim(a.Host, &t.Running, t.out.Adds, read)
	if err != nil {
		return err
	}
	if err := t.on.Check(a.Host, c); err != nil {
		return err
	}
	if files.Source, err = t.source(a, c, name); err != nil {
		return err
	}
	if err := files.CheckLogs(); err != nil {
		return err
	}
	run, err := t.Options(a.Host)
	if err != nil {
		return err
	}
	parts, err := t.grid(a, c, files, run)
	if err != nil {
		return err
	}
	q, err := t.question(a, parts)
	if err != nil {
		return err
	}
	grid := parts.grid
	if !t.Quiet {
		a.noteConditions(grid)
	}
	q.Workers, q.Run, q.Free = t.Workers, run, t.alone
	q.Elsewhere = t.on.Join(a.Host, "tune", grid.File, startsPrograms(grid.File), func(int) {})
	defer q.Close()
	found, set, err := a.searchTune(c.Context(), parts, q, budget, t)
	if errors.Is(err, context.Canceled) {
		return usage.Interrupted("interrupted: nothing is written")
	}
	if err != nil {
		return err
	}
	defer set.Close()
	d := t.document(a, parts, q, rerunOf(c, "tune", args, append(workers.OnFlags, "no-plots", "workers")...))
	if err := tune.Complete(d, found, set); err != nil {
		return err
	}
	if err := a.showTuned(d, &t.out, parts.grid.File); err != nil {
		return err
	}
	q.Finish()
	return nil
}

// check checks the flags and returns the budget, 0 unless it is given.
func (t *tuneFlags) check(a *app, c *cobra.Command, name string) (budget int64, err error) {
	if err := t.names(a, c, name); err != nil {
		return 0, err
	}
	if t.budget != "" {
		if budget, err = units.ParseCount(t.budget); err != nil || budget < 1 {
			return 0, usage.Errorf("--budget: want a number of runs such as 20k, not %s", t.budget)
		}
	}
	return budget, nil
}

// searchTune checks all cells, and searches. Close the candidates at the end.
func (a *app) searchTune(ctx context.Context, parts *tunedParts, q candidates.Options, budget int64, t *tuneFlags) (*search.Found, *candidates.Set, error) {
	checked, progress := &sweep.Progress{}, &search.Progress{}
	if !t.Quiet {
		defer a.showTuning(checked, progress)()
	}
	if !t.alone { // those that are alone are sound
		problems, err := sweep.Check(ctx, parts.checked, sweep.Options{Workers: q.Workers, Run: q.Run, Progress: checked})
		if len(problems) > 0 {
			err = &sim.Invalid{Problems: problems}
		}
		if err != nil {
			return nil, nil, err
		}
	}
	set, err := candidates.New(ctx, parts.grid, q)
	if err != nil {
		return nil, nil, err
	}
	o := search.Options{Families: len(q.Algorithms), Same: set.Same, Replications: set.Replications(), Scenarios: q.Scenarios, Budget: budget, Progress: progress,
		Axes: lists.Map(parts.axes(), func(axis scenarios.Axis) int { return len(axis.Values) })}
	if t.alone {
		o.Parts, o.Axes = o.Axes, []int{parts.grid.Len() / q.Scenarios}
	}
	found, err := search.Run(ctx, set, o)
	if err != nil {
		set.Close()
		return nil, nil, err
	}
	return found, set, nil
}

// document returns the part of the document that is known before the search.
func (t *tuneFlags) document(a *app, parts *tunedParts, q candidates.Options, rerun string) *tune.Document {
	d := &tune.Document{
		Head: answer.NewHead("tune", a.BuildStamp().Version, rerun), ScenarioFile: parts.grid.File.Path,
		Seed: parts.scenarios()[0].Seed, Least: tune.Metric{Name: q.Least, Unit: metricUnit(a, q.Least)}, Cost: tune.Mean,
	}
	if q.Worst {
		d.Cost = tune.Worst
	}
	if t.named {
		d.ScenarioFile = ""
	}
	for _, s := range parts.scenarios() {
		d.Scenarios = append(d.Scenarios, s.Name)
		d.Replications = max(d.Replications, s.Replications)
	}
	if d.Scenario = strings.Join(d.Scenarios, ", "); len(d.Scenarios) > 1 && len(d.Scenario) > 60 {
		d.Scenario = format.Count(len(d.Scenarios), "scenario")
	}
	for _, name := range q.Algorithms {
		for _, s := range parts.scenarios() {
			for _, e := range q.Promises[s.Name][name] {
				d.Promises = append(d.Promises, tune.Promise{Algorithm: name, Metric: e.Metric, Op: e.Op, Threshold: e.Threshold, Scenario: s.Name})
			}
		}
	}
	d.Axes = lists.Map(parts.axes(), sweep.Axis)
	return d
}
