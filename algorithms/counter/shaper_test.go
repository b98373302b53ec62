package counter

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestShaper(t *testing.T) {
	q, err := NewShaper(Limit{Count: 1, Window: 10, Burst: 2}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range []struct{ now, cost, dispatch int64 }{
		{0, 1, 0}, {0, 1, 0}, {0, 1, 10}, {0, 2, 30}, {3, 1, 40}, {4, 0, 40},
		{100, 2, 100},                // full again
		{120, 5, 120}, {120, 1, 160}, // a cost above the depth goes once the bucket is full, and its debt delays the next
	} {
		if v, dispatch := q.Take(0, s.now, s.cost); !v.Admitted() || dispatch != s.dispatch {
			t.Fatalf("step %d: cost %d at %d: dispatched at %d, want %d; state %v", i, s.cost, s.now, dispatch, s.dispatch, q.State(0))
		}
	}
}

// Each request is dispatched at the earliest time at which a bucket of depth
// max(burst, cost), full at the start and charged with all earlier dispatches,
// holds the cost.
func TestShaperEqualsReferenceModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := Limit{Count: rapid.Int64Range(1, 9).Draw(t, "count"), Window: rapid.Int64Range(1, 12).Draw(t, "window"), Burst: rapid.Int64Range(1, 6).Draw(t, "burst")}
		q, err := NewShaper(limit, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		var dispatched []counted
		now, line := int64(0), int64(0)
		for range rapid.IntRange(1, 10).Draw(t, "requests") {
			now += rapid.Int64Range(0, 2*limit.Window/limit.Count+3).Draw(t, "gap")
			cost := rapid.Int64Range(0, limit.Burst+3).Draw(t, "cost")
			want := max(now, line)
			for !holds(limit, dispatched, want, cost) {
				want++
			}
			if v, got := q.Take(0, now, cost); !v.Admitted() || got != want {
				t.Fatalf("%v: cost %d at %d after %v: dispatched at %d, want %d", limit, cost, now, dispatched, got, want)
			}
			line = want
			dispatched = append(dispatched, counted{want, cost})
		}
	})
}

func holds(limit Limit, dispatched []counted, now, cost int64) bool {
	depth := rat(max(limit.Burst, cost))
	level, last := new(big.Rat).Set(depth), int64(0)
	refill := func(at int64) {
		level.Add(level, tokens(limit, at-last))
		if level.Cmp(depth) > 0 {
			level.Set(depth)
		}
		last = at
	}
	for _, d := range dispatched {
		refill(d.at)
		level.Sub(level, rat(d.cost))
	}
	refill(now)
	return cost == 0 || level.Cmp(rat(cost)) >= 0
}
