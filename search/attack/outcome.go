package attack

import (
	"context"
	"fmt"

	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/scenarios"
)

// File returns the scenario file with the traffic of a candidate. Its run gives the
// figure of the search.
func File(f *scenarios.File, c *Candidate) (*scenarios.File, error) {
	return (&trialer{file: f}).with(c)
}

// Row runs the only scenario of a file and returns the row of its algorithm.
func Row(ctx context.Context, f *scenarios.File, o Options) (results.Result, error) {
	s := &f.Scenarios[0]
	t := &trialer{file: f, metric: o.Metric, options: o.Sim}
	return t.run(ctx, f, s.Algorithms[0].Name)
}

// Others returns the figures of a candidate under other random draws, under the
// seeds that follow its own.
func Others(ctx context.Context, f *scenarios.File, c *Candidate, o Options, seeds int) (figures []float64, err error) {
	t := &trialer{file: f, metric: o.Metric, options: o.Sim}
	for i := range seeds {
		other := c.clone()
		other.Seed = c.Seed + uint64(i) + 1
		s, reason, err := t.score(ctx, other)
		if err != nil {
			return nil, err
		}
		if !s.valid {
			return nil, fmt.Errorf("seed %d: %s", other.Seed, reason)
		}
		figures = append(figures, s.figure*t.sign())
	}
	return figures, nil
}
