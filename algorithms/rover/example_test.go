package rover_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/rover"
)

// Limiter admits the requests of all goroutines of a process under one limit. A
// request borrows a lease, so that it seldom reads a clock or writes to memory that
// other cores write. The limiter is safe for concurrent use.
type Limiter struct{ leases sync.Pool }

// NewLimiter returns a limiter. The clock returns ns from any start, as
// func() int64 { return int64(time.Since(start)) } does.
func NewLimiter(perSecond, burst uint64, clock func() int64) (*Limiter, error) {
	bucket, err := rover.New(rover.Config{Rate: perSecond, Limit: burst, Full: true})
	if err != nil {
		return nil, err
	}
	l := &Limiter{}
	l.leases.New = func() any { return bucket.Lease(8, clock) }
	return l, nil
}

// Allow reports whether one more request may pass now.
func (l *Limiter) Allow() bool {
	lease := l.leases.Get().(*rover.Lease)
	defer l.leases.Put(lease)
	return lease.Take(1)
}

// Goroutines that live for one request take a lease from a pool. The pool may drop a
// lease with the tokens that it holds, less than a chunk: then less is admitted.
func Example() {
	var now atomic.Int64 // ns; a server reads a clock
	limiter, err := NewLimiter(1000, 50, now.Load)
	if err != nil {
		panic(err)
	}
	serve := func() (admitted int64) {
		var count atomic.Int64
		var group sync.WaitGroup
		for range 800 {
			group.Go(func() {
				if limiter.Allow() {
					count.Add(1)
				}
			})
		}
		group.Wait()
		return count.Load()
	}
	fmt.Println("at most 50 of the first 800:", serve() <= 50)
	now.Store(time.Hour.Nanoseconds())
	const held = 50 // all that leases can hold from before
	fmt.Println("at most 50, and what leases held, an hour later:", serve() <= 50+held)
	// Output:
	// at most 50 of the first 800: true
	// at most 50, and what leases held, an hour later: true
}

// Replenish before the claim, never only after a rejection. TryGrab needs no lease and
// claims what a batch can use.
func ExampleBucket_TryGrab() {
	bucket, err := rover.New(rover.Config{Rate: 1000, Limit: 50, Full: true})
	if err != nil {
		panic(err)
	}
	for _, now := range []time.Duration{0, 0, 20 * time.Millisecond, time.Hour, time.Hour} {
		bucket.Replenish(now.Nanoseconds())
		fmt.Println(now, bucket.TryGrab(10, 40)) // at least 10, at most 40
	}
	// Output:
	// 0s 40
	// 0s 10
	// 20ms 20
	// 1h0m0s 40
	// 1h0m0s 10
}

// Workers that live long have a lease each, and return at the end what it holds.
func ExampleLease() {
	bucket, err := rover.New(rover.Config{Rate: 1000, Limit: 1000, Full: true})
	if err != nil {
		panic(err)
	}
	var now atomic.Int64 // ns; a program reads a clock
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			lease := bucket.Lease(16, now.Load)
			defer lease.Return()
			for range 200 {
				if !lease.Take(1) {
					fmt.Println("rejected")
				}
			}
		})
	}
	workers.Wait()
	fmt.Println(bucket.TryGrab(1, 1000), "left")
	// Output: 200 left
}

// With capped release a token comes back after its use: at most Limit are in use.
func ExampleBucket_Release() {
	bucket, err := rover.New(rover.Config{Rate: 1000, Limit: 2, Capped: true, Full: true})
	if err != nil {
		panic(err)
	}
	begin := func(now time.Duration) bool {
		bucket.Replenish(now.Nanoseconds())
		return bucket.TryGrab(1, 1) == 1
	}
	fmt.Println(begin(0), begin(0), begin(time.Minute)) // two of the limit are in use
	bucket.Release(1)
	fmt.Println(begin(time.Minute + time.Millisecond))
	// Output:
	// true true false
	// true
}

// A caller that waits claims its token with Grab and sleeps while the claim has a
// deficiency. Callers are served in the order of their claims.
func ExampleBucket_Grab() {
	bucket, err := rover.New(rover.Config{Rate: 10, Limit: 1, Full: true})
	if err != nil {
		panic(err)
	}
	now := int64(0) // ns
	for range 3 {
		ticket := bucket.Grab(1)
		for missing := bucket.Deficiency(ticket); missing > 0; missing = bucket.Deficiency(ticket) {
			wait, _ := bucket.DurationFor(missing)
			now += wait.Nanoseconds() // a program sleeps for this long
			bucket.Replenish(now)
		}
		fmt.Println("served at", time.Duration(now))
	}
	// Output:
	// served at 0s
	// served at 100ms
	// served at 200ms
}
