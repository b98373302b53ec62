package attack

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
)

// score is the result of a candidate's trial.
type score struct {
	figure   float64 // of the metric, with the sign that makes larger ones worse
	admitted float64 // requests
	requests int64
	valid    bool // the metric has a figure
}

// worse reports whether s is worse for the limiter than o: a larger figure, or as
// large a one from fewer requests. Without any figure above 0, what admits more
// requests is worse, because it is nearer to one.
func (s score) worse(o score) bool {
	switch {
	case s.valid != o.valid:
		return s.valid
	case s.figure != o.figure:
		return s.figure > o.figure
	case s.figure == 0 && s.admitted != o.admitted:
		return s.admitted > o.admitted
	}
	return s.requests < o.requests
}

// trialer simulates candidates.
type trialer struct {
	file     *scenarios.File // with the scenario alone, and its algorithm alone
	metric   catalog.Metric
	options  sim.Options
	noFigure string // why the last candidate had none
}

// sign returns the factor that makes larger figures of the metric worse.
func (t *trialer) sign() float64 {
	if t.metric.Better > 0 {
		return -1
	}
	return 1
}

// with returns the scenario file with the traffic of a candidate.
func (t *trialer) with(c *Candidate) (*scenarios.File, error) {
	f, s := *t.file, t.file.Scenarios[0]
	entry := s.Traffic[0]
	entry.Options = catalog.Values{"events": {V: events(c), Given: true}}
	s.Traffic = []scenarios.Traffic{entry}
	s.Faults = slices.Clone(s.Faults)
	for _, fault := range c.Faults {
		s.Faults = append(s.Faults, fault.Fault)
	}
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

// events returns the requests of a candidate as events of the pattern list.
func events(c *Candidate) (list []any) {
	event := func(t Train, at, count int64) {
		v := catalog.Values{"at": {V: at, Given: true}, "count": {V: count, Given: true}}
		if t.Client >= 0 {
			v["client"] = catalog.Value{V: int64(t.Client), Given: true}
		}
		if t.Key > 0 {
			v["key"] = catalog.Value{V: fmt.Sprintf("key-%d", t.Key), Given: true}
		}
		list = append(list, v)
	}
	for _, t := range c.Trains {
		if t.Gap == 0 {
			event(t, t.At, t.Count)
			continue
		}
		for i := range t.Count {
			event(t, t.At+i*t.Gap, 1)
		}
	}
	return list
}

// row simulates a candidate and returns the row of the algorithm.
func (t *trialer) row(ctx context.Context, c *Candidate) (results.Result, error) {
	f, err := t.with(c)
	if err != nil {
		return results.Result{}, err
	}
	return t.run(ctx, f, f.Scenarios[0].Algorithms[0].Name)
}

// run runs a file and returns the row with a name.
func (t *trialer) run(ctx context.Context, f *scenarios.File, name string) (results.Result, error) {
	o := t.options
	o.Workers = 1
	d, err := sim.Run(ctx, f, o)
	if err != nil {
		return results.Result{}, err
	}
	for _, r := range d.Results {
		if r.Algorithm == name {
			return r, nil
		}
	}
	return results.Result{}, errors.New("the run has no row for the algorithm")
}

// score simulates a candidate. A candidate that the program rejects, such as one
// with faults that exclude each other, has no figure.
func (t *trialer) score(ctx context.Context, c *Candidate) (score, string, error) {
	r, err := t.row(ctx, c)
	if invalid, ok := errors.AsType[*sim.Invalid](err); ok {
		return score{}, invalid.Error(), nil
	}
	if err != nil {
		return score{}, "", err
	}
	m, admitted := r.Metrics[t.metric.Name], r.Metrics["admitted_requests"]
	if m.Mean == nil {
		return score{}, m.Reason, nil
	}
	s := score{figure: *m.Mean * t.sign(), requests: c.Requests(), valid: true}
	if admitted.Mean != nil {
		s.admitted = *admitted.Mean
	}
	return s, "", nil
}
