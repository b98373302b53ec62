package counting_test

import (
	"fmt"
	"sync"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// Limiter grants each key 5 requests per second with a burst of 2. It is safe for
// concurrent use.
type Limiter struct {
	mu      sync.Mutex
	start   time.Time
	buckets map[string]*counting.TokenBucket
}

func NewLimiter(start time.Time) *Limiter {
	return &Limiter{start: start, buckets: map[string]*counting.TokenBucket{}}
}

// Allow reports whether the key may make a request at now. If not, it returns
// how long the caller should wait.
func (l *Limiter) Allow(key string, now time.Time) (ok bool, retryAfter time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	bucket := l.buckets[key]
	if bucket == nil {
		limit := counting.Limit{Count: 5, Window: int64(time.Second)}
		bucket = counting.NewTokenBucket(limit, counting.TokenBucketOptions{Burst: 2})
		l.buckets[key] = bucket
	}
	ns := now.Sub(l.start).Nanoseconds() // by the monotonic clock
	if bucket.Take(ns, 1).Admitted() {
		return true, 0
	}
	return false, time.Duration(bucket.RetryAt(ns, 1) - ns)
}

// A server calls Allow with time.Now() for each request. The counter itself reads
// no clock, so a test can pass any time.
func Example() {
	now := time.Now()
	l := NewLimiter(now)
	for range 3 {
		ok, retryAfter := l.Allow("alice", now)
		fmt.Println("alice:", ok, retryAfter)
	}
	ok, _ := l.Allow("bob", now)
	fmt.Println("bob:", ok)

	ok, _ = l.Allow("alice", now.Add(200*time.Millisecond))
	fmt.Println("alice, 200ms later:", ok)
	// Output:
	// alice: true 0s
	// alice: true 0s
	// alice: false 200ms
	// bob: true
	// alice, 200ms later: true
}

// A table limits many keys that are dense numbers. TakeBlock decides a block of
// requests in one call.
func ExampleTokenBuckets() {
	limit := counting.Limit{Count: 10, Window: int64(time.Second)}
	t := counting.NewTokenBuckets(limit, counting.TokenBucketOptions{Burst: 1}, 2)
	keys := []int32{0, 1, 0, 0}
	times := []int64{0, 0, 50e6, 100e6} // ns
	costs := []int64{1, 1, 1, 1}
	verdicts := make([]counting.Verdict, len(keys))
	t.TakeBlock(keys, times, costs, verdicts)
	for i, v := range verdicts {
		fmt.Println("key", keys[i], "admitted:", v.Admitted())
	}
	// Output:
	// key 0 admitted: true
	// key 1 admitted: true
	// key 0 admitted: false
	// key 0 admitted: true
}
