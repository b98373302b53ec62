package main

import (
	"context"
	"errors"
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
)

// The limit is so high that no request waits or is rejected, because only the
// call is measured. calls is the total number of calls of all goroutines in one
// measurement. Calls of a few nanoseconds are repeated more often, so that
// starting goroutines has no visible cost.
const (
	callRate   = 1_000_000_000 // per second
	calls      = 2_000_000
	quickCalls = 20_000_000
)

// work makes n calls to the shared limiter in its own loop, as if a program had
// the calls inline.
type work func(n int) error

// limiters compares limiters that goroutines share, called as a program calls
// them.
func limiters() []group {
	var groups []group
	for _, goroutines := range []int{1, 2, 4, 8} {
		groups = append(groups, group{
			name: fmt.Sprintf("limiters, goroutines: %d", goroutines), unit: "call",
			what:        "calls to one shared limiter of 1,000,000,000/s that refuses none",
			contestants: append(rovers(goroutines), libraries(goroutines)...),
		})
	}
	return groups
}

func libraries(goroutines int) []contestant {
	ctx := context.Background()
	return []contestant{
		shared("golang.org/x/time/rate", goroutines, calls, func() (work, error) {
			l := rate.NewLimiter(callRate, callRate)
			return each(func() (bool, error) { return l.Allow(), nil }), nil
		}),
		shared("go.uber.org/ratelimit", goroutines, calls, func() (work, error) {
			l := uber.New(callRate)
			return each(func() (bool, error) { l.Take(); return true, nil }), nil
		}),
		shared("juju/ratelimit", goroutines, calls, func() (work, error) {
			l := juju.NewBucketWithRate(callRate, callRate)
			return each(func() (bool, error) { return l.TakeAvailable(1) == 1, nil }), nil
		}),
		shared("throttled", goroutines, calls, func() (work, error) {
			store, err := memstore.NewCtx(0)
			if err != nil {
				return nil, err
			}
			l, err := throttled.NewGCRARateLimiterCtx(store, throttled.RateQuota{MaxRate: throttled.PerSec(callRate), MaxBurst: callRate})
			if err != nil {
				return nil, err
			}
			l.SetMaxCASAttemptsLimit(calls) // the default of 10 is too low under contention: calls fail
			return each(func() (bool, error) { limited, _, err := l.RateLimitCtx(ctx, "key", 1); return !limited, err }), nil
		}),
		shared("sethvargo/go-limiter", goroutines, calls, func() (work, error) {
			store, err := memorystore.New(&memorystore.Config{Tokens: callRate, Interval: time.Second})
			return each(func() (bool, error) { _, _, _, ok, err := store.Take(ctx, "key"); return ok, err }), err
		}),
		shared("ulule/limiter", goroutines, calls, func() (work, error) {
			l := limiter.New(memory.NewStore(), limiter.Rate{Period: time.Second, Limit: callRate})
			return each(func() (bool, error) {
				c, err := l.Get(ctx, "key")
				return err == nil && !c.Reached, err
			}), nil
		}),
	}
}

var errRefused = errors.New("a call was refused")

// each returns work that repeats a call. The call is not inlined, which costs
// about a nanosecond: little compared with a call to a library.
func each(call func() (admitted bool, err error)) work {
	return func(n int) error {
		for range n {
			if ok, err := call(); err != nil {
				return err
			} else if !ok {
				return errRefused
			}
		}
		return nil
	}
}

// shared returns a contestant whose goroutines make this number of calls to one
// limiter. Each round has a new limiter.
func shared(name string, goroutines, calls int, fresh func() (work, error)) contestant {
	return contestant{name: name, run: func(context.Context) (int, error) {
		do, err := fresh()
		if err != nil {
			return 0, err
		}
		var first atomic.Pointer[error]
		var wait sync.WaitGroup
		for range goroutines {
			wait.Go(func() {
				if err := do(calls / goroutines); err != nil {
					first.CompareAndSwap(nil, &err)
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
