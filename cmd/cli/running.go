package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim"
)

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

	clock terminal.Stopwatch
}

func (r *running) flags(c *cobra.Command) {
	r.commonFlags(c)
	f := c.Flags()
	f.IntVar(&r.only, "replication", 0, "run replication `K` alone, such as the worst one of an earlier run")
	f.StringVar(&r.until, "until", "", "add replications until half the 95 % interval of each headline metric is at most `SHARE` (such as 2%) of its mean")
	f.IntVar(&r.most, "max-replications", 1000, "with --until, at most `N` replications")
	f.BoolVar(&r.yes, "yes", false, terminal.YesUsage)
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
		return nil, usage.Errorf("--replication: want 1 to 10000, not %d", r.only)
	case r.only > 0 && (r.until != "" || r.replications > 0):
		return nil, usage.Errorf("--replication runs one, and goes with neither --replications nor --until")
	}
	if r.until == "" {
		return nil, nil
	}
	width, err := units.ParseFraction(r.until)
	switch {
	case err != nil:
		return nil, usage.Errorf("--until: %w", err)
	case width.Num <= 0:
		return nil, usage.Errorf("--until: %s is not above 0", r.until)
	case r.most < 2 || r.most > 10000:
		return nil, usage.Errorf("--max-replications: want 2 to 10000, not %d", r.most)
	}
	return &sim.Until{Width: width.Float(), Most: r.most, Figures: catalog.Headline()}, nil
}

// sorting returns the value of --sort-memory in bytes.
func (r *running) sorting() (int64, error) {
	bytes, err := units.ParseSize(r.sortMemory)
	switch {
	case err != nil:
		return 0, usage.Errorf("--sort-memory: %w", err)
	case bytes < logs.LeastSortMemory:
		return 0, usage.Errorf("--sort-memory: want at least %s, not %s", units.FormatSize(logs.LeastSortMemory), r.sortMemory)
	}
	return bytes, nil
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
