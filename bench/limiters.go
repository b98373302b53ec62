package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	juju "github.com/juju/ratelimit"
	"github.com/sethvargo/go-limiter/memorystore"
	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"
	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
	uber "go.uber.org/ratelimit"
	"golang.org/x/time/rate"

	"github.com/limitgauge/limitgauge/algorithms/rover"
)

// calls is how many calls the goroutines of one measurement make together. The
// limit is so high that nothing waits: what is measured is the call.
const (
	calls    = 2_000_000
	callRate = 1_000_000_000 // per second
)

// limiters compares limiters as a program calls them, shared by goroutines.
func limiters() []group {
	var groups []group
	for _, goroutines := range []int{1, 2, 4, 8} {
		groups = append(groups, group{
			name: fmt.Sprintf("limiters, %d goroutines", goroutines), unit: "call",
			what: "calls to one shared limiter of 1,000,000,000/s; only rates and counts differ, nothing waits",
			contestants: []contestant{
				shared("atomic add", goroutines, func() (func() error, error) {
					var n atomic.Uint64
					return func() error { n.Add(1); return nil }, nil
				}),
				tickedRover(goroutines),
				shared("rover, a clock read each call", goroutines, func() (func() error, error) {
					b, err := newRover()
					start := time.Now()
					return func() error {
						b.Replenish(int64(time.Since(start)))
						b.Deficiency(b.Grab(1))
						return nil
					}, err
				}),
				shared("golang.org/x/time/rate", goroutines, func() (func() error, error) {
					l := rate.NewLimiter(callRate, callRate)
					return func() error { l.Allow(); return nil }, nil
				}),
				shared("go.uber.org/ratelimit", goroutines, func() (func() error, error) {
					l := uber.New(callRate)
					return func() error { l.Take(); return nil }, nil
				}),
				shared("juju/ratelimit", goroutines, func() (func() error, error) {
					l := juju.NewBucketWithRate(callRate, callRate)
					return func() error { l.TakeAvailable(1); return nil }, nil
				}),
				shared("throttled", goroutines, func() (func() error, error) {
					store, err := memstore.NewCtx(0)
					if err != nil {
						return nil, err
					}
					l, err := throttled.NewGCRARateLimiterCtx(store, throttled.RateQuota{MaxRate: throttled.PerSec(callRate), MaxBurst: callRate})
					ctx := context.Background()
					return func() error { _, _, err := l.RateLimitCtx(ctx, "key", 1); return err }, err
				}),
				shared("sethvargo/go-limiter", goroutines, func() (func() error, error) {
					store, err := memorystore.New(&memorystore.Config{Tokens: callRate, Interval: time.Second})
					ctx := context.Background()
					return func() error { _, _, _, _, err := store.Take(ctx, "key"); return err }, err
				}),
				shared("ulule/limiter", goroutines, func() (func() error, error) {
					l := limiter.New(memory.NewStore(), limiter.Rate{Period: time.Second, Limit: callRate})
					ctx := context.Background()
					return func() error { _, err := l.Get(ctx, "key"); return err }, nil
				}),
			},
		})
	}
	return groups
}

// shared has goroutines call one limiter; each round has a new one.
func shared(name string, goroutines int, fresh func() (call func() error, err error)) contestant {
	return contestant{name: name, run: func(context.Context) (int, error) {
		call, err := fresh()
		if err != nil {
			return 0, err
		}
		var first atomic.Pointer[error]
		var wait sync.WaitGroup
		for range goroutines {
			wait.Go(func() {
				for range calls / goroutines {
					if err := call(); err != nil {
						first.CompareAndSwap(nil, &err)
						return
					}
				}
			})
		}
		wait.Wait()
		if err := first.Load(); err != nil {
			return 0, *err
		}
		return calls / goroutines * goroutines, nil
	}}
}

func newRover() (*rover.Bucket, error) {
	return rover.New(rover.Config{Rate: callRate, Limit: callRate, Full: true})
}

// tickedRover replenishes from a ticker of its own, each millisecond.
func tickedRover(goroutines int) contestant {
	c := contestant{name: "rover, replenished each 1 ms"}
	c.run = func(ctx context.Context) (int, error) {
		b, err := newRover()
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
		return shared("", goroutines, func() (func() error, error) {
			return func() error { b.Deficiency(b.Grab(1)); return nil }, nil
		}).run(ctx)
	}
	return c
}
