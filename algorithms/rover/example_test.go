package rover_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/rover"
)

// All goroutines of a process share one bucket without a lock. TryGrab admits or
// rejects a request at once; it never waits, and a rejected request has nothing
// to give back.
func Example() {
	start := time.Now()
	bucket, err := rover.New(rover.Config{Rate: 1000, Limit: 50, Full: true})
	if err != nil {
		panic(err)
	}
	allow := func(now time.Time) bool {
		bucket.Replenish(now.Sub(start).Nanoseconds())
		return bucket.TryGrab(1, 1) == 1
	}

	var admitted atomic.Int64
	serve := func(now time.Time) {
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range 100 {
					if allow(now) { // a server passes time.Now()
						admitted.Add(1)
					}
				}
			})
		}
		group.Wait()
	}
	serve(start)
	fmt.Println("admitted of the first 800:", admitted.Swap(0))
	serve(start.Add(20 * time.Millisecond))
	fmt.Println("admitted 20ms later:", admitted.Load())
	// Output:
	// admitted of the first 800: 50
	// admitted 20ms later: 20
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
