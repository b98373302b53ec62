package counter

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

var benchLimit = Limit{Count: 100, Window: time.Second, Burst: 100}

// BenchmarkCounter is one decision of a counter without a lock.
func BenchmarkCounter(b *testing.B) {
	c, err := New(benchLimit, TokenBucket{})
	if err != nil {
		b.Fatal(err)
	}
	now := time.Unix(1_800_000_000, 0)
	for b.Loop() {
		now = now.Add(time.Microsecond)
		c.Take(now, 1)
	}
}

// BenchmarkKeyed is one decision of a key that is held, from every core at once.
func BenchmarkKeyed(b *testing.B) {
	for _, keys := range []int{1, 1000, 1_000_000} {
		b.Run(fmt.Sprintf("keys=%d", keys), func(b *testing.B) {
			k, names, now := keyed(b, keys), clientNames(keys), time.Unix(1_800_000_000, 0)
			b.ResetTimer()
			b.RunParallel(func(p *testing.PB) {
				for i := 0; p.Next(); i += 7919 {
					k.Take(now, names[i%keys], 1)
				}
			})
		})
	}
}

// BenchmarkMemory reports the bytes of a key that is held, whose text belongs to the
// caller.
func BenchmarkMemory(b *testing.B) {
	const keys = 1_000_000
	names := clientNames(keys)
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		k := keyed(b, keys)
		for _, name := range names {
			k.Take(time.Unix(1_800_000_000, 0), name, 1)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(k.Stats().Keys), "B/key")
	}
}

func keyed(b *testing.B, keys int) *Keyed[string] {
	k, err := NewKeyed[string](benchLimit, TokenBucket{}, 2*keys)
	if err != nil {
		b.Fatal(err)
	}
	return k
}

func clientNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("client-%08d", i)
	}
	return names
}
