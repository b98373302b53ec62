// Package attack searches for the traffic that is worst for a limiter. It starts
// from known patterns, changes the best ones at random, refines their times, and
// then removes the requests that the figure does not need. Each candidate is a
// scenario that sim runs, so every figure is one that the limiter really has.
//
// The result is a pure function of the scenario and the options: any number of
// workers finds the same.
package attack

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/limitgauge/limitgauge/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
)

// Options states what to search for and how long.
type Options struct {
	Metric   catalog.Metric
	May      Choices
	Requests int64   // of a candidate, at most
	Budget   int64   // requests of all candidates together; each counts at least LeastCharge
	Apart    int64   // ns between any two requests, at least; 0 allows bursts at one instant
	Keys     int     // keys to choose from; 1 unless May.Keys
	Seed     uint64  // of the search, and of the scenario's draws unless May.Phases
	Bound    float64 // of theory, on the figure
	Bounded  bool    // the search ends as soon as the figure is at Bound
	Workers  int     // trials at a time, at most; from 1
	Sim      sim.Options
	Progress *Progress // may be nil
}

// Progress reports the progress of a search. It is safe for concurrent use.
type Progress struct{ Trials, Used atomic.Int64 }

// LeastCharge is the least that a trial uses of the budget, in requests: a trial
// without requests takes time, too.
const LeastCharge = 200

// Found is the worst traffic of a search.
type Found struct {
	Candidate *Candidate
	From      string  // the pattern that the search started from
	Figure    float64 // of the metric
	Admitted  float64 // requests
	Trials    int64
	Used      int64 // requests of all trials, as the budget counts them
	AtBound   bool  // the search ended early
}

// OneBurst reports whether all requests arrive at one instant.
func (f *Found) OneBurst() bool {
	first, last := f.Candidate.Trains[0], f.Candidate.Trains[len(f.Candidate.Trains)-1]
	return first.At == last.last()
}

// batchSize is the number of candidates that are made before any of them is
// judged. It does not depend on the workers, so neither does the result.
const batchSize = 16

// populationSize is the number of candidates that the search keeps.
const populationSize = 12

// scored is a candidate with its score.
type scored struct {
	*Candidate
	score
}

// search holds the state of a search.
type search struct {
	Options
	space
	trials     trialer
	population []scored // the worst first
	count, due int64    // trials, and what they used of the budget
}

// Run searches for the worst traffic of the only algorithm of the only scenario of
// a file. The file's traffic is replaced; it must have one entry. If ctx ends
// early, Run returns its error.
func Run(ctx context.Context, f *scenarios.File, o Options) (*Found, error) {
	s := newSearch(f, o)
	m := &mutator{space: s.space, draw: random.New(o.Seed, 0, "attack")}
	starts := append(s.outages(f.Scenarios[0].Faults), s.patterns()...)
	for batch := range slices.Chunk(starts, batchSize) {
		if s.ended(1) {
			break
		}
		if err := s.try(ctx, batch); err != nil {
			return nil, err
		}
	}
	if len(s.population) == 0 || !s.population[0].valid {
		return nil, fmt.Errorf("%s has no figure under any known pattern: %s", o.Metric.Name, s.trials.noFigure)
	}
	for !s.ended(0.6) {
		var batch []*Candidate
		for range batchSize {
			u := m.below(1 << 20)
			rank := int(u * u / (1 << 20) * int64(len(s.population)) / (1 << 20))
			if c := m.child(s.population[rank].Candidate); c != nil {
				batch = append(batch, c)
			}
		}
		if err := s.try(ctx, batch); err != nil {
			return nil, err
		}
	}
	if err := s.refine(ctx); err != nil {
		return nil, err
	}
	if err := s.minimise(ctx); err != nil {
		return nil, err
	}
	best := s.population[0]
	return &Found{Candidate: best.Candidate, From: best.from, Figure: best.figure * s.trials.sign(), Admitted: best.admitted,
		Trials: s.count, Used: s.due, AtBound: s.atBound()}, nil
}

func newSearch(f *scenarios.File, o Options) *search {
	scenario := &f.Scenarios[0]
	s := &search{Options: o, trials: trialer{file: f, metric: o.Metric, options: o.Sim}}
	s.space = space{
		window: scenario.LongestWindow(), count: scenario.Policy.Limit.Count, burst: scenario.Policy.Burst, end: scenario.Duration,
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

// atBound reports whether the figure is the bound of theory, but for a millionth.
func (s *search) atBound() bool {
	return s.Bounded && len(s.population) > 0 && s.population[0].valid && s.population[0].figure >= s.Bound*(1-1e-6)
}

// ended reports whether a share of the budget is used up, or nothing worse can be
// found.
func (s *search) ended(share float64) bool {
	return float64(s.due) >= share*float64(s.Budget) || s.atBound()
}

// try simulates candidates in parallel and keeps the worst.
func (s *search) try(ctx context.Context, batch []*Candidate) error {
	scores, err := s.scores(ctx, batch)
	if err != nil {
		return err
	}
	for i, c := range batch {
		s.keep(scored{c, scores[i]})
	}
	return nil
}

// keep adds a candidate to the population, unless one with the same score is in it.
func (s *search) keep(c scored) {
	i := slices.IndexFunc(s.population, func(o scored) bool { return !o.worse(c.score) })
	switch {
	case i >= 0 && !c.worse(s.population[i].score):
		return
	case i < 0:
		i = len(s.population)
	}
	s.population = slices.Insert(s.population, i, c)
	s.population = s.population[:min(len(s.population), populationSize)]
}

// scores simulates candidates in parallel, in the order of the batch.
func (s *search) scores(ctx context.Context, batch []*Candidate) ([]score, error) {
	scores, reasons, errs := make([]score, len(batch)), make([]string, len(batch)), make([]error, len(batch))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(s.Workers, len(batch)) {
		workers.Go(func() {
			for i := range next {
				scores[i], reasons[i], errs[i] = s.trials.score(ctx, batch[i])
			}
		})
	}
	for i := range batch {
		next <- i
	}
	close(next)
	workers.Wait()
	defer func() {
		if s.Progress != nil {
			s.Progress.Trials.Store(s.count)
			s.Progress.Used.Store(s.due)
		}
	}()
	for i, c := range batch {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if reasons[i] != "" {
			s.trials.noFigure = reasons[i]
		}
		s.count++
		s.due += max(LeastCharge, c.Requests())
	}
	return scores, nil
}
