package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/internal/second"
	"github.com/limitgauge/limitgauge/live/bounds"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/live/targets/exec"
	"github.com/limitgauge/limitgauge/live/targets/http"
	"github.com/limitgauge/limitgauge/live/targets/postgres"
	"github.com/limitgauge/limitgauge/live/targets/redis"
	"github.com/limitgauge/limitgauge/live/targets/rls"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// targetKinds returns the kinds of real limiters that this program can open, and the
// names of those that only limitgauge-live can.
func (h *Host) targetKinds() (here []targets.Kind, elsewhere []string) {
	here = append([]targets.Kind{http.Kind(), exec.Kind()}, h.Own.Targets...)
	for _, e := range []catalog.Entry{postgres.Entry(), redis.Entry(), rls.Entry()} {
		if !slices.ContainsFunc(here, func(k targets.Kind) bool { return k.Entry.Name == e.Name }) {
			elsewhere = append(elsewhere, e.Name)
		}
	}
	return here, elsewhere
}

// judgements maps the names of --judge to what a policy promises.
var judgements = map[string]bounds.Kind{"bucket": bounds.Bucket, "sliding": bounds.Sliding, "calendar": bounds.Calendar}

// promised maps the reference of a policy to the name of what the policy promises.
var promised = map[string]string{"token-bucket": "bucket", "sliding-log": "sliding", "fixed-window": "calendar"}

// living holds the flags of live.
type living struct {
	target    string
	addresses []string
	options   []string
	allow     []string
	judge     string
	only      string
	timeout   string
	caps      send.Caps
	dryRun    bool
	quiet     bool
	unused    bool
	tolerance int64
	step      string
}

func (a *app) liveCommand() *cobra.Command {
	var l living
	c := &cobra.Command{
		Use:   "live FILE --target KIND --address ADDRESS",
		Short: "send a scenario's requests to a real limiter and say what it certainly admitted",
		Long: `Live sends the requests of a scenario to a real limiter, each once and at its time,
and says what the answers prove. A limiter decides a request at some time between
its sending and its answer. So a figure is certified if it holds whatever these
times were, and possible if it holds for some; the truth is between them.

The algorithms of the scenario are then simulated on the requests as they were sent.

Requests go to this machine only, unless --allow names another host. Credentials
come from the environment or a file. Ctrl-C ends the sends, and what is there is
judged.

It exits 0 whatever the limiter did, and 4 if the run cannot be judged: the sender was
late, too many requests failed, or too few windows had enough demand.`,
		Example: `  limitgauge live limits.yaml --target http --address "http://127.0.0.1:8080/?key={key}"
  limitgauge live limits.yaml --target exec --address "python3 limiter.py" --dry-run`,
		Args: arguments(1, 1),
	}
	f := c.Flags()
	f.StringVar(&l.target, "target", "", "`KIND` of the limiter: http, exec; with limitgauge-live also postgres, redis, rls")
	f.StringArrayVar(&l.addresses, "address", nil, "`ADDRESS` of the limiter; several for clients in turn")
	f.StringArrayVar(&l.options, "option", nil, "an option of the target as `NAME=VALUE`; may be given again")
	f.StringArrayVar(&l.allow, "allow", nil, "a `HOST` other than this machine to which requests may go; may be given again")
	f.StringVar(&l.judge, "judge", "", "`PROMISE` to judge by: bucket (burst and rate), sliding (windows) or calendar (windows); by default that of the policy's reference")
	f.StringVar(&l.only, "scenario", "", "the `NAME` of the scenario, if the file has several")
	f.StringVar(&l.timeout, "timeout", "5s", "`TIME` after which a request without an answer has failed")
	f.Int64Var(&l.caps.PerSecond, "max-rate", send.DefaultCaps.PerSecond, "send at most `N` requests in any second, or refuse to start")
	f.Int64Var(&l.caps.Requests, "max-requests", send.DefaultCaps.Requests, "send at most `N` requests, or refuse to start")
	f.Int64Var(&l.caps.InFlight, "max-in-flight", send.DefaultCaps.InFlight, "hold back what would be in flight beyond `N` requests")
	f.Int64Var(&l.tolerance, "tolerance", 0, "`COST` by which the possible maximum may exceed a limit that is kept; by default 1 % of the limit, at least 1")
	f.StringVar(&l.step, "resolution", "0s", "`STEP` of the target's clock, as the target states it")
	f.BoolVar(&l.unused, "unused", false, "state that nothing has used the keys before this run, so that a limiter that begins with less than its full limit is found")
	f.BoolVar(&l.dryRun, "dry-run", false, "print what would be sent, and send nothing")
	f.BoolVarP(&l.quiet, "quiet", "q", false, "print no progress")
	c.RegisterFlagCompletionFunc("target", fixed([]string{"http", "exec", "postgres", "redis", "rls"}))
	c.RegisterFlagCompletionFunc("judge", fixed([]string{"bucket", "sliding", "calendar"}))
	c.RunE = func(c *cobra.Command, args []string) error {
		kind, err := a.targetKind(l.target)
		if err != nil {
			return err
		}
		s, file, err := a.liveScenario(c.Context(), args[0], &l)
		if err != nil {
			return err
		}
		options, err := targets.Options(&kind.Entry, l.options)
		if err != nil {
			return usagef("--option: %w", err)
		}
		return a.live(c.Context(), &l, kind, options, file, s)
	}
	return c
}

// targetKind returns a kind by its name. If only limitgauge-live has it, that program
// takes over, and targetKind does not return.
func (a *app) targetKind(name string) (targets.Kind, error) {
	here, elsewhere := a.targetKinds()
	for _, k := range here {
		if k.Entry.Name == name {
			return k, nil
		}
	}
	if slices.Contains(elsewhere, name) {
		path, err := second.Find()
		if err != nil {
			return targets.Kind{}, usagef("--target %s: %w", name, err)
		}
		code, err := second.Start(path, os.Args[1:])
		return targets.Kind{}, errors.Join(err, codeError(code))
	}
	return targets.Kind{}, usagef("--target: want http, exec, postgres, redis or rls, not %q", name)
}

// liveScenario returns the scenario whose requests are sent.
func (a *app) liveScenario(ctx context.Context, name string, l *living) (*scenarios.Scenario, *scenarios.File, error) {
	if len(l.addresses) == 0 {
		return nil, nil, usagef("--address is missing: where the limiter is")
	}
	var o scenarios.Overrides
	if l.only != "" {
		o.Only = []string{l.only}
	}
	f, err := a.loadScenarios(ctx, name, o)
	if err != nil {
		return nil, nil, err
	}
	if len(f.Scenarios) != 1 {
		return nil, nil, usagef("%s has %d scenarios: --scenario says which", name, len(f.Scenarios))
	}
	s := &f.Scenarios[0]
	switch {
	case slices.ContainsFunc(s.Traffic, func(t scenarios.Traffic) bool { return t.Pattern == "trace" }):
		return nil, nil, usagef("scenario %s replays a log, which live does not send", s.Name)
	case s.Retries != nil || len(s.Faults) > 0 || s.Guard != nil:
		return nil, nil, usagef("scenario %s has retries, faults or a guard, which live cannot bring about", s.Name)
	}
	if l.judge == "" {
		l.judge = promised[s.Policy.Reference]
	}
	if _, known := judgements[l.judge]; !known {
		return nil, nil, usagef("--judge: want bucket, sliding or calendar, not %q", l.judge)
	}
	return s, f, nil
}

func (a *app) live(ctx context.Context, l *living, kind targets.Kind, options catalog.Values, f *scenarios.File, s *scenarios.Scenario) error {
	timeout, err := timeFlag("--timeout", l.timeout, time.Millisecond, time.Hour)
	if err != nil {
		return err
	}
	step, err := timeFlag("--resolution", l.step, 0, time.Minute)
	if err != nil {
		return err
	}
	limit := counter.Limit{Count: s.Policy.Limit.Count, Window: s.Policy.Limit.Per, Burst: s.Policy.Burst}
	planned, err := send.Schedule(s, nil, 0, l.caps)
	if err != nil {
		return usageError{err}
	}
	if len(planned) == 0 {
		return usagef("scenario %s has no requests", s.Name)
	}
	lasts := planned[len(planned)-1].IntendedNs
	fmt.Fprintf(a.Out, "%s: %s over %s from %s to %s %v\n", s.Name, format.Count(len(planned), "request"), format.Span(lasts),
		format.Count(s.Topology.Clients, "client"), kind.Entry.Name, l.addresses)
	if l.dryRun {
		return nil
	}
	target, err := kind.Open(ctx, &targets.Setting{
		Addresses: l.addresses, Clients: s.Topology.Clients, Allow: l.allow, Run: strconv.FormatUint(rand.Uint64(), 36), Lookup: a.Lookup,
		Policy: targets.Policy{Limit: limit.Count, WindowNs: limit.Window, Burst: limit.Burst},
	}, options)
	if err != nil {
		return fmt.Errorf("--target %s: %w", kind.Entry.Name, err)
	}
	run, err := send.Run(ctx, planned, target, send.Options{Caps: l.caps, Timeout: time.Duration(timeout), Progress: a.liveProgress(l.quiet)})
	if closed := target.Close(); err == nil && closed != nil && !run.Partial {
		err = closed
	}
	if err != nil {
		return err
	}
	settings := bounds.NewSettings(limit, judgements[l.judge])
	settings.ResolutionNs, settings.UsedBefore = step, !l.unused
	if l.tolerance > 0 {
		settings.Tolerance = l.tolerance
	}
	judged, err := bounds.Judge(run.Exchanges, settings)
	if err != nil {
		return err
	}
	reason := a.showLive(run, judged, limit.Window)
	if err := a.showSimulated(context.WithoutCancel(ctx), f, s, run); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return interruptedError("interrupted: this is what was sent until then")
	case reason != "":
		fmt.Fprintf(a.Err, "limitgauge: could not be evaluated: %s\n", reason)
		return codeError(exitUnevaluated)
	}
	return nil
}

// showLive prints what was sent, answered and proved. It returns why the run cannot be
// judged, or "".
func (a *app) showLive(run *send.Result, r *bounds.Report, window int64) (reason string) {
	q := run.Quality
	ms := func(ns int64) string { return format.Number(float64(ns)/1e6) + " ms" }
	fmt.Fprintf(a.Out, "sent %d of %d; admitted %d, rejected %d, failed %d\n", q.Sent, q.Planned, r.Counts.Admitted.Requests, r.Counts.Rejected.Requests, r.Counts.Failed.Requests)
	fmt.Fprintf(a.Out, "sender: late by %s (median), %s (p99), %s (most); %d in flight at most; %d held back; %s\n",
		ms(q.LatenessP50Ns), ms(q.LatenessP99Ns), ms(q.LatenessMaxNs), q.InFlightPeak, q.HeldBack, q.Precision)
	fmt.Fprintf(a.Out, "answers: after %s at most; the longest silence was %s\n\n", ms(r.LongestNs), ms(r.SilenceNs))
	if r.Worst >= 0 && len(r.Keys) > 1 {
		fmt.Fprintf(a.Out, "worst of %s, %s:\n", format.Count(len(r.Keys), "key"), r.Keys[r.Worst].Key)
	}
	for _, j := range []bounds.Judgement{r.Judgement, r.Under} {
		fmt.Fprintln(a.Out, j.Text)
		if j.Hint != "" {
			fmt.Fprintf(a.Out, "  %s\n", j.Hint)
		}
	}
	if held, tested := r.Promises.HeldPct(); tested {
		fmt.Fprintf(a.Out, "%s of the times to retry after that it named held\n", format.Number(held)+" %")
	}
	good, late := q.Good(window)
	switch {
	case !good:
		return late
	case run.Partial && run.Stopped != send.Interrupted:
		return run.Stopped
	}
	return r.Reason
}

// showSimulated prints the table of the scenario's algorithms on what was sent.
func (a *app) showSimulated(ctx context.Context, f *scenarios.File, s *scenarios.Scenario, run *send.Result) error {
	if run.Quality.Sent == 0 {
		return nil
	}
	d, err := simulateSent(ctx, f, s, run.Exchanges, sim.Options{Memory: freeMemory(), Programs: a.makeFleet})
	if err != nil {
		return err
	}
	fmt.Fprint(a.Out, "\nsimulated on the requests as they were sent\n")
	for _, part := range d.PerScenario() {
		if err := table.Text(a.Out, table.Comparison(part, nil, measure.Metrics(), nil)); err != nil {
			return err
		}
	}
	return nil
}

// liveProgress returns a function that prints the state of a run to stderr, or nil.
func (a *app) liveProgress(quiet bool) func(send.Progress) {
	if quiet {
		return nil
	}
	return func(p send.Progress) {
		fmt.Fprintf(a.Err, "%s: sent %d of %d (%s/s), admitted %d, rejected %d, failed %d, late by %s\n", format.Span(max(p.ElapsedNs, 0)), p.Sent, p.Planned,
			format.Number(p.SentPerS), p.Admitted, p.Rejected, p.Failed, format.Number(float64(p.LatenessNs)/1e6)+" ms")
	}
}
