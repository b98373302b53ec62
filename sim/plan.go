package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// plan is a scenario that is ready to run: its traffic is prepared, its logs
// are read, its time span is known.
type plan struct {
	scenario   *scenarios.Scenario
	traffic    *traffic.Plan
	recordings map[int]*logs.Recording // by index of the traffic entry
	limit      counting.Limit          // of the first policy
	policies   []engine.Policy         // nil unless requests carry descriptors
	start, end int64
	rows       []row
	checked    *engine.Setting // of the first replication
	faultKeys  []int32         // by fault: the key whose owner it concerns
	grid       *grid           // of fixed limits on concurrency; nil unless the backend has a deadline
	noGrid     string          // why it is nil for all that

	replications int  // of rows that draw random numbers
	planned      int  // replications that have jobs
	first        int  // number of the first replication in the random streams
	only         bool // it is the only one that is run
	draws        uint64
	dir          string // of the scenario file
	path         string // of the same

	arrivals func() float64 // of one replication, estimated when it is called first
}

// row is one row of the results: the reference, a shaping reference, the limiter
// that wrote the log or an algorithm.
type row struct {
	name      string
	reference bool
	recorded  bool                 // what the limiter that wrote the log decided
	algorithm *scenarios.Algorithm // nil for the references and the recorded row
	random    bool                 // a figure depends on random draws
	draws     bool                 // also on others than those of the traffic and its retries
	waiting   *counting.Waiting    // the bound on waiting; nil if no request waits
	against   string               // of an algorithm: the name of its reference
	same      bool                 // of an algorithm: it decides as the reference does, see isReference
}

// prepare reads the logs of every scenario and makes the checks that need the
// engine. A problem names its place in the file.
func prepare(ctx context.Context, f *scenarios.File, reader *logReader) ([]*plan, []scenarios.Problem, error) {
	var plans []*plan
	var problems []scenarios.Problem
	if problems := tooMany(f); len(problems) > 0 {
		return nil, problems, nil
	}
	for i := range f.Scenarios {
		s := &f.Scenarios[i]
		p, found, err := prepareScenario(ctx, s, reader)
		if err != nil {
			return nil, nil, err
		}
		for j := range found {
			found[j].Path = f.Path
			found[j].Field = fmt.Sprintf("scenarios[%d]%s", s.Index, found[j].Field)
		}
		problems = append(problems, found...)
		plans = append(plans, p)
	}
	return plans, problems, nil
}

// tooMany returns a problem if the document of a file would be larger than its
// readers accept.
func tooMany(f *scenarios.File) []scenarios.Problem {
	rows, expectations := 0, 0
	for i := range f.Scenarios {
		policies := len(f.Scenarios[i].Policies())                // each policy repeats the rows
		rows += policies * (2*len(f.Scenarios[i].Algorithms) + 1) // each can have a shaping reference
		expectations += len(f.Scenarios[i].Expect)
	}
	const advice = "split the file, or choose some with --scenario"
	message := ""
	switch {
	case len(f.Scenarios) > results.MaxScenarios:
		message = fmt.Sprintf("are %d, at most %d can be run together", len(f.Scenarios), results.MaxScenarios)
	case expectations > results.MaxRows:
		message = fmt.Sprintf("expect %d things, at most %d can be held together", expectations, results.MaxRows)
	case rows > results.MaxRows:
		message = fmt.Sprintf("compare up to %d rows, at most %d can be run together", rows, results.MaxRows)
	default:
		return nil
	}
	return []scenarios.Problem{{Path: f.Path, Pos: f.Scenarios[0].Pos, Field: "scenarios", Message: message + ": " + advice}}
}

func prepareScenario(ctx context.Context, s *scenarios.Scenario, reader *logReader) (*plan, []scenarios.Problem, error) {
	p := &plan{
		scenario:   s,
		recordings: map[int]*logs.Recording{},
		limit:      limitOf(&s.Policy),
		start:      s.Warmup,
		end:        s.Duration,

		replications: s.Replications,
		dir:          reader.dir,
	}
	var problems []scenarios.Problem
	for i := range s.Traffic {
		t := &s.Traffic[i]
		if t.Pattern != "trace" {
			continue
		}
		r, err := reader.recording(ctx, t, s.Policy.Shared)
		switch {
		case err == nil:
			p.recordings[i] = r
		case badLog(err):
			problems = append(problems, scenarios.Problem{Pos: t.Pos, Field: fmt.Sprintf(".traffic[%d]", i), Message: err.Error()})
		default:
			return nil, nil, err
		}
	}
	if len(problems) > 0 {
		return nil, problems, nil
	}
	var err error
	c := traffic.Config{Entries: s.Traffic, Clients: s.Topology.Clients, End: s.Duration, Shared: s.Policy.Shared, Recordings: p.recordings}
	if s.MultiPolicy() {
		c.Policies = s.Policies()
	}
	p.traffic, err = traffic.Prepare(c)
	switch {
	case errors.As(err, new(*logs.Error)) && !badLog(err):
		return nil, nil, err
	case err != nil:
		return nil, []scenarios.Problem{{Pos: s.Pos, Field: ".traffic", Message: err.Error()}}, nil
	}
	if reader.hash != nil {
		if err := p.traffic.Hide(reader.hash); err != nil {
			return nil, []scenarios.Problem{{Pos: s.Pos, Field: ".traffic", Message: err.Error()}}, nil
		}
	}
	if s.Duration == 0 {
		if problem := p.measureTraces(); problem != "" {
			return nil, []scenarios.Problem{{Pos: s.Pos, Field: ".traffic", Message: problem}}, nil
		}
	}
	p.policies = p.numberPolicies()
	for i, policy := range s.Policies() {
		if err := counting.CheckShaper(p.exactLimit(referenceLimit(&policy), i)); err != nil {
			return nil, []scenarios.Problem{{Pos: policy.Pos, Field: policyField(s, i), Message: err.Error()}}, nil
		}
	}
	if problems := p.nameKeys(); len(problems) > 0 {
		return nil, problems, nil
	}
	setting, err := p.setting(0)
	if err != nil {
		return nil, []scenarios.Problem{{Pos: s.Pos, Field: ".faults", Message: err.Error()}}, nil
	}
	p.checked, p.arrivals = setting, sync.OnceValue(func() float64 { return p.traffic.Arrivals(p.end) })
	if p.rows, problems = planRows(p, setting); len(problems) == 0 {
		problems = p.checkFaults()
		p.grid, p.noGrid = newGrid(p)
	}
	return p, problems, nil
}

// measureTraces sets the measured span: the windows that recorded requests lie
// in. It returns a problem if they last too long.
func (p *plan) measureTraces() (problem string) {
	w, first, last := p.scenario.LongestWindow(), p.traffic.First(), p.traffic.Last()
	if last-first > logs.MaxSpan || w > logs.MaxSpan-(last-first) {
		return fmt.Sprintf("all recordings together with a window of %s last longer than 100 years: from %s to %s",
			units.FormatDuration(w), format.Span(first), format.Span(last))
	}
	p.start = first/w*w + p.scenario.Warmup
	p.end = (last/w + 1) * w
	return ""
}

// badLog reports whether err is about the content of a log and not about
// reading it.
func badLog(err error) bool {
	e, ok := errors.AsType[*logs.Error](err)
	return ok && e.Reason != logs.Failure
}

// setting returns what limiters may know of the plan, with the faults of one
// replication, counted from the plan's first.
func (p *plan) setting(replication int) (*engine.Setting, error) {
	f, err := faults.Compile(p.scenario.Faults, p.world(replication))
	return &engine.Setting{
		Scenario: p.scenario, Limit: p.limit, Keys: p.traffic.Keys(), Policies: p.policies, MaxCost: p.largest(), Settles: p.traffic.Settles(),
		Origin: p.origin(), Start: p.start, End: p.end, Faults: f, Draws: p.draws, Dir: p.dir,
		KeyName: func(key int32) string { return p.traffic.KeyWritten(int(key)) },
	}, err
}

// origin returns the start of the simulation in ns, at which all state is
// initial.
func (p *plan) origin() int64 { return p.start - p.scenario.Warmup }

// planRows returns the references, the recorded row and the algorithms of a scenario.
func planRows(p *plan, setting *engine.Setting) ([]row, []scenarios.Problem) {
	s := p.scenario
	guarded := s.Guard != nil && engine.ServiceDraws(s.Guard)
	drawnFor := func(a *scenarios.Algorithm) bool { // whether calls, or the backend, depend on random draws
		r := s.RetriesOf(a)
		return p.traffic.Random() || r != nil && engine.RetriesDraw(r) || guarded
	}
	drawn := drawnFor(nil)
	rows := []row{{name: "reference", reference: true, random: drawn, draws: guarded}}
	var problems []scenarios.Problem
	var shapers []row
	for i := range s.Algorithms {
		a := &s.Algorithms[i]
		l := limiters.Of(a)
		if err := limiters.Check(setting, a); err != nil {
			problems = append(problems, scenarios.Problem{
				Pos: a.Pos, Field: fmt.Sprintf(".algorithms[%d]", i), Message: fmt.Sprintf("%s: %v", a.Name, err),
			})
			continue
		}
		draws := limiters.Draws(setting, a) || p.drawsFaults(a) || guarded
		r := row{name: a.Name, algorithm: a, random: drawnFor(a) || draws, draws: draws, against: rows[0].name, same: p.isReference(setting, a)}
		if l.Waits != nil {
			r.waiting = l.Waits(setting, a)
		}
		if w := r.waiting; w != nil {
			i := slices.IndexFunc(shapers, func(s row) bool { return *s.waiting == *w })
			if i < 0 {
				i = len(shapers)
				shapers = append(shapers, row{name: shaperName(i), reference: true, random: drawn, draws: guarded, waiting: w})
			}
			r.against = shapers[i].name
		}
		rows = append(rows, r)
	}
	if p.traffic.SomeVerdicts() {
		problems = append(problems, p.checkRecorded()...)
		rows = slices.Insert(rows, 1, row{name: scenarios.Recorded, recorded: true, random: drawn, draws: guarded, against: rows[0].name})
	}
	return slices.Insert(rows, 1, shapers...), problems
}

// shaperName returns the name of the row of a scenario's shaping reference number
// i, from 0.
func shaperName(i int) string {
	if i == 0 {
		return "reference-shaper"
	}
	return fmt.Sprintf("reference-shaper-%d", i+1)
}

// newRecorder returns the recorder of one trial. If it follows keys, no figures
// are wanted.
func (p *plan) newRecorder(r row, t *detailWriter, setting *engine.Setting, jobs *measure.Jobs, followed []followedKey) *measure.Recorder {
	s := p.scenario
	follow := lists.Map(followed, func(f followedKey) int32 { return f.key })
	servers, joining := 0, 0
	if a := r.algorithm; a != nil && limiters.Of(a).Servers != nil {
		servers = limiters.Of(a).Servers(setting, a)
		if a.Rollout == nil && limiters.Of(a).IsAffectedBy("server-added") {
			joining = scenarios.AddedServers(s.Faults)
		}
	}
	deadline, refuses, recoveries := int64(0), false, []int64(nil)
	if g := s.Guard; g != nil {
		deadline, refuses = g.Deadline, g.Queue < math.MaxInt64
	}
	if deadline > 0 {
		recoveries = p.recoveries()
	}
	return measure.NewRecorder(measure.Config{
		Policy: p.measuredPolicy(setting, &s.Policy, p.traffic.MaxCost()), Policies: p.measuredPolicies(setting),
		Faults: measuredFaults(setting), Start: p.start, End: p.end,
		Keys: p.traffic.Keys(), Tenants: p.traffic.Tenants(), Clients: s.Topology.Clients, Servers: servers, JoiningServers: joining,
		Full: s.Full && follow == nil, Follow: follow, Memory: s.MeasureMemory,
		ReferenceShapes: r.waiting != nil, Guarded: s.Guard != nil, Deadline: deadline, Refuses: refuses, Recoveries: recoveries,
		OnAnswers: s.RetriesOf(r.algorithm).OnAnswers(), Settles: p.traffic.Settles(), Exact: p.exactCounter(setting),
		StampResolution: p.resolution(), NoBest: p.noGrid, TenantIsKey: p.tenantIsKey(), OneKey: p.traffic.OneKey(),
		OnWindow: t.windows(), Jobs: jobs,
	})
}

// newShaper returns the exact shaper of the policy with a bound on waiting, the
// reference of algorithms that delay. A queue has the depth that it states, a
// bucket one that admits the largest request.
func (p *plan) newShaper(s *engine.Setting, w counting.Waiting) (counting.Queue, error) {
	limit := referenceLimit(&p.scenario.Policy)
	changes := s.Changes(limit, engine.Whole)
	if !w.Queue {
		limit, changes = p.exactLimit(limit, 0), p.exactChanges(s, limit, 0)
	}
	return counting.NewShaper(limit, changes, w, p.traffic.Keys())
}

// steps returns the instants at which the offered rate jumps, with the cost
// that an exact limiter admits per window afterwards.
func (p *plan) steps(limit counting.Limit) []measure.Step {
	var steps []measure.Step
	for _, s := range p.traffic.Steps() {
		demand := integers.MulDiv(s.After.Count, limit.Window, max(s.After.Per, 1), math.MaxInt64)
		steps = append(steps, measure.Step{At: s.At, Target: min(limit.Count, demand)})
	}
	return steps
}
