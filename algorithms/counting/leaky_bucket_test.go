package counting

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLeakyBucket(t *testing.T) {
	play(t, []script{
		{"no burst: one every interval", "leaky-bucket", Limit{Count: 1, Window: 10}, options("burst", int64(0)), []step{
			{0, 1, true, 0}, {9, 1, false, 0}, {10, 1, true, 10}, {15, 2, false, 0}, {90, 1, true, 90}}},
		{"excess waits in line", "leaky-bucket", Limit{Count: 1, Window: 10, Burst: 2}, options(), []step{
			{0, 1, true, 0}, {0, 1, true, 10}, {0, 1, true, 20}, {0, 1, false, 0}, {5, 1, false, 0}, {10, 1, true, 30}, {10, 0, true, 40}, {100, 1, true, 100}}},
		{"dispatches fall on the next nanosecond", "leaky-bucket", Limit{Count: 3, Window: 10, Burst: 5}, options(), []step{
			{0, 1, true, 0}, {0, 1, true, 4}, {0, 1, true, 7}, {0, 1, true, 10}, {1, 1, true, 14}}},
		{"delay: the first excess goes at once", "leaky-bucket", Limit{Count: 1, Window: 10, Burst: 4}, options("delay", int64(2)), []step{
			{0, 1, true, 0}, {0, 1, true, 0}, {0, 1, true, 0}, {0, 1, true, 10}, {0, 1, true, 20}, {0, 1, false, 0}, {5, 0, true, 30}}},
		{"nodelay: all at once", "leaky-bucket", Limit{Count: 1, Window: 10, Burst: 2}, options("nodelay", true), []step{
			{0, 1, true, 0}, {0, 1, true, 0}, {0, 1, true, 0}, {0, 1, false, 0}, {10, 1, true, 10}, {10, 1, false, 0}}},
		{"costs", "leaky-bucket", Limit{Count: 1, Window: 10, Burst: 3}, options(), []step{
			{0, 5, false, 0}, {0, 4, true, 0}, {0, 1, false, 0}, {20, 2, true, 40}, {30, 2, false, 0}, {40, 2, true, 60}}},
		{"a late clock stands still", "leaky-bucket", Limit{Count: 1, Window: 10, Burst: 1}, options(), []step{
			{50, 1, true, 50}, {0, 1, true, 60}, {40, 1, false, 0}}},
	})
}

// leakyModel computes nginx's excess in requests, as exact fractions.
type leakyModel struct {
	limit   Limit
	o       LeakyBucketOptions
	backlog *big.Rat
	last    int64
}

func (b *leakyModel) take(now, cost int64) (admitted bool, dispatch int64) {
	now = max(now, b.last)
	b.backlog.Sub(b.backlog, tokens(b.limit, now-b.last))
	if b.backlog.Sign() < 0 {
		b.backlog.SetInt64(0)
	}
	b.last = now
	excess := new(big.Rat).Add(b.backlog, rat(cost-1))
	if cost > 0 && excess.Cmp(rat(b.o.Burst)) > 0 {
		return false, now
	}
	wait := new(big.Rat).Sub(b.backlog, rat(b.o.Delay))
	if b.o.NoDelay || wait.Sign() < 0 {
		wait.SetInt64(0)
	}
	wait.Mul(wait, big.NewRat(b.limit.Window, b.limit.Count))
	b.backlog.Add(b.backlog, rat(cost))
	return true, now + ceil(wait)
}

func TestLeakyBucketEqualsReferenceModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := drawLimit(t)
		o := LeakyBucketOptions{Burst: limit.Burst - 1, Delay: rapid.SampledFrom([]int64{0, 0, 1, 5, Never}).Draw(t, "delay"), NoDelay: rapid.IntRange(0, 3).Draw(t, "nodelay") == 0}
		r := drawRequests(t, limit, 1)
		table, referenceModel := NewLeakyBuckets(limit, o, 1), &leakyModel{limit: limit, o: o, backlog: new(big.Rat)}
		var line int64
		for i := range r.at {
			level, at := table.Level(0, r.at[i]), table.RetryAt(0, r.at[i], r.cost[i])
			v, dispatch := table.Take(0, r.at[i], r.cost[i])
			admitted, want := referenceModel.take(r.at[i], r.cost[i])
			if v.Admitted() != admitted || admitted && dispatch != want && dispatch != Never {
				t.Fatalf("%v %+v: request %d, cost %d at %d: %v at %d, the reference model says %v at %d", limit, o, i, r.cost[i], r.at[i], v.Admitted(), dispatch, admitted, want)
			}
			if admitted != (r.cost[i] <= level || r.cost[i] == 0) || admitted != (at == r.at[i]) {
				t.Fatalf("%v %+v: request %d, cost %d at %d: admitted %v at a level of %d, retry at %d", limit, o, i, r.cost[i], r.at[i], admitted, level, at)
			}
			if admitted {
				if dispatch < line || dispatch < r.at[i] {
					t.Fatalf("request %d at %d is dispatched at %d, one before it at %d", i, r.at[i], dispatch, line)
				}
				line = dispatch
			}
			if !admitted && at < 6e18 {
				// A request is rejected 1 ns before this time and admitted at
				// it.
				before, after := *table, *table
				before.state, after.state = []bucketState{table.state[0]}, []bucketState{table.state[0]}
				if v, _ := before.Take(0, at-1, r.cost[i]); v.Admitted() {
					t.Fatalf("request %d is accepted before %d", i, at)
				}
				if v, _ := after.Take(0, at, r.cost[i]); !v.Admitted() {
					t.Fatalf("request %d is refused at %d", i, at)
				}
			}
		}
	})
}

func TestLeakyBucketOptions(t *testing.T) {
	_, err := NewQueue("leaky-bucket", Limit{Count: 1, Window: 10, Burst: 1}, options("delay", int64(1), "nodelay", true), 1)
	if err == nil || !strings.Contains(err.Error(), "exclude each other") {
		t.Errorf("delay with nodelay: error %v", err)
	}
}
