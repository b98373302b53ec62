package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/rover"
)

// chunk is the number of tokens that a lease claims at a time.
const chunk = 64

// rovers returns the ways to call limitgauge's concurrent bucket. The first one
// is a bare atomic add, the baseline.
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
				l := b.Lease(chunk, nil)
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
			leases := sync.Pool{New: func() any { return b.Lease(chunk, nil) }}
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

// newRover returns a bucket that credits at least threshold tokens at a time.
func newRover(threshold uint64) (*rover.Bucket, error) {
	return rover.New(rover.Config{Rate: callRate, Limit: callRate, Threshold: threshold, Full: true})
}

// clocked returns callers that replenish before each claim. The rate is one
// token per ns, so that with a threshold of 1 each call also credits tokens.
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

// ticked returns callers of a bucket that another goroutine replenishes every
// millisecond.
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
