package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/cmd/cli/workers"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/sweep"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// sweeping holds the flags of sweep.
type sweeping struct {
	inputs.Running
	vary    []string
	only    []string
	shard   string
	cache   string
	most    string // --cache-size
	noCache bool
	on      workers.Distribution
	out     output
}

func (a *app) sweepCommand() *cobra.Command {
	var w sweeping
	c := &cobra.Command{
		Use:   "sweep [FILE | SUITE | -]",
		Short: "run a scenario file with every combination of some settings",
		Long: `Sweep runs each scenario of a file once for each combination of the values of its
axes: a cell. An axis is a setting and its values, under vary: in the scenario or
given by --vary. All cells have the same seed and the same names, so they differ by
their settings alone.

The document of a cell is what limitgauge run gives for the file with these values.
Documents are kept in a cache. A sweep that was stopped goes on where it stopped,
and a sweep with more values runs only the new cells.`,
		Example: `  limitgauge sweep limits.yaml -o sweep.json --html sweep.html
  limitgauge sweep limits.yaml --vary batch.interval=50ms,100ms,200ms
  limitgauge sweep limits.yaml --vary 'traffic[0].rate=500/s..10k/s:12:log' --format csv
  limitgauge sweep limits.yaml --shard 2/4 -o part-2.json`,
		Args:              usage.Arguments(0, 1),
		ValidArgsFunction: suiteOrFile(1),
	}
	f := c.Flags()
	w.Running.CommonFlags(c)
	f.StringArrayVar(&w.vary, "vary", nil, "vary a setting: `AXIS=VALUES`, where AXIS is an axis of the file or the path of a setting, and VALUES is a list V,V,... or FROM..TO:STEPS[:log]; may be given again")
	f.StringArrayVar(&w.only, "scenario", nil, "sweep only the scenario called `NAME`; may be given again")
	f.StringVar(&w.shard, "shard", "", "run only the cells of part `I/N`, such as 2/4; limitgauge merge joins the documents of all parts")
	f.StringVar(&w.cache, "cache", "", "keep the documents of cells in `DIR`, instead of limitgauge/cells in the folder for caches of the user")
	f.StringVar(&w.most, "cache-size", "5GiB", "at the end, remove the documents that were not used for the longest time, until the cache takes at most `SIZE`; those used within a day stay")
	f.BoolVar(&w.noCache, "no-cache", false, "take no document from a cache, and keep none")
	w.on.Flags(c, "the cells")
	w.out.flags(c, defaultPlots)
	c.RunE = func(c *cobra.Command, args []string) error { return a.sweep(c, &w, inputs.FileArgument(args)) }
	return c
}

// ofSweeps are the flags that affect the document of all shards.
var ofSweeps = []string{"scenario", "vary", "set", "seed", "replications", "allow-exec"}

// sweep runs a sweep and shows it.
func (a *app) sweep(c *cobra.Command, w *sweeping, name string) error {
	defer terminal.Calm()()
	shard, err := results.ParseShard(w.shard)
	if err != nil {
		return usage.Errorf("--shard: %w", err)
	}
	if w.noCache && w.cache != "" {
		return usage.Errorf("--cache and --no-cache exclude each other")
	}
	files, err := inputs.Claim(a.Host, &w.Running, w.out.Adds, inputs.Scenarios("the scenario file", name))
	if err != nil {
		return err
	}
	if err := w.on.Check(a.Host, c); err != nil {
		return err
	}
	if err := files.Open(name); err != nil {
		return err
	}
	w.Full = full(w.out.columns)
	o := w.Overrides(c)
	o.Only = w.only
	grid, err := files.Grid(w.vary, o)
	if err != nil {
		return err
	}
	if shard.I > grid.Len() {
		return usage.Errorf("--shard %s: it is empty, because there are only %s", w.shard, format.Count(grid.Len(), "cell"))
	}
	run, err := w.Options(a.Host)
	if err != nil {
		return err
	}
	cache, err := w.openCache(a, grid.File)
	if err != nil {
		return err
	}
	kept := cache != nil
	if kept {
		defer cache.Close()
	}
	program, err := workers.ProgramHash()
	if err != nil {
		return err
	}
	shown := newShownSweep(&w.out)
	rerunCell := "limitgauge run -"
	if w.AllowExec {
		rerunCell += " --allow-exec"
	}
	options := sweep.Options{
		Workers: w.Workers, Shard: shard, Cache: cache, Program: program, Progress: &sweep.Progress{},
		Run: run, Rerun: rerunCell,
		Stamp: func(f *scenarios.File) results.Stamp { return a.StampOf(f, rerunCell) },
		Keep:  shown.keep,
		Unkept: func(err error) {
			kept = false
			fmt.Fprintf(a.Err, "note: documents that the cache cannot take stay in memory until the end of the sweep: %v\n", err)
		},
	}
	if w.on.On != "" {
		options.Run.Memory = 0 // workers have memory of their own
	}
	options.Elsewhere = w.on.Join(a.Host, "sweep "+w.shard, grid.File, startsPrograms(grid.File), func(n int) { options.Progress.Workers.Store(int64(n)) })
	defer options.Close()
	start := time.Now()
	stop := a.ShowSweep(options.Progress, w.Quiet)
	s, problems, err := sweep.Prepare(c.Context(), grid, options)
	if err != nil || len(problems) > 0 {
		stop()
		if err == nil {
			err = &sim.Invalid{Problems: problems}
		}
		return err
	}
	defer s.Close()
	runErr := s.Run(c.Context())
	stop()
	if !w.Quiet {
		fmt.Fprintln(a.Err, summary(s, options.Progress, time.Since(start)))
	}
	ctx := c.Context()
	if errors.Is(runErr, context.Canceled) {
		runErr = usage.Interrupted("interrupted: this is what was finished, marked partial")
		if kept {
			runErr = usage.Interrupted("interrupted: this is what was finished, marked partial; the same command goes on")
		}
		ctx = context.WithoutCancel(ctx)
	} else if runErr != nil {
		return runErr
	}
	rerun := inputs.CommandLine(c, "sweep", []string{name}, func(flag string) bool { return slices.Contains(ofSweeps, flag) })
	shown.set(s.Head(a.StampOf(grid.File, rerun)), s.Each, s.Write)
	err = errors.Join(shown.show(ctx, a), runErr)
	if err == nil {
		options.Finish()
	}
	return err
}

// summary says how many cells ran and how many came from the cache.
func summary(s *sweep.Sweep, p *sweep.Progress, taken time.Duration) string {
	all, _ := s.Cells()
	text := fmt.Sprintf("%s: %d from the cache, %d run in %.1f s", format.Count(all, "cell"), p.Cached.Load(), p.Ran.Load(), taken.Seconds())
	if left := int64(all) - p.Cached.Load() - p.Ran.Load(); left > 0 {
		text += fmt.Sprintf(", %d not run", left)
	}
	return text
}
