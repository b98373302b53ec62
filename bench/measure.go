package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// timing holds the times of a contestant's rounds, in ns per operation.
type timing struct {
	wall []float64
	cpu  []float64 // processor time, which other programs on the machine change little
}

func median(each []float64) float64 { return slices.Sorted(slices.Values(each))[len(each)/2] }

// inTurn runs the contestants in turn, round after round, so that other load of
// the machine affects all of them. The first round warms up and does not count.
func inTurn(ctx context.Context, contestants []contestant, rounds int) ([]timing, error) {
	times := make([]timing, len(contestants))
	for round := range rounds + 1 {
		for i, c := range contestants {
			if c.skip != "" {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			start, cpu := time.Now(), processorTime()
			n, err := c.run(ctx)
			wall := time.Since(start)
			cpu = processorTime() - cpu
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			if n <= 0 {
				return nil, fmt.Errorf("%s did nothing", c.name)
			}
			if round > 0 {
				times[i].wall = append(times[i].wall, float64(wall)/float64(n))
				times[i].cpu = append(times[i].cpu, float64(cpu)/float64(n))
			}
		}
	}
	return times, nil
}
