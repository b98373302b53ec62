package counting

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// A bucket whose limit changes equals a bucket in rational numbers, except for
// less than one unit of the new limit that each change rounds down.
func TestRelimitRoundedAgainstRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() (Limit, TokenBucketOptions) {
			l := Limit{Count: rapid.Int64Range(1, 50).Draw(t, "count"), Window: rapid.Int64Range(1, 50).Draw(t, "window")}
			return l, TokenBucketOptions{Burst: rapid.Int64Range(0, 30).Draw(t, "burst"), Debt: true}
		}
		limit, options := draw()
		b := NewTokenBuckets(limit, options, 1)
		b.Refill(0, 0)
		level, last, lost := big.NewRat(options.Burst, 1), int64(0), new(big.Rat)
		now := int64(0)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now += rapid.Int64Range(0, 40).Draw(t, "dt")
			level.Add(level, big.NewRat(limit.Count*(now-last), limit.Window))
			last = now
			if full := big.NewRat(options.Burst, 1); level.Cmp(full) > 0 {
				level.Set(full)
			}
			b.Refill(0, now)
			if rapid.Bool().Draw(t, "change") {
				limit, options = draw()
				b.RelimitRounded(limit, options, now)
				if full := big.NewRat(options.Burst, 1); level.Cmp(full) > 0 {
					level.Set(full)
				}
				_, p := limit.Rate()
				lost.Add(lost, big.NewRat(1, p))
			} else {
				cost := rapid.Int64Range(0, 60).Draw(t, "cost")
				b.Debit(0, cost)
				level.Sub(level, big.NewRat(cost, 1))
			}
			_, p := limit.Rate()
			got := big.NewRat(b.LevelUnits(0, now), p)
			if less := new(big.Rat).Sub(level, got); less.Sign() < 0 || less.Cmp(lost) > 0 {
				t.Fatalf("at %d the level is %v, by rationals %v", now, got, level)
			}
		}
	})
}

// A copied key continues with the state of the original, and a forgotten key
// starts again.
func TestTransfer(t *testing.T) {
	limit := Limit{Count: 10, Window: 1000, Burst: 5}
	a, b := NewTokenBuckets(limit, TokenBucketOptions{Burst: 5}, 2), NewTokenBuckets(limit, TokenBucketOptions{Burst: 5}, 2)
	a.Take(1, 0, 4)
	b.Copy(0, a, 1)
	if got := b.Level(0, 100); got != 2 {
		t.Errorf("the copy holds %d, want 2", got)
	}
	b.Correct(0, 100, 100, -9, false)
	if got := b.Level(0, 100); got != 5 {
		t.Errorf("after returning more than is missing it holds %d, want 5", got)
	}
	a.Forget(1)
	if a.Refill(1, 100); a.Level(1, 100) != 5 || a.Level(1, 0) != 5 {
		t.Error("a forgotten bucket differs from a new one")
	}
	w, v := NewFixedWindows(limit, WindowOptions{}, 1), NewFixedWindows(limit, WindowOptions{}, 1)
	w.Add(0, 1500, 7)
	v.Copy(0, w, 0)
	w.Forget(0)
	if v.Count(0, 1600) != 7 || w.Count(0, 1600) != 0 {
		t.Errorf("windows hold %d and %d after the copy, want 7 and 0", v.Count(0, 1600), w.Count(0, 1600))
	}
}
