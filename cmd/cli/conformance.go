package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/gauge/conformance"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/outside/process"
)

func (a *app) conformanceCommand() *cobra.Command {
	var line, as, tolerance, timeout string
	var backwards bool
	command := process.Command{}
	o := conformance.Options{}
	c := &cobra.Command{
		Use:   "conformance --exec COMMAND --as COUNTER",
		Short: "compare a limiter in another program with a counter, call by call",
		Long: `Run a limiter that is another program through step tables and random sessions,
and compare each verdict with that of a counter. The calls are placed where the
verdicts of the counter change: at the instant of a refill, 1 ns before and after
it, at the edges of windows, after idle times, with costs up to 10^9 and odd keys.
Larger numbers are tried last. An integer that overflows there is a finding of its
own, which does not change the exit code.

The command prints the first difference with the fewest calls that show it. The
protocol of the program is described in docs/exec.md. A new process is started for
each table and session. The counter has its default options; leaky-bucket and
nginx-limit-req dispatch what they admit at once, as with nodelay.

Verdicts must be equal. With --tolerance, the counter may decide a call at another
instant, at most that time from the call's own, and goes on from there.

Exit code 3 means that the limiter decides differently, 4 that its program failed.`,
		Example: `  limitgauge conformance --exec 'python3 limiter.py' --as token-bucket
  limitgauge conformance --exec ./limiter --as gcra --tolerance 1us`,
		Args: usage.Arguments(0, 0),
	}
	f := c.Flags()
	f.StringVar(&line, "exec", "", "the limiter's program and its arguments, as one `COMMAND` without variables")
	f.StringVar(&as, "as", "", "the `COUNTER` to compare with: "+strings.Join(conformance.Counters(), ", "))
	f.StringVar(&tolerance, "tolerance", "0s", "`TIME` by which the instant of a call may be moved, up to 1s")
	f.IntVar(&o.Sessions, "sessions", conformance.DefaultSessions, "`NUMBER` of random sessions, 0 to 1000000")
	f.Uint64Var(&o.Seed, "seed", 1, "`SEED` of the random sessions")
	f.StringVar(&timeout, "timeout", units.FormatDuration(int64(process.DefaultTimeout)), "longest `TIME` without an answer of the program, from 1ms to 1h")
	f.BoolVar(&backwards, "backwards", false, "also set the clock back (default: only without a tolerance)")
	c.RegisterFlagCompletionFunc("as", fixed(conformance.Counters()))
	c.RunE = func(c *cobra.Command, _ []string) error {
		var err error
		switch {
		case line == "":
			return usage.Errorf("--exec is missing: the limiter's program, such as --exec 'python3 limiter.py'")
		case as == "":
			return usage.Errorf("--as is missing: want one of %s", strings.Join(conformance.Counters(), ", "))
		case !slices.Contains(conformance.Counters(), as):
			return usage.Errorf("--as: %w%s", conformance.UnknownCounter(as), scenarios.Suggest(as, conformance.Counters()))
		case o.Sessions < 0 || o.Sessions > 1e6:
			return usage.Errorf("--sessions %d: want 0 to 1000000", o.Sessions)
		}
		if command.Args, err = inputs.CommandWords("--exec", line); err != nil {
			return err
		}
		if o.ToleranceNs, err = usage.TimeFlag("--tolerance", tolerance, 0, time.Second); err != nil {
			return err
		}
		limit, err := usage.TimeFlag("--timeout", timeout, time.Millisecond, time.Hour)
		if err != nil {
			return err
		}
		command.Timeout, o.Backwards = time.Duration(limit), o.ToleranceNs == 0
		if c.Flags().Changed("backwards") {
			o.Backwards = backwards
		}
		r, err := conformance.Check(c.Context(), as, runProgram(c.Context(), command, o.Seed), o)
		if err != nil {
			return err
		}
		if err := r.Write(a.Out); err != nil {
			return err
		}
		if r.Difference != nil {
			return usage.Code(usage.ExitGateFailed)
		}
		return nil
	}
	return c
}

// runProgram returns a maker of limiters, each a new process.
func runProgram(ctx context.Context, command process.Command, seed uint64) conformance.Maker {
	return func(p conformance.Policy) (outside.Fleet, error) {
		return process.Start(ctx, command, process.First{LimitTokens: p.Count, WindowNs: p.Window, BurstTokens: p.Burst, Clients: 1, Seed: seed})
	}
}
