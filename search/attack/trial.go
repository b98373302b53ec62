package attack

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// trialer simulates candidates.
type trialer struct {
	file    *scenarios.File // with the scenario alone, and its algorithm alone
	goals   []Goal
	options sim.Options
}

// with returns the scenario file with the traffic of a candidate.
func (t *trialer) with(c *Candidate) (*scenarios.File, error) {
	f, s := *t.file, t.file.Scenarios[0]
	entry := s.Traffic[0]
	entry.Options = catalog.Values{"events": {V: events(c), Given: true}}
	s.Faults = slices.Concat(s.Faults, lists.Map(c.Faults, func(f Fault) scenarios.Fault { return f.Fault }))
	if len(s.Faults) == 0 {
		s.Duration = min(s.Duration, lengthFor(c, s.LongestWindow()))
		entry.To = s.Duration
	}
	s.Traffic = []scenarios.Traffic{entry}
	s.Seed, f.Seed = c.Seed, c.Seed
	if c.Phase != "" {
		field := phaseField(&s)
		phase, err := scenarios.Options([]catalog.Field{*field}, map[string]string{field.Name: c.Phase})
		if err != nil {
			return nil, err
		}
		algorithm := s.Algorithms[0]
		algorithm.Options = maps.Clone(algorithm.Options)
		maps.Copy(algorithm.Options, phase)
		s.Algorithms = []scenarios.Algorithm{algorithm}
	}
	f.Scenarios = []scenarios.Scenario{s}
	return &f, nil
}

// lengthFor returns a time in ns, in whole windows of a length in ns, in which the
// requests of a candidate are decided: a window and a second after the last one.
func lengthFor(c *Candidate, window int64) (ns int64) {
	for _, t := range c.Trains {
		ns = max(ns, t.last())
	}
	return (ns + int64(time.Second) + 2*window - 1) / window * window
}

// events returns the requests of a candidate as events of the pattern list.
func events(c *Candidate) (list []any) {
	for _, t := range c.Trains {
		v := catalog.Values{}
		set := func(option string, given bool, value any) {
			if given {
				v[option] = catalog.Value{V: value, Given: true}
			}
		}
		set("at", true, t.At)
		set("count", true, t.Count)
		set("every", t.Gap > 0, t.Gap)
		set("cost", t.Cost > 1, t.Cost)
		set("client", t.Client >= 0, int64(t.Client))
		set("key", t.Key > 0, fmt.Sprintf("key-%d", t.Key))
		list = append(list, v)
	}
	return list
}

// run runs a file and returns the row of its algorithm.
func (t *trialer) run(ctx context.Context, f *scenarios.File) (results.Result, error) {
	o := t.options
	o.Workers = 1
	d, err := sim.Run(ctx, f, o)
	if err != nil {
		return results.Result{}, err
	}
	return rowOf(d, f)
}

// rowOf returns the row of the algorithm of a file.
func rowOf(d *results.Document, f *scenarios.File) (results.Result, error) {
	i := slices.IndexFunc(d.Results, func(r results.Result) bool { return r.Algorithm == f.Scenarios[0].Algorithms[0].Name })
	if i < 0 {
		return results.Result{}, errors.New("the run has no row for the algorithm")
	}
	return d.Results[i], nil
}

// scores simulates a candidate and returns a score for each goal. A candidate that
// the program rejects, such as one with faults that exclude each other, has no
// figure.
func (t *trialer) scores(ctx context.Context, c *Candidate) ([]score, error) {
	f, err := t.with(c)
	if err != nil {
		return nil, err
	}
	r, err := t.run(ctx, f)
	if invalid, ok := errors.AsType[*sim.Invalid](err); ok {
		return t.without(invalid), nil
	}
	if err != nil {
		return nil, err
	}
	return t.scoresOf(r, c), nil
}
