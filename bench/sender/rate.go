package main

import (
	"context"
	"fmt"
	"io"
	"time"
)

const (
	trial   = 3 * time.Second // how long each rate is tried
	nearest = 1.05            // the search ends when the rates on both sides of the limit differ by less
	steady  = time.Minute     // how long half of the highest rate is sent
)

// highest finds the highest rate at which our sender is good, by doubling, then by
// bisecting. A rate has two trials, because other load of the machine can disturb one.
// Then half of the highest rate is sent for a minute.
func highest(ctx context.Context, w io.Writer, s *server) error {
	fmt.Fprintf(w, "\nthe highest rate at which our sender is good for windows of 1 s, by its own records; lateness in us\n")
	fmt.Fprintf(w, "%8s  %8s  %8s  %8s  %8s  %8s\n", "rate/s", "time", "requests", "p50", "p99", "max")
	low, high := 0, 0
	for perS := 1000; high == 0 || float64(high) > nearest*float64(low); {
		l := load{perS, trial}
		good, err := attempt(ctx, w, s, l)
		if err == nil && !good {
			good, err = attempt(ctx, w, s, l)
		}
		switch {
		case err != nil:
			return err
		case good:
			low = perS
		case low == 0:
			return fmt.Errorf("the sender is not good at %d/s", perS)
		default:
			high = perS
		}
		if perS = (low + high) / 2; high == 0 {
			perS = 2 * low
		}
	}
	_, err := attempt(ctx, w, s, load{low / 2, steady})
	return err
}

// attempt sends a load and prints whether our sender was good.
func attempt(ctx context.Context, w io.Writer, s *server, l load) (good bool, err error) {
	o, err := own(ctx, s.url(), l)
	if err != nil {
		return false, err
	}
	s.take()
	f, verdict := o.lateness(), "good"
	if good = o.good(l); !good {
		verdict = "not good"
	}
	fmt.Fprintf(w, "%8d  %8v  %8d  %8.1f  %8.1f  %8.1f  %s\n", l.perS, l.duration, f.requests, f.p50, f.p99, f.max, verdict)
	return good, nil
}
