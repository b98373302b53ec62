package conformance

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// bucket is a reference model of a token bucket. It counts what is missing in units of
// 1/p of a token; a ns refills n units. Mutants replace its functions.
type bucket struct {
	n, p, depth   int64
	missing, last int64
	calls         int
	elapsed       func(b *bucket, now int64) int64     // ns to refill
	refill        func(b *bucket, elapsed int64) int64 // units
	fits          func(b *bucket, need int64) bool
	rejected      func(b *bucket, before bucket, need int64)
}

func (b *bucket) take(now, cost int64) bool {
	before := *b
	b.calls++
	b.missing = max(b.missing-b.refill(b, b.elapsed(b, now)), 0)
	b.last = max(now, b.last)
	need := integers.Mul(cost, b.p, math.MaxInt64)
	if b.fits(b, need) {
		b.missing += need
		return true
	}
	b.rejected(b, before, need)
	return false
}

func since(b *bucket, now int64) int64 { return max(now-b.last, 0) }

func refilled(b *bucket, elapsed int64) int64 { return integers.Mul(elapsed, b.n, math.MaxInt64) }

// bucketWith returns a token bucket with a change.
func bucketWith(change func(b *bucket)) func(p Policy) oneKey {
	return func(p Policy) oneKey {
		n, per := p.Rate()
		b := &bucket{n: n, p: per, depth: p.Burst * per, elapsed: since, refill: refilled,
			fits:     func(b *bucket, need int64) bool { return need == 0 || need <= b.depth-b.missing },
			rejected: func(*bucket, bucket, int64) {}}
		change(b)
		return b.take
	}
}

var bucketMutants = []mutant{
	{name: "admits at 1 ns before", key: bucketWith(func(b *bucket) {
		b.fits = func(b *bucket, need int64) bool { return need <= b.depth-max(b.missing-b.n, 0) }
	})},
	{name: "admits at 1 ns after", key: bucketWith(func(b *bucket) {
		b.fits = func(b *bucket, need int64) bool {
			return need == 0 || b.missing == 0 && need <= b.depth || need <= b.depth-b.missing-b.n
		}
	})},
	{name: "needs more than the cost", key: bucketWith(func(b *bucket) {
		b.fits = func(b *bucket, need int64) bool { return need == 0 || need < b.depth-b.missing }
	})},
	{name: "rounds each refill down to whole tokens", key: bucketWith(func(b *bucket) {
		b.refill = func(b *bucket, elapsed int64) int64 { return refilled(b, elapsed) / b.p * b.p }
	})},
	{name: "rounds each refill up to whole tokens", key: bucketWith(func(b *bucket) {
		b.refill = func(b *bucket, elapsed int64) int64 {
			return integers.Mul(integers.CeilDiv(refilled(b, elapsed), b.p), b.p, math.MaxInt64)
		}
	})},
	{name: "rounds each refill to the nearest thousandth", key: bucketWith(func(b *bucket) {
		b.refill = func(b *bucket, elapsed int64) int64 {
			unit := max(b.p/1000, 1)
			return integers.Add(refilled(b, elapsed), unit/2) / unit * unit
		}
	})},
	{name: "rounds the interval down to whole ns", key: bucketWith(func(b *bucket) {
		b.refill = func(b *bucket, elapsed int64) int64 {
			return integers.MulDiv(elapsed, b.p, max(b.p/b.n, 1), math.MaxInt64)
		}
	})},
	{name: "rounds the interval up to whole ns", key: bucketWith(func(b *bucket) {
		b.refill = func(b *bucket, elapsed int64) int64 {
			return integers.MulDiv(elapsed, b.p, integers.CeilDiv(b.p, b.n), math.MaxInt64)
		}
	})},
	{name: "charges rejected calls", key: bucketWith(func(b *bucket) {
		b.rejected = func(b *bucket, _ bucket, need int64) { b.missing = min(integers.Add(b.missing, need), b.depth) }
	})},
	{name: "stamps rejected calls without a refill", key: bucketWith(func(b *bucket) {
		b.rejected = func(b *bucket, before bucket, _ int64) { b.missing = before.missing }
	})},
	{name: "empties at a cost above the burst", key: bucketWith(func(b *bucket) {
		b.rejected = func(b *bucket, _ bucket, need int64) {
			if need > b.depth {
				b.missing = b.depth
			}
		}
	})},
	{name: "clamps the cost to the burst", key: bucketWith(func(b *bucket) {
		b.fits = func(b *bucket, need int64) bool { return need == 0 || b.missing == 0 || need <= b.depth-b.missing }
	})},
	{name: "starts with one token more", key: bucketWith(func(b *bucket) {
		b.fits = func(b *bucket, need int64) bool {
			if first := b.calls == 1; first && need <= b.depth+b.p {
				b.missing -= b.p
				return true
			}
			return need == 0 || need <= b.depth-b.missing
		}
	})},
	{name: "never caps", key: bucketWith(func(b *bucket) {
		saved := int64(0)
		b.refill = func(b *bucket, elapsed int64) int64 {
			units := integers.Add(refilled(b, elapsed), saved)
			saved = max(units-b.missing, 0)
			return units
		}
	})},
	{name: "caps after the take", key: bucketWith(func(b *bucket) {
		extra := int64(0)
		b.refill = func(b *bucket, elapsed int64) int64 {
			units := refilled(b, elapsed)
			extra = min(max(units-b.missing, 0), b.p)
			return units
		}
		b.fits = func(b *bucket, need int64) bool { return need == 0 || need <= b.depth-b.missing+extra }
	})},
	{name: "loses the first refill", key: bucketWith(func(b *bucket) {
		b.refill = func(b *bucket, elapsed int64) int64 {
			if b.calls == 2 {
				return 0
			}
			return refilled(b, elapsed)
		}
	})},
	{name: "takes a last use at 0 for none", key: bucketWith(func(b *bucket) {
		b.elapsed = func(b *bucket, now int64) int64 {
			if b.last == 0 {
				return math.MaxInt64
			}
			return since(b, now)
		}
	})},
	{name: "earns again after the clock was set back", key: bucketWith(func(b *bucket) {
		b.elapsed = func(b *bucket, now int64) int64 {
			elapsed := since(b, now)
			b.last = min(b.last, now)
			return elapsed
		}
	})},
	{name: "loses tokens when the clock is set back", key: bucketWith(func(b *bucket) {
		b.elapsed = func(b *bucket, now int64) int64 { return max(now-b.last, -1) }
		b.refill = func(b *bucket, elapsed int64) int64 {
			if elapsed < 0 {
				return b.missing - b.depth
			}
			return refilled(b, elapsed)
		}
	})},
	{name: "overflows 64 bits in a long idle time", key: bucketWith(func(b *bucket) {
		b.refill = func(b *bucket, elapsed int64) int64 { return max(elapsed*b.n*1000, 0) / 1000 }
	})},
	{name: "overflows 32 bits of idle microseconds", key: bucketWith(func(b *bucket) {
		b.elapsed = func(b *bucket, now int64) int64 {
			ns := since(b, now)
			return int64(uint32(ns/1000))*1000 + ns%1000
		}
	})},
	{name: "counts tokens in a float32", key: bucketWith(func(b *bucket) {
		b.fits = func(b *bucket, need int64) bool {
			return need == 0 || float32(need)/float32(b.p) <= float32(b.depth-b.missing)/float32(b.p)
		}
	})},
	{name: "is full only to the last unit", key: bucketWith(func(b *bucket) {
		b.refill = func(b *bucket, elapsed int64) int64 {
			if b.calls < 2 {
				return 0
			}
			return min(refilled(b, elapsed), max(b.missing-1, 0))
		}
	})},
}

func TestMutantsOfTheTokenBucketAreFound(t *testing.T) {
	right := bucketWith(func(*bucket) {})
	killAll(t, "token-bucket", right, append(bucketMutants, mutant{name: "forgets its keys at the 10,000th", key: right, forgets: 10_000}))
}

func TestMutantsOfGCRAAreFound(t *testing.T) {
	killAll(t, "gcra", bucketWith(func(*bucket) {}), bucketMutants)
}
