package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// timing is what a contestant took: the median over the rounds.
type timing struct {
	median float64 // ns per operation
}

// inTurn runs the contestants in turn, round after round, so that what else
// the machine does falls on all of them. A first round warms up and does not
// count.
func inTurn(ctx context.Context, g group, rounds int) ([]timing, error) {
	all := make([][]float64, len(g.contestants))
	for round := range rounds + 1 {
		for i, c := range g.contestants {
			if c.skip != "" {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			start := time.Now()
			n, err := c.run(ctx)
			took := time.Since(start)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			if n <= 0 {
				return nil, fmt.Errorf("%s did nothing", c.name)
			}
			if round > 0 {
				all[i] = append(all[i], float64(took.Nanoseconds())/float64(n))
			}
		}
	}
	times := make([]timing, len(all))
	for i, each := range all {
		if len(each) > 0 {
			slices.Sort(each)
			times[i].median = each[len(each)/2]
		}
	}
	return times, nil
}
