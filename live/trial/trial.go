// Package trial measures a real limiter: it sends the requests of a scenario, judges the
// answers, simulates the scenario's algorithms on the requests as they were sent, and
// makes one results document of it.
//
// The package makes no promise: it can change at any time.
package trial

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/live/bounds"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Trial states what is sent to a real limiter and by what the limiter is judged.
type Trial struct {
	File   *scenarios.File // with one scenario
	Target string          // the kind of the limiter, which is the name of its row

	Promise      string        // what the policy promises: one of Promises, or "" for that of its reference
	Tolerance    int64         // cost by which a limit that is kept may be exceeded; 0 is 1 % of the limit, at least 1
	ResolutionNs int64         // step of the limiter's clock
	Unused       bool          // nobody used the keys before the run
	Clock        bool          // calendar windows follow the target's clock, which is read, or that of this machine
	Predict      string        // algorithm of the scenario that should predict the limiter; "" is its only one, if there is one
	OwnNetwork   bool          // simulated calls take the latency of the scenario's topology, not that of the target's answers
	Timeout      time.Duration // after which a request without an answer has failed; 0 is the default of package send
	Caps         send.Caps
	Progress     func(send.Progress) // may be nil

	Exchanges []exchange.Exchange // of the run: the planned requests and their retries; Run fills it in

	Simulation sim.Options // of the algorithms; its Stamp becomes the document's
}

// Promises are the names of what a policy can promise.
var Promises = []string{"bucket", "sliding", "calendar"}

var kinds = map[string]bounds.Kind{"bucket": bounds.Bucket, "sliding": bounds.Sliding, "calendar": bounds.Calendar}

// promised maps the reference of a policy to what the policy promises.
var promised = map[string]string{"token-bucket": "bucket", "sliding-log": "sliding", "fixed-window": "calendar"}

func (t *Trial) scenario() *scenarios.Scenario { return &t.File.Scenarios[0] }

// Limit returns the limit that the target should keep: that of the policy's reference.
func (t *Trial) Limit() counting.Limit {
	r := t.scenario().Policy.Reference
	return counting.Limit{Count: r.Limit.Count, Window: r.Limit.Per, Burst: r.Burst}
}

// Check returns why the trial cannot be made, or nil. It fills in the fields that have
// a default.
func (t *Trial) Check() error {
	if n := len(t.File.Scenarios); n != 1 {
		return fmt.Errorf("%s has %d scenarios: name one of them", t.File.Path, n)
	}
	s := t.scenario()
	switch {
	case len(s.Faults) > 0 || s.Guard != nil:
		return fmt.Errorf("scenario %s has faults or a guard, which live cannot bring about", s.Name)
	case slices.ContainsFunc(s.Algorithms, func(a scenarios.Algorithm) bool { return a.Name == t.Target }):
		return fmt.Errorf("scenario %s has an algorithm called %s, which is the name of the real limiter's row", s.Name, t.Target)
	}
	t.Promise = cmp.Or(t.Promise, promised[s.Policy.Reference.Kind])
	if _, known := kinds[t.Promise]; !known {
		return fmt.Errorf("a promise is one of %v, not %q", Promises, t.Promise)
	}
	if t.Predict == "" && len(s.Algorithms) == 1 {
		t.Predict = s.Algorithms[0].Name
	}
	if t.Predict != "" && !slices.ContainsFunc(s.Algorithms, func(a scenarios.Algorithm) bool { return a.Name == t.Predict }) {
		return fmt.Errorf("scenario %s has no algorithm called %q that could predict", s.Name, t.Predict)
	}
	if t.Tolerance < 0 {
		return fmt.Errorf("a tolerance of a cost of %d is below 0", t.Tolerance)
	}
	return nil
}

// Plan returns the requests that Run sends, in the order of time. It reads the logs that
// the scenario replays. It returns an error if there are no requests, more than the
// caps permit, or such that cannot be judged, and a sim.Invalid if the algorithms of the scenario cannot be simulated.
func (t *Trial) Plan(ctx context.Context) ([]exchange.Exchange, error) {
	var kept sim.Logs
	defer kept.Close()
	options := t.Simulation
	options.Logs = &kept
	problems, err := sim.CheckRun(ctx, t.File, options)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, &sim.Invalid{Problems: problems}
	}
	recordings, err := sim.ReadLogs(ctx, t.File, t.scenario(), &kept)
	if err != nil {
		return nil, err
	}
	planned, err := send.Schedule(t.scenario(), recordings, 0, t.Caps)
	if err == nil && len(planned) == 0 {
		err = fmt.Errorf("scenario %s has no requests", t.scenario().Name)
	}
	if err == nil {
		err = t.judgeable(planned)
	}
	return planned, err
}

// judgeable returns an error if the requests could not be judged once they were sent.
func (t *Trial) judgeable(planned []exchange.Exchange) error {
	costs, most := map[string]int64{}, int64(0)
	for i := range planned {
		e := &planned[i]
		costs[e.Key] += e.Cost
		most = max(most, costs[e.Key])
	}
	settings := t.settings()
	return settings.Check(planned[len(planned)-1].IntendedNs-planned[0].IntendedNs, most)
}

// Run sends planned requests and returns what they show. The row of the target is
// the first after those of the reference. If ctx ends, the document has what was sent
// until then, and the error is that of ctx. If a simulation fails, the document has no
// algorithm, and the error says why. Run does not close the target.
func (t *Trial) Run(ctx context.Context, planned []exchange.Exchange, target exchange.Target) (*results.Document, error) {
	readings, err := t.readClock(ctx, target)
	if err != nil {
		return nil, err
	}
	run, err := send.Run(ctx, planned, target, send.Options{
		Caps: t.Caps, Timeout: t.Timeout, Progress: t.Progress, Retry: t.retry(),
		EndNs: cmp.Or(t.scenario().Duration, planned[len(planned)-1].IntendedNs),
	})
	if err != nil {
		return nil, err
	}
	t.Exchanges = run.Exchanges
	if run.Sender.Sent == 0 {
		return nil, cmp.Or(ctx.Err(), fmt.Errorf("no request was sent: %s", cmp.Or(run.Stopped, run.Exchanges[0].Failure)))
	}
	settings := t.settings()
	if t.Clock && ctx.Err() == nil {
		after, err := t.readClock(ctx, target)
		if err != nil {
			return nil, err
		}
		settings.Phase, err = phaseOf(slices.Concat(readings, after), run.Start, t.ResolutionNs, settings.Limit.Window)
		if err != nil {
			return nil, err
		}
	}
	return t.document(ctx, run, settings)
}

// document returns what a run shows.
func (t *Trial) document(ctx context.Context, run *send.Result, settings bounds.Settings) (*results.Document, error) {
	report, err := bounds.Judge(run.Exchanges, settings)
	if err != nil {
		return nil, err
	}
	if report.Phase.Contradicted() {
		settings.Phase = nil
		settings.NoClock = fmt.Sprintf("only %d of %d ends of refusals agree with windows of the clock, so --clock is not used", report.Phase.Agreeing, report.Phase.Edges)
		if report, err = bounds.Judge(run.Exchanges, settings); err != nil {
			return nil, err
		}
	}
	figures, worstKey, err := bounds.Figures(run.Exchanges, settings, report)
	if err != nil {
		return nil, err
	}
	measured := &measurement{Trial: t, run: run, report: report, figures: figures, worstKey: worstKey}
	measured.times()
	for _, promise := range Promises {
		settings.Kind = kinds[promise]
		if promise == t.Promise {
			continue
		}
		if other, err := bounds.Judge(run.Exchanges, settings); err == nil { // or it is too long for a bucket
			measured.others = append(measured.others, results.LiveJudge{JudgedBy: promise, Over: verdict(other.Judgement), Under: verdict(other.Under)})
		}
	}
	if p := report.Phase.Phase; p != nil {
		measured.shiftNs = (settings.Limit.Window - p.EarliestNs) % settings.Limit.Window
	}
	d, err := measured.simulate(context.WithoutCancel(ctx), t.scenario().Algorithms)
	if err != nil {
		err = fmt.Errorf("the target was measured, but the algorithms could not be simulated: %w", err)
		d, _ = measured.simulate(context.WithoutCancel(ctx), nil)
	}
	if d == nil {
		return nil, err
	}
	if err == nil {
		err = measured.compare(context.WithoutCancel(ctx), d)
	}
	measured.addTo(d)
	return d, cmp.Or(err, ctx.Err())
}

func (t *Trial) settings() bounds.Settings {
	s := bounds.NewSettings(t.Limit(), kinds[t.Promise])
	s.ResolutionNs, s.UsedBefore = t.ResolutionNs, !t.Unused
	if t.Tolerance > 0 {
		s.Tolerance = t.Tolerance
	}
	return s
}
