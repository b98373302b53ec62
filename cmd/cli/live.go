package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/live/trial"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// living holds the flags of live.
type living struct {
	target     string
	addresses  []string
	options    []string
	allow      []string
	only       string
	timeout    string
	resolution string
	exchanges  string
	dryRun     bool
	fail       bool
	trial      trial.Trial
	asked      askedLimit
}

func (a *app) liveCommand() *cobra.Command {
	var l living
	var r inputs.Running
	var out output
	c := &cobra.Command{
		Use:   "live [FILE] --target KIND --address ADDRESS",
		Short: "send a scenario's requests to a real limiter and say what it certainly admitted",
		Long: `Live sends the requests of a scenario to a real limiter, each once and at its time,
and says what the answers prove. A limiter decides a request at some time between
its sending and its answer. So a figure is certified if it holds whatever these
times were, and possible if it holds for some; the truth is between them.

The algorithms of the scenario are then simulated on the requests as they were sent.
Table, documents, plots and pages have the real limiter beside the simulated ones, and
compare, report and gate read the document.

Instead of a FILE, --limit says what the limiter should keep.

Requests go to this machine only, unless --allow names another host. Credentials
come from the environment or a file. Ctrl-C ends the sends, and what is there is
judged.

It exits 0 whatever the limiter did, but 3 if an expectation that the scenario states
under the name of the target certainly does not hold, and 4 if the run cannot be judged:
too many requests failed, too few windows had enough demand, or an expectation may hold
or not. A certain violation is a result, and ends with 0 unless an expectation or --fail
says otherwise. A late sender changes no verdict: it is on the requests as they were sent.`,
		Example: `  limitgauge live limits.yaml --target http --address "http://127.0.0.1:8080/?key={key}"
  limitgauge live --limit 100/s --target http --address http://127.0.0.1:8080/ -o live.json
  limitgauge live limits.yaml --target exec --address "python3 limiter.py" --dry-run`,
		Args: usage.Arguments(0, 1),
	}
	l.flags(c)
	l.asked.flags(c)
	f := c.Flags()
	f.Uint64Var(&r.Seed, "seed", 1, "seed every random draw with `N`, instead of the file's seed")
	inputs.SetFlag(c, &r.Sets)
	f.BoolVarP(&r.Quiet, "quiet", "q", false, "print no progress")
	out.flags(c, defaultPlots)
	c.RunE = func(c *cobra.Command, args []string) error {
		files := inputs.NewFileSet(a.Host)
		if err := out.Adds(files); err != nil {
			return err
		}
		if len(args) > 0 {
			inputs.Scenarios("the scenario file", args[0])(files)
		}
		if err := errors.Join(files.WritesRows("--exchanges", l.exchanges), files.Check()); err != nil {
			return err
		}
		kind, err := a.targetKind(l.target)
		if err != nil {
			return err
		}
		options, err := targets.Options(&kind.Entry, l.options)
		if err != nil {
			return usage.Errorf("--option: %w", err)
		}
		r.Full = full(out.columns)
		if err := l.setTimeout(&kind.Entry, options); err != nil {
			return err
		}
		if err := a.prepareLive(c, &l, &r, args); err != nil {
			return err
		}
		if l.trial.Clock && !kind.Clock && len(l.allow) > 0 {
			return usage.Errorf("--clock: the clock of a target of kind %s on another machine cannot be read", kind.Entry.Name)
		}
		return a.live(c.Context(), &l, kind, options, &out, r.Quiet)
	}
	return c
}

func (l *living) flags(c *cobra.Command) {
	f, t := c.Flags(), &l.trial
	f.StringVar(&l.target, "target", "", "`KIND` of the limiter: http, exec; with limitgauge-live also postgres, redis, rls")
	f.StringArrayVar(&l.addresses, "address", nil, "`ADDRESS` of the limiter; several for clients in turn")
	f.StringArrayVar(&l.options, "option", nil, "an option of the target as `NAME=VALUE`; may be given again; limitgauge explain KIND lists them")
	f.StringArrayVar(&l.allow, "allow", nil, "a `HOST` other than this machine to which requests may go; may be given again")
	f.StringVar(&t.Promise, "judge", "", "`PROMISE` to judge by: bucket (burst and rate), sliding (windows) or calendar (windows); by default that of the policy's reference")
	f.StringVar(&t.Predict, "predict", "", "`ALGORITHM` of the scenario that should predict the limiter: say by how much it is off; the only one unless given")
	f.BoolVar(&t.OwnNetwork, "own-network", false, "simulate calls with the network of the FILE's topology, instead of the time that answers took")
	f.StringVar(&l.only, "scenario", "", "the `NAME` of the scenario, if the file has several")
	f.StringVar(&l.timeout, "timeout", "", "`TIME` after which a request without an answer has failed; by default that of the target's option timeout")
	f.Int64Var(&t.Caps.PerSecond, "max-rate", send.DefaultCaps.PerSecond, "send at most `N` requests in any second, or refuse to start")
	f.Int64Var(&t.Caps.Requests, "max-requests", send.DefaultCaps.Requests, "send at most `N` requests, or refuse to start")
	f.Int64Var(&t.Caps.InFlight, "max-in-flight", send.DefaultCaps.InFlight, "hold back what would be in flight beyond `N` requests")
	f.Int64Var(&t.Tolerance, "tolerance", 0, "`COST` by which the possible maximum may exceed a limit that is kept; by default 1 % of the limit, at least 1")
	f.StringVar(&l.resolution, "resolution", "0s", "`STEP` of the target's clock, as the target states it")
	f.BoolVar(&t.Clock, "clock", false, "state that calendar windows are those of the target's clock, such as whole seconds of the Unix time; it is read (redis, postgres), or is this machine's (http, rls, exec)")
	f.BoolVar(&t.Unused, "unused", false, "state that nothing has used the keys before this run, so that a limiter that begins with less than its full limit is found")
	f.StringVar(&l.exchanges, "exchanges", "", "write every request with its planned, sent and answered times and its answer to `FILE` (.csv or .jsonl)")
	f.BoolVar(&t.Simulation.AllowExec, "allow-exec", false, "start the programs that the file names under exec:; they run as you, without a sandbox")
	f.BoolVar(&l.fail, "fail", false, "exit 3 if the limiter certainly exceeds its limit")
	f.BoolVar(&l.dryRun, "dry-run", false, "print what would be sent, and send nothing")
	c.RegisterFlagCompletionFunc("target", fixed(describe.TargetNames()))
	c.RegisterFlagCompletionFunc("judge", fixed(trial.Promises))
}

// setTimeout makes --timeout that of the target, unless an option states it. The sender
// gives up later.
func (l *living) setTimeout(kind *catalog.Entry, options catalog.Values) error {
	if l.timeout != "" {
		ns, err := usage.TimeFlag("--timeout", l.timeout, time.Millisecond, time.Hour)
		if err != nil {
			return err
		}
		if !options.Set("timeout") {
			options["timeout"] = catalog.Value{V: ns, Given: true}
		}
	}
	all := catalog.WithDefaults(kind.Fields, options)
	l.trial.Timeout = time.Duration(all.Duration("timeout")) + time.Second
	return nil
}

// prepareLive fills in the trial.
func (a *app) prepareLive(c *cobra.Command, l *living, r *inputs.Running, args []string) (err error) {
	t := &l.trial
	if len(l.addresses) == 0 {
		return usage.Errorf("--address is missing: where the limiter is")
	}
	for _, name := range []string{"max-rate", "max-requests", "max-in-flight", "tolerance"} {
		if n, err := c.Flags().GetInt64(name); err == nil && n < 1 && c.Flags().Changed(name) {
			return usage.Errorf("--%s %d: want at least 1", name, n)
		}
	}
	if t.Promise != "" {
		if err := usage.Choice("judge", t.Promise, trial.Promises); err != nil {
			return err
		}
	}
	if t.ResolutionNs, err = usage.TimeFlag("--resolution", l.resolution, 0, time.Minute); err != nil {
		return err
	}
	t.Target = l.target
	if t.File, err = a.liveFile(c, l, r, args); err != nil {
		return err
	}
	if err := t.Check(); err != nil {
		return usage.Wrong(err)
	}
	t.Simulation.Memory, t.Simulation.Programs = terminal.FreeMemory(), a.MakeFleet
	t.Simulation.Stamp = a.StampOf(t.File, "")
	return nil
}

// live measures the target and shows the document.
func (a *app) live(ctx context.Context, l *living, kind targets.Kind, options catalog.Values, out *output, quiet bool) error {
	t := &l.trial
	s := &t.File.Scenarios[0]
	planned, err := t.Plan(ctx)
	switch {
	case usage.Is[*sim.Invalid](err), usage.Is[*logs.Error](err), errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return usage.Wrong(err)
	}
	what := fmt.Sprintf("%s: %s over %s from %s to %s %s", s.Name, format.Count(len(planned), "request"), format.ShortSpan(planned[len(planned)-1].IntendedNs),
		format.Count(s.Topology.Clients, "client"), kind.Entry.Name, strings.Join(l.addresses, ", "))
	if s.Retry() {
		what += "; then the retries of rejected ones"
	}
	setting := &targets.Setting{
		Addresses: l.addresses, Clients: s.Topology.Clients, Allow: l.allow, Run: strconv.FormatUint(rand.Uint64(), 36), Lookup: a.Lookup,
		Policy: targets.Policy{Limit: s.Policy.Limit.Count, WindowNs: s.Policy.Limit.Per, Burst: s.Policy.Burst},
	}
	if err := kind.Check(setting, options); err != nil {
		return usage.Errorf("--target %s: %w", kind.Entry.Name, err)
	}
	if n := s.Topology.Clients; len(l.addresses) > n {
		fmt.Fprintf(a.Err, "limitgauge: never asked: %s; each client asks one address, and there %s\n",
			strings.Join(l.addresses[n:], ", "), map[bool]string{true: "is 1 client", false: fmt.Sprintf("are %d clients", n)}[n == 1])
	}
	if l.dryRun {
		fmt.Fprintln(a.Out, what)
		return nil
	}
	target, err := kind.Open(ctx, setting, options)
	if err != nil {
		return usage.Unopened(fmt.Errorf("--target %s: %w", kind.Entry.Name, err))
	}
	done := func() {}
	if !quiet {
		fmt.Fprintln(a.Err, what)
		t.Progress, done = a.liveProgress()
	}
	d, err := t.Run(ctx, planned, target)
	done()
	if closed := target.Close(); err == nil && closed != nil {
		err = closed
	}
	if err := errors.Join(a.writeExchanges(l.exchanges, t.Exchanges), a.show(ctx, d, out, err)); err != nil {
		return err
	}
	return a.liveVerdict(d, t.Target, l.fail)
}

// liveVerdict returns the exit code of a document: that of the target's expectations, and 4
// if the run cannot show that the limit is kept. A certain violation is a verdict, and
// fails if fail is set.
func (a *app) liveVerdict(d *results.Document, target string, fail bool) error {
	code := usage.ExitOK
	for _, v := range gate.Evaluate(d).List {
		switch {
		case v.Algorithm != target || v.Status.Holds() || code == usage.ExitGateFailed:
		case v.Status == gate.Failed:
			code = usage.ExitGateFailed
		default:
			code = usage.ExitUnevaluated
		}
	}
	for _, r := range d.Results {
		if r.Live != nil && r.Live.CertainlyOver() && fail {
			code = usage.ExitGateFailed
		}
		if r.Live != nil && r.Live.Unevaluated != "" && !r.Live.CertainlyOver() && code == usage.ExitOK {
			fmt.Fprintf(a.Err, "limitgauge: could not be evaluated: %s\n", r.Live.Unevaluated)
			code = usage.ExitUnevaluated
		}
	}
	if code != usage.ExitOK {
		return usage.Code(code)
	}
	return nil
}

// liveProgress returns a function that shows the state of a run on stderr, and one that
// ends it.
func (a *app) liveProgress() (progress func(send.Progress), done func()) {
	show, done := terminal.ShowLines(a.Err), func() {}
	if a.IsTerminal(a.Err) {
		show, done = terminal.ShowBar(a.Err)
	}
	return func(p send.Progress) {
		show(terminal.Moment{Share: float64(p.Sent) / float64(max(p.Planned, 1)), Text: fmt.Sprintf("%s: sent %d (%s/s), admitted %d, rejected %d, failed %d, late by %s ms at most",
			format.ShortSpan(max(p.ElapsedNs, 0)), p.Sent, format.Number(p.SentPerS), p.Admitted, p.Rejected, p.Failed, format.Number(float64(p.LatenessNs)/1e6))})
	}, done
}
