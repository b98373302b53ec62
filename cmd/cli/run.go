package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// defaultFile is the scenario file of commands without a file argument.
const defaultFile = "scenarios.yaml"

// defaultPlots is the default directory of plots.
const defaultPlots = "limitgauge-out"

// running holds the flags of every command that simulates.
type running struct {
	seed         uint64
	replications int
	only         int
	until        string
	most         int
	workers      int
	sortMemory   string
	quiet        bool
	yes          bool
	allowExec    bool
	details      detailFlags
	drawn        keyFlags
	hidden       hashFlags

	clock stopwatch
}

func (r *running) flags(c *cobra.Command) {
	r.commonFlags(c)
	f := c.Flags()
	f.IntVar(&r.only, "replication", 0, "run replication `K` alone, such as the worst one of an earlier run")
	f.StringVar(&r.until, "until", "", "add replications until half the 95 % interval of each headline metric is at most `SHARE` (such as 2%) of its mean")
	f.IntVar(&r.most, "max-replications", 1000, "with --until, at most `N` replications")
	f.BoolVar(&r.yes, "yes", false, yesUsage)
}

// commonFlags adds the flags that any number of runs in a row can have.
func (r *running) commonFlags(c *cobra.Command) {
	f := c.Flags()
	f.Uint64Var(&r.seed, "seed", 1, "seed every random draw with `N`, instead of the file's seed")
	f.IntVar(&r.replications, "replications", 0, "run trials that draw random numbers `N` times, instead of the file's number")
	f.IntVar(&r.workers, "workers", 0, "simulate `N` trials at a time instead of one per core; results do not depend on it")
	f.StringVar(&r.sortMemory, "sort-memory", units.FormatSize(logs.DefaultSortMemory),
		"hold and sort the rows of a recorded log in `SIZE` of memory; further rows go to a temporary file")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "print no progress")
	f.BoolVar(&r.allowExec, "allow-exec", false, "start the programs that the file names under exec:; they run as you, without a sandbox")
}

// overrides returns the flags that change a scenario file.
func (r *running) overrides(c *cobra.Command) scenarios.Overrides {
	var o scenarios.Overrides
	if c.Flags().Changed("seed") {
		o.Seed = &r.seed
	}
	if c.Flags().Changed("replications") {
		o.Replications = &r.replications
	}
	return o
}

// precision returns the value of --until, or nil.
func (r *running) precision() (*sim.Until, error) {
	switch {
	case r.only < 0 || r.only > 10000:
		return nil, usagef("--replication: want 1 to 10000, not %d", r.only)
	case r.only > 0 && (r.until != "" || r.replications > 0):
		return nil, usagef("--replication runs one, and goes with neither --replications nor --until")
	}
	if r.until == "" {
		return nil, nil
	}
	width, err := units.ParseFraction(r.until)
	switch {
	case err != nil:
		return nil, usagef("--until: %w", err)
	case width.Num <= 0:
		return nil, usagef("--until: %s is not above 0", r.until)
	case r.most < 2 || r.most > 10000:
		return nil, usagef("--max-replications: want 2 to 10000, not %d", r.most)
	}
	return &sim.Until{Width: width.Float(), Most: r.most, Figures: catalog.Headline()}, nil
}

func (a *app) runCommand() *cobra.Command {
	var r running
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
  limitgauge run scenarios.yaml --scenario "steady 3x" --seed 7 -o results.json
  limitgauge run - --format json --no-plots < scenarios.yaml`,
		Args:              arguments(0, 1),
		ValidArgsFunction: suiteOrFile(1),
	}
	r.flags(c)
	r.details.flags(c)
	r.drawn.flags(c)
	r.hidden.flags(c)
	out.flags(c, defaultPlots)
	c.Flags().StringArrayVar(&only, "scenario", nil, "run only the scenario called `NAME`; may be given again")
	c.RunE = func(c *cobra.Command, args []string) error {
		name := fileArgument(args)
		if err := out.check(); err != nil {
			return err
		}
		files := a.fileSet()
		out.adds(files)
		if err := r.details.check(files); err != nil {
			return err
		}
		files.readsSource("the scenario file", name)
		files.reads("the secret", r.hidden.secret)
		if err := files.check(); err != nil {
			return err
		}
		r.drawn.worst = out.showsTimelines()
		o := r.overrides(c)
		o.Only = only
		src, err := a.readSource(name)
		if err != nil {
			return err
		}
		if err := files.readsLogs(src); err != nil {
			return err
		}
		f, err := a.loadSource(c.Context(), src, o)
		if err != nil {
			return err
		}
		d, err := a.simulate(c.Context(), f, &r, r.rerun(name, o))
		return a.show(c.Context(), d, &out, err)
	}
	return c
}

// fileArgument returns the scenario file of a command.
func fileArgument(args []string) string {
	if len(args) == 0 {
		return defaultFile
	}
	return args[0]
}

// show writes the results of a run, complete or interrupted, and returns the
// error with which the run ended.
func (a *app) show(ctx context.Context, d *results.Document, out *output, ended error) error {
	if d == nil {
		return ended
	}
	if errors.Is(ended, context.Canceled) {
		ended = interruptedError("interrupted: this is what was finished, marked partial")
		ctx = context.WithoutCancel(ctx)
	}
	return errors.Join(out.write(ctx, a, d), ended)
}

// rerun returns the command that makes the same document again.
func (r *running) rerun(name string, o scenarios.Overrides) string {
	words := []string{"limitgauge", "run", format.ShellQuote(name)}
	for _, s := range o.Only {
		words = append(words, "--scenario", format.ShellQuote(s))
	}
	if r.allowExec {
		words = append(words, "--allow-exec")
	}
	if o.Seed != nil {
		words = append(words, fmt.Sprintf("--seed %d", *o.Seed))
	}
	if o.Replications != nil {
		words = append(words, fmt.Sprintf("--replications %d", *o.Replications))
	}
	if r.only > 0 {
		words = append(words, fmt.Sprintf("--replication %d", r.only))
	}
	if r.until != "" {
		words = append(words, "--until", format.ShellQuote(r.until), fmt.Sprintf("--max-replications %d", r.most))
	}
	if r.hidden.on {
		words = append(words, "--hash-keys")
		if r.hidden.secret != "" {
			words = append(words, "--hash-secret", format.ShellQuote(r.hidden.secret))
		}
		return strings.Join(words, " ") // --key has names
	}
	for _, key := range r.drawn.keys {
		words = append(words, "--key", format.ShellQuote(key))
	}
	return strings.Join(words, " ")
}

// sorting returns the value of --sort-memory in bytes.
func (r *running) sorting() (int64, error) {
	bytes, err := units.ParseSize(r.sortMemory)
	switch {
	case err != nil:
		return 0, usagef("--sort-memory: %w", err)
	case bytes < logs.LeastSortMemory:
		return 0, usagef("--sort-memory: want at least %s, not %s", units.FormatSize(logs.LeastSortMemory), r.sortMemory)
	}
	return bytes, nil
}

// stampOf returns the stamp of a document of a file.
func (a *app) stampOf(f *scenarios.File, rerun string) results.Stamp {
	build, stamp := a.buildStamp(), sim.StampOf(f)
	stamp.Version, stamp.Commit, stamp.Rerun = build.version, build.commit, rerun
	return stamp
}

// simulate runs a loaded file. An interrupted run returns an error and a
// document of the finished part.
func (a *app) simulate(ctx context.Context, f *scenarios.File, r *running, rerun string) (*results.Document, error) {
	until, err := r.precision()
	if err != nil {
		return nil, err
	}
	sortMemory, err := r.sorting()
	if err != nil {
		return nil, err
	}
	hash, err := r.hidden.hash()
	if err != nil {
		return nil, err
	}
	note, err := r.details.reporting(f)
	if err != nil {
		return nil, err
	}
	if note != "" && !r.quiet {
		fmt.Fprintf(a.Err, "note: %s\n", note)
	}
	o := sim.Options{
		Until: until, Only: r.only, SortMemory: sortMemory,
		WorstKey: r.drawn.worst, Keys: r.drawn.keys, HashKeys: hash,
		Programs: a.makeFleet, AllowExec: r.allowExec,
		Workers: r.workers, Memory: freeMemory(), Stdin: a.In, Progress: &sim.Progress{}, Started: r.clock.started,
		Stamp: a.stampOf(f, rerun),
	}
	var d *results.Document
	start := time.Now()
	ctx, settle := a.watch(ctx, o.Progress, estimating{yes: r.yes, quiet: r.quiet, more: until != nil})
	err = r.details.open(&o.Details, several(f), func() (err error) {
		stop := a.showProgress(o.Progress, r.quiet)
		defer stop()
		d, err = sim.Run(ctx, f, o)
		return err
	})
	if refused := settle(); refused != nil {
		return nil, refused
	}
	r.clock.run = time.Since(start)
	if files := r.details.files(); errors.Is(err, context.Canceled) && len(files) > 0 {
		fmt.Fprintf(a.Err, "note: interrupted, so not written: %s\n", strings.Join(files, ", "))
	}
	if unknown, ok := errors.AsType[*sim.UnknownKey](err); ok {
		err = usagef("--key: %w", unknown)
	}
	if d != nil && !r.quiet {
		seconds := r.clock.run.Seconds()
		n := o.Progress.Decisions.Load()
		fmt.Fprintf(a.Err, "simulated %s decisions in %.1f s (%s/s)\n", count(float64(n)), seconds, count(float64(n)/seconds))
	}
	return d, err
}
