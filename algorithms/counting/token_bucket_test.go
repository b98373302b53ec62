package counting

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTokenBucket(t *testing.T) {
	play(t, []script{
		{"starts full, refills continuously", "token-bucket", Limit{Count: 2, Window: 10, Burst: 3}, options(), []step{
			{100, 3, true, 0}, {100, 1, false, 0}, {104, 1, false, 0}, {105, 1, true, 0}, {109, 1, false, 0}, {110, 1, true, 0}, {1000, 3, true, 0}, {1000, 1, false, 0}}},
		{"fractions are kept", "token-bucket", Limit{Count: 3, Window: 10, Burst: 2}, options(), []step{
			{0, 2, true, 0}, {3, 1, false, 0}, {4, 1, true, 0}, {7, 1, true, 0}, {10, 1, true, 0}, {13, 1, false, 0}, {14, 1, true, 0}}},
		{"costs", "token-bucket", Limit{Count: 1, Window: 1, Burst: 5}, options(), []step{
			{0, 6, false, 0}, {0, 5, true, 0}, {0, 0, true, 0}, {2, 3, false, 0}, {2, 2, true, 0}, {3, 6, false, 0}, {90, 6, false, 0}}},
		{"a late clock stands still", "token-bucket", Limit{Count: 1, Window: 10, Burst: 1}, options(), []step{
			{50, 1, true, 0}, {0, 1, false, 0}, {59, 1, false, 0}, {60, 1, true, 0}}},
		{"starts empty when first asked", "token-bucket", Limit{Count: 1, Window: 10, Burst: 2}, options("initial", "empty"), []step{
			{1000, 1, false, 0}, {1009, 1, false, 0}, {1010, 1, true, 0}, {1040, 2, true, 0}}},
		{"starts with one token", "token-bucket", Limit{Count: 1, Window: 10, Burst: 2}, options("initial", int64(1)), []step{
			{1000, 1, true, 0}, {1000, 1, false, 0}, {1010, 1, true, 0}}},
		{"a burst of its own", "token-bucket", Limit{Count: 1, Window: 10, Burst: 2}, options("burst", int64(4)), []step{
			{0, 4, true, 0}, {0, 1, false, 0}}},
		{"debt pays back before it admits", "token-bucket", Limit{Count: 1, Window: 10, Burst: 2}, options("debt", true), []step{
			{0, 5, true, 0}, {0, 0, true, 0}, {29, 1, false, 0}, {30, 1, true, 0}, {39, 1, false, 0}, {40, 1, true, 0}}},
		{"debt without burst", "token-bucket", Limit{Count: 1, Window: 10, Burst: 2}, options("debt", true, "burst", int64(0)), []step{
			{0, 1, true, 0}, {0, 1, false, 0}, {9, 1, false, 0}, {10, 1, true, 0}, {90, 1, true, 0}, {90, 1, false, 0}}},
	})
}

func TestTokenBucketOptions(t *testing.T) {
	limit := Limit{Count: 100, Window: 60e9, Burst: 100}
	for _, c := range []struct {
		o    TokenBucketOptions
		want string
	}{
		{TokenBucketOptions{Burst: 100}, ""},
		{TokenBucketOptions{Burst: 0, Debt: true}, ""},
		{TokenBucketOptions{Burst: 0}, "admits nothing"},
		{TokenBucketOptions{Burst: -1}, "negative"},
		{TokenBucketOptions{Burst: 10, Initial: Tokens(11)}, "outside 0 to burst 10"},
		{TokenBucketOptions{Burst: maxDepth / 600_000_000}, ""},
		{TokenBucketOptions{Burst: maxDepth/600_000_000 + 1}, "62 bits"},
	} {
		err := c.o.Check(limit)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.o, err, c.want)
		}
	}
}

// In any span of t, at most burst + rate*t is admitted.
func TestTokenBucketEnvelope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := Limit{Count: rapid.Int64Range(1, 9).Draw(t, "count"), Window: rapid.Int64Range(1, 30).Draw(t, "window"), Burst: rapid.Int64Range(1, 9).Draw(t, "burst")}
		admits := admittedOf(NewTokenBucket(limit, TokenBucketOptions{Burst: limit.Burst}), drawRequests(t, limit, 1))
		for i, first := range admits {
			sum := int64(0)
			for _, a := range admits[i:] {
				sum += a.cost
				most := new(big.Rat).Add(rat(limit.Burst), tokens(limit, a.at-first.at))
				if rat(sum).Cmp(most) > 0 {
					t.Fatalf("admitted %d from %d to %d, at most %v", sum, first.at, a.at, most)
				}
			}
		}
	})
}

// The calls of a server that receives hits in batches: at one timestamp debits
// come before the refill, and debts are kept exactly, with fractions.
func TestDebitThenRefill(t *testing.T) {
	b := NewTokenBuckets(Limit{Count: 1_000, Window: 1e9}, TokenBucketOptions{Debt: true}, 2)
	_, p := Limit{Count: 1_000, Window: 1e9}.Rate()
	for i, s := range []struct {
		now, debit, level int64 // level after the refill, in thousandths of a token
	}{
		{100e6, 300, -300_000},  // created here: nothing to refill from
		{200e6, 0, -200_000},    //
		{350e6, 100, -150_000},  //
		{500_500_000, 0, 0},     // 150.5 tokens earned, 150 owed, none kept
		{500_500_000, 5, -5000}, //
		{501_000_000, 2, -6500}, // half a token earned
		{400_000_000, 1, -7500}, // a late clock earns nothing
	} {
		b.Debit(1, s.debit)
		b.Refill(1, s.now)
		if got := b.LevelUnits(1, s.now) * 1000 / p; got != s.level {
			t.Fatalf("step %d: level %d thousandths after debit %d and refill at %d, want %d", i, got, s.debit, s.now, s.level)
		}
	}
	if at := b.RetryAt(1, 501_000_000, 1); at != 508_500_000 {
		t.Errorf("retry at %d, want 7.5 tokens later, 508500000", at)
	}
	b.Debit(1, Never)
	b.Debit(1, Never)
	if level := b.LevelUnits(1, 0); level >= 0 || b.Level(1, 9e18) != 1 {
		t.Errorf("level %d after the largest debits, %d three centuries on", level, b.Level(1, 9e18))
	}
}
