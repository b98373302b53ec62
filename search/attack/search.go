// Package attack searches for the traffic that is worst for a limiter. It starts
// from known patterns, changes the best ones at random, refines their times, and
// then removes the requests that the figure does not need. Each candidate is a
// scenario that sim runs, so every figure is one that the limiter really has.
//
// The result is a pure function of the scenario and the options: any number of
// workers finds the same.
//
// The package makes no promise: it can change at any time.
package attack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/limitgauge/limitgauge/internal/parallel"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
)

// Options states what to search for and how long.
type Options struct {
	Goals    []Goal // one or more
	May      Choices
	Requests int64  // of a candidate, at most
	Budget   int64  // requests of all candidates together; each counts at least LeastCharge
	Apart    int64  // ns between any two requests, at least; 0 allows bursts at one instant
	Keys     int    // keys to choose from; 1 unless May.Keys
	Seed     uint64 // of the search, and of the scenario's draws unless May.Phases
	Workers  int    // trials at a time, at most; from 1
	Sim      sim.Options
	Progress *Progress // may be nil

	jobs.Elsewhere // for long trials
}

// Progress reports the progress of a search. It is safe for concurrent use.
type Progress struct{ Trials, Used atomic.Int64 }

// LeastCharge is the least that a trial uses of the budget, in requests: a trial
// without requests takes time, too.
const LeastCharge = 200

// Found is the worst traffic for a goal.
type Found struct {
	Candidate *Candidate // nil if no candidate has a figure
	From      string     // the pattern that the search started from
	Figure    float64    // of the goal's metric
	Why       string     // no candidate has a figure
}

// Result is the result of a search.
type Result struct {
	Found       []Found // one for each goal
	Trials      int64
	Used        int64 // requests of all trials, as the budget counts them
	Interrupted bool  // the search did not end; Found is the worst so far
}

// batchSize is the number of candidates that are made before any of them is
// judged. It does not depend on the workers, so neither does the result.
const batchSize = 16

// populationSize is the number of candidates that the search keeps for a goal.
const populationSize = 12

// search holds the state of a search.
type search struct {
	Options
	space
	trials     trialer
	pace       jobs.Pace
	worst      []population // by goal
	count, due int64        // trials, and what they used of the budget

	goal       int          // that the search is at
	ended      []*Candidate // by goal: the worst at the end of its turn; nil before
	from, part int64        // when it began with the goal, and how much of the budget that has
}

// Run searches for the worst traffic of the only algorithm of the only scenario of
// a file, for one goal after the other. The file's traffic is replaced; it must have
// one entry. If ctx ends early, Run returns the worst so far, or the error of ctx if
// there is none. It returns an error if no goal has a figure.
func Run(ctx context.Context, f *scenarios.File, o Options) (*Result, error) {
	s := newSearch(f, o)
	err := s.search(ctx, append(s.outages(f.Scenarios[0].Faults), s.patterns()...))
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return nil, err
	}
	r := &Result{Trials: s.count, Used: s.due, Interrupted: interrupted}
	for goal := range s.Goals {
		r.Found = append(r.Found, s.found(goal))
	}
	some := slices.ContainsFunc(r.Found, func(f Found) bool { return f.Candidate != nil })
	if !some && interrupted {
		return nil, err
	}
	if !some {
		return nil, fmt.Errorf("%s has no figure under any known pattern: %s", s.Goals[0].Metric.Name, r.Found[0].Why)
	}
	return r, nil
}

func newSearch(f *scenarios.File, o Options) *search {
	scenario := &f.Scenarios[0]
	s := &search{Options: o, trials: trialer{file: f, goals: o.Goals, options: o.Sim}, worst: make([]population, len(o.Goals)), ended: make([]*Candidate, len(o.Goals))}
	s.space = space{
		window: scenario.LongestWindow(), count: scenario.Policy.Limit.Count, burst: scenario.Policy.Burst,
		end:  max(scenario.Duration/2, scenario.Duration-scenario.LongestWindow()), // so that all are decided within the run
		most: o.Requests, apart: o.Apart, clients: scenario.Topology.Clients, keys: max(1, o.Keys), may: o.May, seed: o.Seed,
	}
	if o.May.Phases {
		s.phases = phasesOf(scenario)
	}
	if o.May.Faults {
		s.faults = faultsOf(scenario)
	}
	return s
}

// search tries the known patterns for all goals together. Then each goal has an
// equal part of the rest of the budget: for changes at random, to refine, and to
// minimise. What a goal leaves is for the next ones, and at last for goals of which a
// later one has found worse traffic.
func (s *search) search(ctx context.Context, starts []*Candidate) error {
	for batch := range slices.Chunk(starts, batchSize) {
		if s.due >= s.Budget || s.allAtBound() {
			break
		}
		if err := s.try(ctx, batch); err != nil {
			return err
		}
	}
	m := &mutator{space: s.space, draw: random.New(s.Seed, 0, "attack")}
	for s.goal = range s.Goals {
		s.from, s.part = s.due, (s.Budget-s.due)/int64(len(s.Goals)-s.goal)
		if len(s.worst[s.goal]) == 0 || !s.best().scores[s.goal].valid {
			continue
		}
		for !s.usedUp(0.5) {
			if err := s.try(ctx, s.children(m)); err != nil {
				return err
			}
		}
		if err := s.improve(ctx); err != nil {
			return err
		}
		s.ended[s.goal] = s.best().Candidate
	}
	for s.goal = range s.Goals {
		if s.ended[s.goal] == nil || s.ended[s.goal] == s.best().Candidate {
			continue
		}
		s.from, s.part = s.due, s.Budget-s.due
		if err := s.improve(ctx); err != nil {
			return err
		}
	}
	return nil
}

// improve refines and minimises the worst candidate. It removes needless trains first,
// because refining takes time for each.
func (s *search) improve(ctx context.Context) error {
	m := &minimiser{search: s, ctx: ctx}
	if m.removeTrains(); m.err != nil {
		return m.err
	}
	if err := s.refine(ctx); err != nil {
		return err
	}
	m.minimise()
	return m.err
}

// children returns changed copies of the worst candidates, more of the very worst.
func (s *search) children(m *mutator) (batch []*Candidate) {
	parents := s.worst[s.goal]
	for range batchSize {
		u := m.below(1 << 20)
		rank := int(u * u / (1 << 20) * int64(len(parents)) / (1 << 20))
		if c := m.child(parents[rank].Candidate); c != nil {
			batch = append(batch, c)
		}
	}
	return batch
}

// best returns the worst candidate for the goal that the search is at.
func (s *search) best() *scored { return &s.worst[s.goal][0] }

// found returns the worst candidate for a goal: that of an earlier goal if it is as
// bad.
func (s *search) found(goal int) Found {
	if len(s.worst[goal]) == 0 {
		return Found{Why: "no trial has ended"}
	}
	best := s.worst[goal][0]
	if own := best.scores[goal]; !own.valid {
		return Found{Why: own.why}
	}
	for earlier := range goal {
		if other := s.worst[earlier][0]; other.scores[goal].valid && other.scores[goal].figure >= best.scores[goal].figure {
			best = other
			break
		}
	}
	return Found{Candidate: best.Candidate, From: best.Candidate.from, Figure: best.scores[goal].figure * s.Goals[goal].sign()}
}

// atBound reports whether the figure of a goal is the bound of theory, but for a
// millionth.
func (s *search) atBound(goal int) bool {
	g := &s.Goals[goal]
	if !g.Bounded || len(s.worst[goal]) == 0 {
		return false
	}
	own := s.worst[goal][0].scores[goal]
	return own.valid && own.figure >= g.Bound*(1-1e-6)
}

func (s *search) allAtBound() bool {
	for goal := range s.Goals {
		if !s.atBound(goal) {
			return false
		}
	}
	return true
}

// usedUp reports whether a share of the goal's part of the budget is used up, or
// nothing worse can be found.
func (s *search) usedUp(share float64) bool {
	return s.due >= s.Budget || float64(s.due-s.from) >= share*float64(s.part) || s.atBound(s.goal)
}

// try simulates candidates in parallel and keeps the worst for each goal.
func (s *search) try(ctx context.Context, batch []*Candidate) error {
	scores, err := s.simulate(ctx, batch)
	if err != nil {
		return err
	}
	for i, c := range batch {
		for goal := range s.worst {
			s.keep(goal, scored{c, scores[i]})
		}
	}
	return nil
}

// keep keeps a candidate if it is one of the worst for a goal. After the goal's turn,
// only a worse figure counts.
func (s *search) keep(goal int, c scored) {
	if s.ended[goal] != nil && c.scores[goal].figure <= s.worst[goal][0].scores[goal].figure {
		return
	}
	s.worst[goal].keep(goal, c)
}

// simulateHere simulates candidates in parallel on this machine.
func (s *search) simulateHere(ctx context.Context, batch []*Candidate, scores [][]score) error {
	errs := make([]error, len(batch))
	err := parallel.Each(ctx, len(batch), s.Workers, func(_ context.Context, i int) error {
		began := time.Now()
		scores[i], errs[i] = s.trials.scores(ctx, batch[i])
		s.pace.Ran(time.Since(began))
		return errs[i]
	})
	return cmp.Or(cmp.Or(errs...), err) // the first one in the order of the batch
}

// simulate simulates candidates in parallel and returns their scores in the order of
// the batch.
func (s *search) simulate(ctx context.Context, batch []*Candidate) ([][]score, error) {
	scores, simulate := make([][]score, len(batch)), s.simulateHere
	if s.Queue != nil && s.pace.Worth(len(batch)) {
		simulate = s.simulateElsewhere
	}
	if err := simulate(ctx, batch, scores); err != nil {
		return nil, err
	}
	for _, c := range batch {
		s.count++
		s.due += max(LeastCharge, c.Requests())
	}
	if s.Progress != nil {
		s.Progress.Trials.Store(s.count)
		s.Progress.Used.Store(s.due)
	}
	return scores, nil
}
