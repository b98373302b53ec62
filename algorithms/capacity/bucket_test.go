package capacity

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// A bucket with a changing rate equals an exact fraction.
func TestBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.Int64Range(1, 50).Draw(t, "window")
		b, level, now := Bucket{}, new(big.Rat), int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			gap := rapid.OneOf(rapid.Int64Range(0, 9), rapid.Just(int64(1)<<50)).Draw(t, "gap")
			earned := new(big.Rat).Mul(big.NewRat(b.rate, window), new(big.Rat).SetInt64(gap))
			now += gap
			b.Earn(now, window)
			level.Add(level, earned)
			if depth := new(big.Rat).SetInt64(b.depth); level.Cmp(depth) > 0 {
				level = depth
			}
			if rapid.Bool().Draw(t, "change") {
				b.Change(now, window, rapid.Int64Range(0, 30).Draw(t, "rate"), rapid.Int64Range(0, 40).Draw(t, "depth"))
				if depth := new(big.Rat).SetInt64(b.depth); level.Cmp(depth) > 0 {
					level = depth
				}
			}
			units := rapid.Int64Range(0, 12).Draw(t, "units")
			checkReady(t, b, now, window, units)
			want := new(big.Rat).SetInt64(units).Cmp(level) <= 0
			if got := b.Take(units); got != want {
				t.Fatalf("at %d of %s: take %d: %v", now, level, units, got)
			}
			if want {
				level.Sub(level, new(big.Rat).SetInt64(units))
			}
		}
	})
}

// TestEarnBeyond64Bits checks that a bucket is full after a time in which it earns more than
// 64 bits hold, also at the least such product.
func TestEarnBeyond64Bits(t *testing.T) {
	b := Bucket{}
	b.Change(0, 1, 1<<62, 40)
	if b.Earn(4, 1); b.level != 40 || b.rest != 0 {
		t.Errorf("%+v", b)
	}
}

// checkReady fails if a bucket is not ready when it says, or was long before.
func checkReady(t *rapid.T, b Bucket, now, window, units int64) {
	holds := func(at int64) bool {
		b := b
		b.Earn(at, window)
		return b.level >= units
	}
	switch ready := b.ReadyAt(now, window, units); {
	case ready == never:
		if units <= b.depth && b.rate > 0 {
			t.Fatalf("%+v is never ready for %d units", b, units)
		}
	case ready == now:
		if !holds(now) {
			t.Fatalf("at %d: %+v is not ready for %d units", now, b, units)
		}
	case ready < now || !holds(ready) || holds(max(now, ready-2-window/b.rate)):
		t.Fatalf("at %d: %+v is ready for %d units at %d", now, b, units, ready)
	}
}
