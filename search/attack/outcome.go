package attack

import (
	"context"
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios"
)

// File returns the scenario file with the traffic of a candidate. Its run gives the
// figure of the search.
func File(f *scenarios.File, c *Candidate) (*scenarios.File, error) {
	return (&trialer{file: f}).with(c)
}

// Figure runs a file with one scenario and returns the figure of a goal, and whether
// the algorithm drew no random number. It returns an error if there is no figure.
func Figure(ctx context.Context, f *scenarios.File, g Goal, o Options) (figure float64, exact bool, err error) {
	t := &trialer{file: f, goals: []Goal{g}, options: o.Sim}
	r, err := t.run(ctx, f)
	if err != nil {
		return 0, false, err
	}
	m := r.Metrics[g.Metric.Name]
	if m.Mean == nil {
		return 0, false, errors.New(m.Reason)
	}
	return *m.Mean, r.Exact, nil
}

// Others returns the figures of a candidate under other random draws, under the
// seeds that follow its own.
func Others(ctx context.Context, f *scenarios.File, c *Candidate, g Goal, o Options, seeds int) (figures []float64, err error) {
	for i := range seeds {
		other := c.clone()
		other.Seed = c.Seed + uint64(i) + 1
		file, err := File(f, other)
		if err != nil {
			return nil, err
		}
		figure, _, err := Figure(ctx, file, g, o)
		if err != nil {
			return nil, fmt.Errorf("seed %d: %w", other.Seed, err)
		}
		figures = append(figures, figure)
	}
	return figures, nil
}

// Unlimited reports whether the algorithm admits every request of the largest burst,
// early and late in the run.
func Unlimited(ctx context.Context, f *scenarios.File, o Options) (bool, error) {
	s := newSearch(f, o)
	for _, at := range []int64{s.window / 2, s.end - s.window/3} {
		file, err := File(f, &Candidate{Trains: []Train{burst(at, o.Requests)}, Seed: o.Seed})
		if err != nil {
			return false, err
		}
		r, err := s.trials.run(ctx, file)
		if err != nil {
			return false, err
		}
		if admitted := r.Metrics["admitted_requests"].Mean; admitted == nil || *admitted != float64(o.Requests) {
			return false, nil
		}
	}
	return true, nil
}

// Outage is the worst figure of a goal during an outage.
type Outage struct {
	Kind   string // of the fault; "" if no outage gives a worse figure than another
	Figure float64
}

// Outages returns the figure of each goal that the largest burst has in the worst total
// outage that can affect the limiter. It returns nil if none can, or if the scenario has
// faults of its own.
func Outages(ctx context.Context, f *scenarios.File, o Options) ([]Outage, error) {
	if len(f.Scenarios[0].Faults) > 0 {
		return nil, nil
	}
	o.May.Faults = true
	s := newSearch(f, o)
	candidates := s.outages(nil)
	if len(candidates) == 0 {
		return nil, nil
	}
	scores, err := s.simulate(ctx, candidates)
	if err != nil {
		return nil, err
	}
	worst := make([]Outage, len(o.Goals))
	for goal := range worst {
		var at score
		for i, own := range scores {
			if own[goal].valid && own[goal].worse(at) {
				at = own[goal]
				worst[goal] = Outage{candidates[i].Faults[0].Kind, at.figure * o.Goals[goal].sign()}
			}
		}
	}
	return worst, nil
}
