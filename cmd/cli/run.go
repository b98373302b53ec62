package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// defaultPlots is the default directory of plots.
const defaultPlots = "limitgauge-out"

func (a *app) runCommand() *cobra.Command {
	var r inputs.Running
	var out output
	var only []string
	c := &cobra.Command{
		Use:   "run [FILE | SUITE | -]",
		Short: "simulate a scenario file and compare its limiters",
		Long: `Run simulates every scenario of a file and prints one table per scenario, with the
exact reference first. FILE defaults to scenarios.yaml; a SUITE is a file that ships
with the program (limitgauge list scenarios).

With several keys the timeline shows the key that is furthest over its limit;
--key adds the timeline of any other.

Thresholds under expect: are marked in the tables; only limitgauge gate turns
them into an exit code.`,
		Example: `  limitgauge run scenarios.yaml
  limitgauge run limits.yaml --scenario "steady 3x" --seed 7 -o results.json
  limitgauge run scenarios.yaml --set policy.limit=500/s --set batch-reported.interval=50ms
  limitgauge run - --format json --no-plots < scenarios.yaml`,
		Args:              usage.Arguments(0, 1),
		ValidArgsFunction: suiteOrFile(1),
	}
	r.Flags(c)
	r.Details.Flags(c)
	r.Drawn.Flags(c)
	r.Hidden.Flags(c)
	out.flags(c, defaultPlots)
	c.Flags().StringArrayVar(&only, "scenario", nil, "run only the scenario called `NAME`; may be given again")
	c.RunE = func(c *cobra.Command, args []string) error {
		name := inputs.FileArgument(args)
		files, err := inputs.Claim(a.Host, &r, out.Adds, r.Details.Adds, inputs.Scenarios("the scenario file", name))
		if err == nil {
			err = files.Open(name)
		}
		if err != nil {
			return err
		}
		r.Drawn.Worst = out.showsTimelines()
		r.Full = full(out.columns)
		o := r.Overrides(c)
		o.Only = only
		f, err := files.Scenarios(c.Context(), o)
		if err != nil {
			return err
		}
		d, err := a.simulate(c.Context(), f, &r, r.Rerun(c, name))
		return a.show(c.Context(), d, &out, err)
	}
	return c
}

// show writes the results of a run, complete or interrupted, and returns the
// error with which the run ended.
func (a *app) show(ctx context.Context, d *results.Document, out *output, ended error) error {
	if d == nil {
		return ended
	}
	if errors.Is(ended, context.Canceled) {
		ended = usage.Interrupted("interrupted: this is what was finished, marked partial")
		ctx = context.WithoutCancel(ctx)
	}
	return errors.Join(out.write(ctx, a, d), ended)
}

// simulate runs a loaded file. An interrupted run returns an error and a
// document of the finished part.
func (a *app) simulate(ctx context.Context, f *scenarios.File, r *inputs.Running, rerun string) (*results.Document, error) {
	until, err := r.Precision()
	if err != nil {
		return nil, err
	}
	o, err := r.Options(a.Host)
	if err != nil {
		return nil, err
	}
	hash, err := r.Hidden.Hash()
	if err != nil {
		return nil, err
	}
	if err := r.Details.Reporting(f); err != nil {
		return nil, err
	}
	o.Until, o.Only = until, r.Only
	o.WorstKey, o.Keys, o.HashKeys = r.Drawn.Worst, r.Drawn.Keys, hash
	o.Workers, o.Stdin, o.Progress, o.Started = r.Workers, a.In, &sim.Progress{}, r.Clock.Started
	o.Stamp = a.StampOf(f, rerun)
	var d *results.Document
	start := time.Now()
	ctx, settle := a.Watch(ctx, o.Progress, terminal.Estimating{Yes: r.Yes, Quiet: r.Quiet, More: until != nil})
	err = r.Details.Open(&o.Details, inputs.Several(f), func() (err error) {
		stop := a.ShowRun(o.Progress, r.Quiet)
		defer stop()
		d, err = sim.Run(ctx, f, o)
		return err
	})
	if refused := settle(); refused != nil {
		return nil, refused
	}
	r.Clock.Run = time.Since(start)
	if files := r.Details.Files(); errors.Is(err, context.Canceled) && len(files) > 0 {
		fmt.Fprintf(a.Err, "note: interrupted, so not written: %s\n", strings.Join(files, ", "))
	}
	if unknown, ok := errors.AsType[*sim.UnknownKey](err); ok {
		err = usage.Errorf("--key: %w", unknown)
	}
	if d != nil && !r.Quiet {
		seconds := r.Clock.Run.Seconds()
		n := o.Progress.Decisions.Load()
		fmt.Fprintf(a.Err, "simulated %s decisions in %.1f s (%s/s)\n", terminal.Count(float64(n)), seconds, terminal.Count(float64(n)/seconds))
	}
	return d, err
}
