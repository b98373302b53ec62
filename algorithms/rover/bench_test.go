package rover

import (
	"sync"
	"sync/atomic"
	"testing"
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

func BenchmarkLease(b *testing.B) {
	r := must(b, Config{Rate: 1e9, Limit: 1 << 60, Full: true})
	l := r.Lease(64)
	for b.Loop() {
		l.Take(1)
	}
}

func BenchmarkLeaseParallel(b *testing.B) {
	r := must(b, Config{Rate: 1e9, Limit: 1 << 60, Full: true})
	b.RunParallel(func(pb *testing.PB) {
		l := r.Lease(64)
		defer l.Return()
		for pb.Next() {
			l.Take(1)
		}
	})
}

// The cost of a lease from a pool, for goroutines that serve one request.
func BenchmarkLeasePoolParallel(b *testing.B) {
	r := must(b, Config{Rate: 1e9, Limit: 1 << 60, Full: true})
	leases := sync.Pool{New: func() any { return r.Lease(64) }}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			l := leases.Get().(*Lease)
			l.Take(1)
			leases.Put(l)
		}
	})
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
