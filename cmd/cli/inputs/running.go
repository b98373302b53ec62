package inputs

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim"
)

// Running holds the flags of every command that simulates.
type Running struct {
	Seed         uint64
	replications int
	Sets         []string
	Full         []string // metrics of the full set that are to be shown, and so measured
	Only         int
	until        string
	most         int
	Workers      int
	SortMemory   string
	Quiet        bool
	Yes          bool
	AllowExec    bool
	Details      detailFlags
	Drawn        KeyFlags
	Hidden       HashFlags

	Clock terminal.Stopwatch
}

// Flags adds the flags of a command that runs once.
func (r *Running) Flags(c *cobra.Command) {
	r.CommonFlags(c)
	f := c.Flags()
	f.IntVar(&r.Only, "replication", 0, "run replication `K` alone, such as the worst one of an earlier run")
	f.StringVar(&r.until, "until", "", "add replications until half the 95 % interval of each headline metric is at most `SHARE` (such as 2%) of its mean")
	f.IntVar(&r.most, "max-replications", 1000, "with --until, at most `N` replications")
	f.BoolVar(&r.Yes, "yes", false, terminal.YesUsage)
}

// CommonFlags adds the flags that any number of runs in a row can have.
func (r *Running) CommonFlags(c *cobra.Command) {
	f := c.Flags()
	f.Uint64Var(&r.Seed, "seed", 1, "seed every random draw with `N`, instead of the file's seed")
	f.IntVar(&r.replications, "replications", 0, "run trials that draw random numbers `N` times, instead of the file's number")
	SetFlag(c, &r.Sets)
	f.IntVar(&r.Workers, "workers", 0, "simulate `N` trials at a time instead of one per core; results do not depend on it")
	SortMemoryFlag(c, &r.SortMemory)
	f.BoolVarP(&r.Quiet, "quiet", "q", false, "print no progress")
	f.BoolVar(&r.AllowExec, "allow-exec", false, "start the programs that the file names under exec:; they run as you, without a sandbox")
}

// SetFlag adds the flag of every command that takes a scenario file, or makes one of flags.
func SetFlag(c *cobra.Command, sets *[]string) {
	c.Flags().StringArrayVar(sets, "set", nil, "set a field of each scenario: `PATH=VALUE`, such as policy.limit=500/s or traffic[0].rate=2k/s; ROW.OPTION=VALUE sets an option of a row, such as batch-debt.interval=50ms; faults= leaves the faults out; may be given again")
}

// SortMemoryFlag adds the flag of every command that reads logs.
func SortMemoryFlag(c *cobra.Command, size *string) {
	c.Flags().StringVar(size, "sort-memory", units.FormatSize(logs.DefaultSortMemory),
		"hold and sort the rows of a recorded log in `SIZE` of memory; further rows go to a temporary file")
}

// Overrides returns the flags that change a scenario file.
func (r *Running) Overrides(c *cobra.Command) scenarios.Overrides {
	o := scenarios.Overrides{Sets: r.Sets, Full: r.Full}
	if c.Flags().Changed("seed") {
		o.Seed = &r.Seed
	}
	if c.Flags().Changed("replications") {
		o.Replications = &r.replications
	}
	return o
}

// Precision returns the value of --until, or nil.
func (r *Running) Precision() (*sim.Until, error) {
	switch {
	case r.Only < 0 || r.Only > 10000:
		return nil, usage.Errorf("--replication: want 1 to 10000, not %d", r.Only)
	case r.Only > 0 && (r.until != "" || r.replications > 0):
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

// Sorting returns the value of --sort-memory in bytes.
func (r *Running) Sorting() (int64, error) {
	bytes, err := units.ParseSize(r.SortMemory)
	switch {
	case err != nil:
		return 0, usage.Errorf("--sort-memory: %w", err)
	case bytes < logs.LeastSortMemory:
		return 0, usage.Errorf("--sort-memory: want at least %s, not %s", units.FormatSize(logs.LeastSortMemory), r.SortMemory)
	}
	return bytes, nil
}

// ofRuns are the flags of run and gate that affect a document.
var ofRuns = []string{"scenario", "set", "seed", "replications", "replication", "until", "max-replications", "allow-exec", "hash-keys", "hash-secret"}

// Rerun returns the command that makes the same document again.
func (r *Running) Rerun(c *cobra.Command, name string) string {
	command := CommandLine(c, "run", []string{name}, func(flag string) bool {
		return slices.Contains(ofRuns, flag) || flag == "key" && !r.Hidden.on // they are names
	})
	if len(r.Full) > 0 {
		command += " --columns " + strings.Join(r.Full, ",")
	}
	return command
}

// CommandLine writes a command with its arguments and, of the given flags, those that it
// keeps, in the order of their declarations.
func CommandLine(c *cobra.Command, command string, args []string, keep func(flag string) bool) string {
	words := append([]string{"limitgauge", command}, lists.Map(args, format.ShellQuote)...)
	c.Flags().VisitAll(func(f *pflag.Flag) {
		list, isList := f.Value.(pflag.SliceValue)
		switch {
		case !f.Changed || !keep(f.Name):
		case isList:
			words = append(words, Repeated("--"+f.Name, list.GetSlice())...)
		case f.Value.Type() != "bool":
			words = append(words, "--"+f.Name, format.ShellQuote(f.Value.String()))
		case f.Value.String() == "true":
			words = append(words, "--"+f.Name)
		}
	})
	return strings.Join(words, " ")
}

// Repeated returns a flag with each of its values, as words of a shell.
func Repeated(flag string, values []string) (words []string) {
	for _, v := range values {
		words = append(words, flag, format.ShellQuote(v))
	}
	return words
}
