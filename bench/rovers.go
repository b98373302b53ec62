package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/rover"
)

// chunk is how many tokens a lease claims at a time.
const chunk = 64

// rovers are the ways to call limitgauge's concurrent bucket, after the atomic
// add that they are measured against.
func rovers(goroutines int) []contestant {
	return []contestant{
		shared("atomic add", goroutines, quickCalls, func() (work, error) {
			var total atomic.Uint64
			return func(n int) error {
				for range n {
					total.Add(1)
				}
				return nil
			}, nil
		}),
		ticked("rover, a lease of 64 for each goroutine", goroutines, func(b *rover.Bucket) work {
			return func(n int) error {
				l := b.Lease(chunk)
				defer l.Return()
				for range n {
					if !l.Take(1) {
						return errRefused
					}
				}
				return nil
			}
		}),
		ticked("rover, a lease of 64 from a sync.Pool", goroutines, func(b *rover.Bucket) work {
			leases := sync.Pool{New: func() any { return b.Lease(chunk) }}
			return func(n int) error {
				for range n {
					l := leases.Get().(*rover.Lease)
					ok := l.Take(1)
					leases.Put(l)
					if !ok {
						return errRefused
					}
				}
				return nil
			}
		}),
		ticked("rover, grab and look", goroutines, func(b *rover.Bucket) work {
			return func(n int) error {
				for range n {
					if b.Deficiency(b.Grab(1)) > 0 {
						return errRefused
					}
				}
				return nil
			}
		}),
		ticked("rover, claim or be refused", goroutines, func(b *rover.Bucket) work {
			return func(n int) error {
				for range n {
					if b.TryGrab(1, 1) == 0 {
						return errRefused
					}
				}
				return nil
			}
		}),
		clocked("rover, a clock read each call", goroutines, 1),
		clocked("rover, a clock read each call, credits of 1 us and more", goroutines, callRate/1_000_000),
	}
}

// newRover makes a bucket that credits threshold tokens at a time or more.
func newRover(threshold uint64) (*rover.Bucket, error) {
	return rover.New(rover.Config{Rate: callRate, Limit: callRate, Threshold: threshold, Full: true})
}

// clocked has each caller replenish before it claims. At this rate a token is
// earned each ns, so that with a threshold of 1 every call also credits some.
func clocked(name string, goroutines int, threshold uint64) contestant {
	return shared(name, goroutines, calls, func() (work, error) {
		b, err := newRover(threshold)
		start := time.Now()
		return func(n int) error {
			for range n {
				b.Replenish(int64(time.Since(start)))
				if b.Deficiency(b.Grab(1)) > 0 {
					return errRefused
				}
			}
			return nil
		}, err
	})
}

// ticked shares a bucket that is replenished each millisecond by a goroutine
// beside those that call.
func ticked(name string, goroutines int, do func(*rover.Bucket) work) contestant {
	return contestant{name: name, run: func(ctx context.Context) (int, error) {
		b, err := newRover(1)
		if err != nil {
			return 0, err
		}
		stop := make(chan struct{})
		var ticking sync.WaitGroup
		ticking.Go(func() {
			start, ticker := time.Now(), time.NewTicker(time.Millisecond)
			defer ticker.Stop()
			for {
				select {
				case <-stop:
					return
				case <-ticker.C:
					b.Replenish(int64(time.Since(start)))
				}
			}
		})
		defer ticking.Wait()
		defer close(stop)
		return shared(name, goroutines, quickCalls, func() (work, error) { return do(b), nil }).run(ctx)
	}}
}
