package main

import (
	"context"
	"fmt"
	"io"
)

// contestant is a sender.
type contestant struct {
	name   string
	warmUp int    // requests that it sends before its schedule begins
	skip   string // why it cannot run here; "" if it can

	// send sends a load to a URL. It returns what the sender recorded itself, or nil.
	send func(ctx context.Context, url string, l load) (recorded *figures, err error)
}

// compare makes the contestants send in turn, round after round, so that other load of
// the machine affects all of them, and prints how late their requests were.
func compare(ctx context.Context, w io.Writer, s *server, all []contestant, l load, rounds int) error {
	arrived, recorded := make([][]figures, len(all)), make([][]figures, len(all))
	for range rounds {
		for i, c := range all {
			if c.skip != "" {
				continue
			}
			s.take()
			own, err := c.send(ctx, s.url(), l)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			times := s.take()
			arrived[i] = append(arrived[i], lateness(times[min(c.warmUp, len(times)):], l.perS))
			if own != nil {
				recorded[i] = append(recorded[i], *own)
			}
		}
	}
	fmt.Fprintf(w, "%d/s for %v, %d requests, %d rounds in turn: medians of the rounds, the largest maximum, the fewest requests\n",
		l.perS, l.duration, l.requests(), rounds)
	fmt.Fprintf(w, "%-36s  %8s  %8s  %8s  %8s  %8s  %8s\n", "lateness in us", "requests", "p50", "p99", "max", "p50 of 1", "p99 of 1")
	var first figures
	row := func(name string, each []figures) {
		f := typical(each)
		if first.requests == 0 {
			first = f
		}
		fmt.Fprintf(w, "%-36s  %8d  %8.1f  %8.1f  %8.1f  %8.2f  %8.2f\n", name, f.requests, f.p50, f.p99, f.max, f.p50/first.p50, f.p99/first.p99)
	}
	for i, c := range all {
		if c.skip != "" {
			fmt.Fprintf(w, "%-36s  %s\n", c.name, c.skip)
			continue
		}
		row(c.name, arrived[i])
		if len(recorded[i]) > 0 {
			row(c.name+", by its records", recorded[i])
		}
	}
	return nil
}
