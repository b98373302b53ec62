package sim

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/memory"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/results"
)

// job is the part of the work that one worker runs: some rows of one
// replication of a scenario.
type job struct {
	plan        *plan
	replication int
	rows        []row
	details     Details
	jobs        *measure.Jobs // of workers; nil without any
	follow      []followedKey // only the series of these keys are wanted, if there are any
	points      []int         // by row: its index in the plan's grid, if the job is part of its search

	done      bool
	measured  []*measured         // by row, once done
	digest    string              // of the traffic, once done
	keySeries []results.KeySeries // by row and key, once done
}

// largeJob is the amount of state in bytes above which a garbage collection of
// some milliseconds pays off.
const largeJob = 32 << 20

// rowRun is a row while it runs.
type rowRun struct {
	row          row
	executor     engine.Executor
	setting      *engine.Setting
	recorder     *measure.Recorder
	workers      *engine.Workers // nil without any
	detailWriter *detailWriter
}

// run runs the rows of the job and stores what was measured.
func (j *job) run(ctx context.Context, o Options) error {
	if o.Started != nil {
		defer o.Started(j.plan.scenario.Name)()
	}
	if j.plan.memory(j.rows) > largeJob {
		runtime.GC() // frees the state of this worker's previous job
	}
	programs, ctx := engine.NewOutside(ctx, o.Programs)
	c, rowRuns, err := j.build(programs)
	if err != nil {
		programs.Close(nil)
		return fmt.Errorf("scenario %q: %w", j.plan.scenario.Name, err)
	}
	shown, blocks := int64(0), 0
	reached := func(now int64) {
		if at := j.work(now); at > shown {
			o.Progress.Done.Add(at - shown)
			shown = at
		}
	}
	if crowd := engine.Uncrowded(func() {
		err = c.run(ctx, func(decisions, now int64) {
			o.Progress.Decisions.Add(decisions)
			reached(now)
			if blocks++; blocks%64 == 0 {
				endIfFull()
			}
		})
	}); crowd != nil {
		err = j.crowded(c, crowd)
	}
	if err = programs.Close(err); err != nil {
		return j.inScenario(err)
	}
	reached(j.plan.end)
	for _, s := range rowRuns {
		if err := s.detailWriter.close(s.recorder); err != nil {
			return err
		}
		if j.follow != nil {
			j.keySeries = append(j.keySeries, j.plan.collectKeySeries(s, j.follow)...)
			continue
		}
		m := j.plan.collect(s, j.replication)
		m.touched = s.setting.Faults.Touched()
		c.relimits.AddTo(m.touched)
		j.measured = append(j.measured, m)
	}
	j.done, j.digest = true, c.digest.String()
	return nil
}

// endIfFull ends the trial if the process holds as much memory as it may.
func endIfFull() {
	if limit, full := memory.Full(); full {
		panic(&engine.Crowd{
			What:   fmt.Sprintf("all of the %s of memory that may be used is taken", gibibytes(limit)),
			Advice: "take fewer clients or keys, a shorter duration, or --workers 1",
		})
	}
}

// Crowded reports a scenario that was ended because too many requests waited in it, or too
// much memory was taken.
type Crowded struct{ scenarios.Problem }

func (c *Crowded) Error() string { return c.String() }

// crowded returns the error of a batch in which so much is held.
func (j *job) crowded(c *rowBatch, crowd *engine.Crowd) error {
	s, row := j.plan.scenario, "the reference"
	if c.running >= 0 {
		row = j.rows[c.running].name
	}
	const tenth = units.Second / 10
	return &Crowded{scenarios.Problem{
		Path: j.plan.path, Pos: s.Pos, Field: fmt.Sprintf("scenarios[%d]", s.Index),
		Message: fmt.Sprintf("%s in %s after %s, so the run was ended: %s", crowd.What, row, units.FormatDuration((c.now-j.plan.origin())/tenth*tenth), crowd.Advice),
	}}
}

// inScenario adds the name of the scenario to the error of a limiter outside of this
// program.
func (j *job) inScenario(err error) error {
	if errors.As(err, new(*outside.Error)) {
		return fmt.Errorf("scenario %q, replication %d: %w", j.plan.scenario.Name, j.plan.first+j.replication+1, err)
	}
	return err
}

// work returns the progress of the job at now: the arrivals until then if all were
// evenly spread, summed over its rows. It is 0 at the first arrival, from which nothing
// can be extrapolated, and at least 1 at the end.
func (j *job) work(now int64) int64 {
	first, end := j.plan.traffic.First(), j.plan.end
	share := float64(min(now, end)-first) / float64(max(1, end-first))
	done := int64(float64(len(j.rows)) * min(j.plan.arrivals()*share, 1e15))
	if now >= end {
		return max(1, done)
	}
	return done
}

// build returns the job's rows and the batch that runs them together.
func (j *job) build(programs *engine.Outside) (*rowBatch, []*rowRun, error) {
	p := j.plan
	setting, err := p.setting(j.replication)
	if err != nil {
		return nil, nil, err
	}
	reference, err := p.newReference(setting)
	if err != nil {
		return nil, nil, err
	}
	c := &rowBatch{
		alive: faults.NewAlive(setting.Faults, p.sticky()), relimits: faults.NewRelimits(setting.Faults),
		stream: p.traffic.Open(p.scenario.Seed, p.first+j.replication), digest: p.traffic.NewDigest(), reference: reference, end: p.end,
		workers: p.workers(), from: p.origin(),
	}
	j.jobs = p.jobs(j.replication, &c.digest)
	var rowRuns []*rowRun
	var decided []*measure.Recorder // of rows whose requests are decided on arrival
	for _, r := range j.rows {
		s, err := j.rowRun(r, setting, programs)
		if err != nil {
			return nil, nil, err
		}
		rowRuns = append(rowRuns, s)
		c.executors = append(c.executors, s.executor)
		switch s.executor.(type) {
		case *engine.BlockExecutor, *engine.ReferenceExecutor:
			decided = append(decided, s.recorder)
		}
		shaped := -1
		if s.row.waiting != nil && !s.row.reference {
			if shaped, err = p.shaperOf(c, setting, *s.row.waiting); err != nil {
				return nil, nil, err
			}
		}
		c.shaped = append(c.shaped, shaped)
	}
	measure.ShareDemands(decided)
	return c, rowRuns, nil
}

// rowRun returns a row with its recorder, backend and executor.
func (j *job) rowRun(r row, setting *engine.Setting, programs *engine.Outside) (*rowRun, error) {
	p := j.plan
	own := *setting
	own.Faults = setting.Faults.Counting()
	setting = &own
	s := &rowRun{row: r, setting: setting, detailWriter: &detailWriter{details: j.details, plan: p, algorithm: r.name, replication: p.first + j.replication + 1}}
	s.recorder = p.newRecorder(r, s.detailWriter, setting, j.jobs, j.follow)
	sinks := engine.Sinks{Recorder: s.recorder, DecisionLog: s.detailWriter.decisions(), ReportLog: s.detailWriter.reports(), ReferenceMode: engine.ImmediateReference}
	if r.waiting != nil {
		sinks.ReferenceMode = engine.ShapingReference
	}
	if p.scenario.Guard != nil {
		stream := random.New(p.scenario.Seed, p.first+j.replication, "guard")
		sinks.Guard = engine.NewGuard(p.scenario.Guard, s.recorder.Guard(), stream)
	}
	var err error
	if sinks.Retries, err = p.newRetries(r, setting, j.replication); err != nil {
		return nil, err
	}
	if p.workers() {
		s.workers = engine.NewWorkers(setting, p.scenario.CallersOf(r.algorithm), p.traffic, p.first+j.replication, s.recorder.Jobs())
		if sinks.Workers = s.workers; j.points != nil {
			s.workers.Try()
		}
	}
	switch {
	case r.recorded:
		s.executor = engine.NewBlockExecutor(sinks, engine.NewRecordedDecider())
	case r.reference && r.waiting != nil:
		sinks.ReferenceMode = engine.Itself
		var shaper counting.Queue
		if shaper, err = p.newShaper(setting, *r.waiting); err == nil {
			s.executor = engine.NewQueueExecutor(sinks, p.start, shaper)
		}
	case (r.reference || r.same) && sinks.DecisionLog == nil && sinks.Retries == nil:
		s.executor = &engine.ReferenceExecutor{Sinks: sinks}
	case r.reference:
		var reference engine.Decider
		reference, err = p.newReference(setting)
		s.executor = engine.NewBlockExecutor(sinks, reference)
	default:
		s.executor, err = limiters.NewExecutor(&engine.Trial{
			Setting: setting, Sinks: sinks, Algorithm: r.algorithm, Replication: p.first + j.replication, Outside: programs,
		})
	}
	if b, ok := s.executor.(*engine.BlockExecutor); ok && sinks.Retries != nil && err == nil {
		if p.oneByOne(r) {
			s.executor = b.OneByOne(p.start)
		} else {
			s.executor = b.Retrying(p.start)
		}
	}
	return s, err
}

// shaperOf returns the index of the batch's shaping reference with a bound on
// waiting, which it adds if necessary.
func (p *plan) shaperOf(c *rowBatch, s *engine.Setting, w counting.Waiting) (int, error) {
	if i := slices.IndexFunc(c.shapers, func(s shaper) bool { return s.waiting == w }); i >= 0 {
		return i, nil
	}
	queue, err := p.newShaper(s, w)
	c.shapers = append(c.shapers, shaper{waiting: w, reference: engine.NewShapedReference(queue)})
	return len(c.shapers) - 1, err
}

// newRetries returns the retries of one row's callers, or nil if callers do not
// retry.
func (p *plan) newRetries(r row, s *engine.Setting, replication int) (*engine.Retries, error) {
	retries := p.scenario.RetriesOf(r.algorithm)
	if retries == nil && !p.workers() {
		return nil, nil
	}
	var reference engine.Decider
	var shaped *engine.ShapedReference
	var err error
	switch {
	case r.reference && (r.waiting != nil || !p.oneByOne(r)): // the executor runs it
	case r.waiting != nil:
		var queue counting.Queue
		queue, err = p.newShaper(s, *r.waiting)
		shaped = engine.NewShapedReference(queue)
	default:
		reference, err = p.newReference(s)
	}
	stream := random.New(p.scenario.Seed, p.first+replication, "retries")
	out := engine.NewRetries(retries, p.scenario.Patience(retries), stream, reference, shaped)
	if retries != nil && p.traffic.Sends() {
		out.Budget(p.scenario.CallersOf(r.algorithm))
	}
	return out, err
}

// oneByOne reports whether what callers of a row do next depends on more than the verdict.
func (p *plan) oneByOne(r row) bool {
	c := p.scenario.CallersOf(r.algorithm)
	return p.workers() || c != nil && (c.Budget.Name != "" || c.Retry.OnAnswers())
}
