package rover

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// The atomic addition alone, the lower bound for the cost of a grab.
func BenchmarkAtomicAdd(b *testing.B) {
	var n atomic.Uint64
	for b.Loop() {
		n.Add(1)
	}
}

func BenchmarkGrabDeficiency(b *testing.B) {
	r := must(b, Config{Rate: 1e9, Limit: 1000, Full: true})
	for b.Loop() {
		r.Deficiency(r.Grab(1))
	}
}

func BenchmarkAtomicAddParallel(b *testing.B) {
	var n atomic.Uint64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			n.Add(1)
		}
	})
}

func BenchmarkGrabDeficiencyParallel(b *testing.B) {
	r := must(b, Config{Rate: 1e9, Limit: 1000, Full: true})
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			r.Deficiency(r.Grab(1))
		}
	})
}

// BenchmarkAllow decides requests in goroutines that share one limit, each way as a
// program calls it, so each reads a clock. docs/algorithms/rover.md quotes it:
//
//	go test ./algorithms/rover -run '^$' -bench Allow
func BenchmarkAllow(b *testing.B) {
	start := time.Now()
	clock := func() int64 { return int64(time.Since(start)) }
	ways := []struct {
		name string
		make func(b *testing.B, rate uint64) (perGoroutine func() (allow func() bool))
	}{
		{"mutexed bucket", func(_ *testing.B, rate uint64) func() func() bool {
			var mu sync.Mutex
			limit := counting.Limit{Count: int64(rate), Window: s}
			bucket := counting.NewTokenBucket(limit, counting.TokenBucketOptions{Burst: int64(rate)})
			return func() func() bool {
				return func() bool {
					now := clock()
					mu.Lock()
					defer mu.Unlock()
					return bucket.Take(now, 1).Admitted()
				}
			}
		}},
		{"TryGrab", func(b *testing.B, rate uint64) func() func() bool {
			r := must(b, Config{Rate: rate, Limit: rate, Full: true})
			return func() func() bool {
				return func() bool {
					r.Replenish(clock())
					return r.TryGrab(1, 1) == 1
				}
			}
		}},
		{"lease for each goroutine", func(b *testing.B, rate uint64) func() func() bool {
			r := must(b, Config{Rate: rate, Limit: rate, Full: true})
			return func() func() bool {
				l := r.Lease(64, clock)
				return func() bool { return l.Take(1) }
			}
		}},
		{"lease from a pool", func(b *testing.B, rate uint64) func() func() bool {
			r := must(b, Config{Rate: rate, Limit: rate, Full: true})
			leases := sync.Pool{New: func() any { return r.Lease(64, clock) }}
			return func() func() bool {
				return func() bool {
					l := leases.Get().(*Lease)
					defer leases.Put(l)
					return l.Take(1)
				}
			}
		}},
	}
	for _, load := range []struct {
		name string
		rate uint64 // per second
	}{{"all admitted", 1e9}, {"nearly all rejected", 1000}} {
		for _, way := range ways {
			for _, goroutines := range []int{1, 2, 4} {
				b.Run(fmt.Sprintf("%s/%s/%d", load.name, way.name, goroutines), func(b *testing.B) {
					perGoroutine := way.make(b, load.rate)
					var group sync.WaitGroup
					for i := range goroutines {
						group.Go(func() {
							allow := perGoroutine()
							for range (b.N + i) / goroutines {
								allow()
							}
						})
					}
					group.Wait()
				})
			}
		}
	}
}

func BenchmarkReplenish(b *testing.B) {
	for _, tt := range []struct {
		name string
		mode StampMode
	}{{"by-tokens", ByTokens}, {"now", Faithful}} {
		b.Run(tt.name, func(b *testing.B) {
			r := must(b, Config{Rate: 1e9, Limit: 1000, Stamp: tt.mode})
			var now int64
			for b.Loop() {
				now += 10
				r.Grab(10)
				r.Replenish(now)
			}
		})
	}
}
