package counting

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestShaper(t *testing.T) {
	q, err := NewShaper(Limit{Count: 1, Window: 10, Burst: 2}, nil, Waiting{Time: Never}, 1)
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

// A wait of exactly the bound is admitted, one of a nanosecond more is rejected.
// Several keys wait apart.
func TestShaperBoundsWaiting(t *testing.T) {
	type request struct {
		key       int32
		now, cost int64
		dispatch  int64 // -1: rejected
		retryAt   int64 // before the request
	}
	for _, c := range []struct {
		name    string
		waiting Waiting
		steps   []request
	}{
		{"a time", Waiting{Time: 20}, []request{
			{0, 0, 1, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 1, 10, 0}, {0, 0, 1, 20, 0}, {0, 0, 1, -1, 10}, {0, 9, 1, -1, 10}, {0, 10, 1, 30, 10},
			{1, 10, 2, 10, 10}, {1, 10, 3, 30, 10}, {1, 11, 2, -1, 40}}},
		{"no wait", Waiting{}, []request{{0, 0, 2, 0, 0}, {0, 9, 1, -1, 10}, {0, 10, 1, 10, 10}}},
		{"a queue", Waiting{Time: Never, Queue: true, Burst: 2}, []request{
			{0, 0, 1, 0, 0}, {0, 0, 1, 10, 0}, {0, 0, 1, 20, 0}, {0, 0, 1, -1, 10}, {0, 9, 1, -1, 10}, {0, 10, 1, 30, 10},
			{1, 10, 3, 10, 10}, {1, 10, 1, -1, 20}, {1, 10, 4, -1, Never}}},
		{"a queue with a delay", Waiting{Time: Never, Queue: true, Burst: 3, Delay: 1}, []request{
			{0, 0, 1, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 1, 10, 0}, {0, 0, 1, 20, 0}, {0, 0, 1, -1, 10}}},
		{"a queue and a time", Waiting{Time: 10, Queue: true, Burst: 9}, []request{
			{0, 0, 1, 0, 0}, {0, 0, 1, 10, 0}, {0, 0, 1, -1, 10}, {0, 10, 1, 20, 10}}},
	} {
		q, err := NewShaper(Limit{Count: 1, Window: 10, Burst: 2}, nil, c.waiting, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range c.steps {
			retryAt := q.RetryAt(s.key, s.now, s.cost)
			v, dispatch := q.Take(s.key, s.now, s.cost)
			if v.Admitted() != (s.dispatch >= 0) || v.Admitted() && dispatch != s.dispatch || retryAt != s.retryAt {
				t.Errorf("%s, step %d: %v at %d, retry at %d, want %+v", c.name, i, v.Admitted(), dispatch, retryAt, s)
			}
		}
	}
}

// A shaper with a queue decides as the reference model of the leaky bucket, and
// says when it would admit a request that it rejects.
func TestShaperWithQueueEqualsReferenceModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := drawLimit(t)
		o := LeakyBucketOptions{Burst: limit.Burst - 1, Delay: rapid.SampledFrom([]int64{0, 0, 1, 5, Never}).Draw(t, "delay")}
		r := drawRequests(t, limit, 1)
		q, err := NewShaper(limit, nil, Waiting{Time: Never, Queue: true, Burst: o.Burst, Delay: o.Delay}, 1)
		if err != nil {
			t.Fatal(err)
		}
		model := &leakyModel{limit: limit, o: o, backlog: new(big.Rat)}
		now := int64(0)
		for i := range r.at {
			now = max(now, r.at[i])
			at := q.RetryAt(0, now, r.cost[i])
			v, got := q.Take(0, now, r.cost[i])
			admitted, want := model.take(now, r.cost[i])
			if v.Admitted() != admitted || admitted && got != want && got != Never || admitted != (at == now) {
				t.Fatalf("%v %+v: request %d, cost %d at %d: %v at %d, retry at %d, the reference model says %v at %d", limit, o, i, r.cost[i], now, v.Admitted(), got, at, admitted, want)
			}
		}
	})
}

// Each request is dispatched at the earliest time at which a bucket of depth
// max(burst, cost), full at the start and charged with all earlier dispatches,
// holds the cost. A request that would wait longer than the bound is rejected and
// leaves no trace.
func TestShaperEqualsReferenceModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := Limit{Count: rapid.Int64Range(1, 9).Draw(t, "count"), Window: rapid.Int64Range(1, 12).Draw(t, "window"), Burst: rapid.Int64Range(1, 6).Draw(t, "burst")}
		bound := rapid.SampledFrom([]int64{Never, 0, 3, 10, 30}).Draw(t, "longest wait")
		q, err := NewShaper(limit, nil, Waiting{Time: bound}, 1)
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
			at := q.RetryAt(0, now, cost)
			v, got := q.Take(0, now, cost)
			if v.Admitted() != (want-now <= bound) || v.Admitted() && got != want || at != max(now, want-bound) {
				t.Fatalf("%v, waits up to %d: cost %d at %d after %v: dispatched at %d, retry at %d, want %d", limit, bound, cost, now, dispatched, got, at, want)
			}
			if !v.Admitted() {
				continue
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
