package workers

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/search/jobs"
)

// working holds the flags of worker.
type working struct {
	Distribution
	slots      int
	idle       string
	sortMemory string
	allowExec  bool
}

// Command returns the command worker.
func Command(h *terminal.Host) *cobra.Command {
	var w working
	c := &cobra.Command{
		Use:   "worker --on SERVER",
		Short: "run the cells and trials of sweep, tune and attack on other machines",
		Long: `Worker takes jobs from a server of NATS JetStream and runs them: cells of
limitgauge sweep, and trials of limitgauge tune and attack, that have --on with the
same server. Start it on as many machines as wanted, before or after those commands.
It runs until it is interrupted, and then gives its jobs back.

Any worker may be killed at any time: another one takes its jobs. All machines must
run the same file of limitgauge-live; other programs are refused.

It connects to this machine only, unless --allow names another host.`,
		Example: `  limitgauge worker --on nats://127.0.0.1:4222
  limitgauge worker --on tls://queue.example.com:4222 --allow queue.example.com --creds worker.creds`,
		Args: usage.Arguments(0, 0),
	}
	f := c.Flags()
	f.StringVar(&w.On, "on", "", "take jobs from `SERVER`, such as nats://127.0.0.1:4222; several with commas for a cluster")
	f.IntVar(&w.slots, "workers", 0, "run `N` jobs at a time instead of one per core")
	f.StringVar(&w.idle, "idle", "", "end when there was no job for `TIME`; without it, wait until interrupted")
	inputs.SortMemoryFlag(c, &w.sortMemory)
	f.BoolVar(&w.allowExec, "allow-exec", false, "start the programs that jobs name under exec:; they run as you, without a sandbox")
	w.connectionFlags(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return worker(h, c, &w) }
	return c
}

// worker runs jobs until it is interrupted.
func worker(h *terminal.Host, c *cobra.Command, w *working) error {
	defer terminal.Calm()()
	if w.On == "" {
		return usage.Errorf("--on is missing: the server whose jobs to run, such as nats://127.0.0.1:4222")
	}
	if w.slots < 0 {
		return usage.Errorf("--workers: %d is negative", w.slots)
	}
	if err := w.Check(h, c); err != nil {
		return err
	}
	w.slots = cmp.Or(w.slots, runtime.GOMAXPROCS(0))
	var idle int64
	if w.idle != "" {
		var err error
		if idle, err = usage.TimeFlag("--idle", w.idle, time.Second, 365*24*time.Hour); err != nil {
			return err
		}
	}
	run, err := (&inputs.Running{SortMemory: w.sortMemory, AllowExec: w.allowExec}).Options(h)
	if err != nil {
		return err
	}
	program, err := program(h)
	if err != nil {
		return err
	}
	runner := &jobs.Runner{
		Catalog: h.Catalog(), Slots: w.slots, Stamp: h.StampOf, Code: usage.ExitCode,
		Run: run,
	}
	err = h.Own.Service.Work(c.Context(), w.Place, program, jobs.Work{Runner: runner, Slots: w.slots, Idle: time.Duration(idle)})
	switch {
	case errors.Is(err, context.Canceled):
		return usage.Interrupted("interrupted: other workers take the jobs that ran here")
	case err != nil:
		return onError(c.Context(), err)
	}
	return nil
}
