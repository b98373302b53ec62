package counting

import (
	"testing"

	"pgregory.net/rapid"
)

func TestGCRA(t *testing.T) {
	play(t, []script{
		{"one by one", "gcra", Limit{Count: 1, Window: 10, Burst: 1}, options(), []step{
			{3, 1, true, 0}, {12, 1, false, 0}, {13, 1, true, 0}, {30, 1, true, 0}, {39, 1, false, 0}}},
		{"burst and fractions", "gcra", Limit{Count: 3, Window: 10, Burst: 2}, options(), []step{
			{0, 1, true, 0}, {0, 1, true, 0}, {3, 1, false, 0}, {4, 1, true, 0}, {6, 1, false, 0}, {7, 1, true, 0}, {8, 3, false, 0}, {8, 0, true, 0}}},
		{"a late clock stands still", "gcra", Limit{Count: 1, Window: 10, Burst: 1}, options(), []step{
			{50, 1, true, 0}, {0, 1, false, 0}, {60, 1, true, 0}}},
	})
}

// GCRA admits exactly what a token bucket of the same rate and burst, full at
// the start, admits.
func TestGCRAIsTokenBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := drawLimit(t)
		r := drawRequests(t, limit, 3)
		a := r.decide(NewGCRAs(limit, 3))
		b := r.decide(NewTokenBuckets(limit, TokenBucketOptions{Burst: limit.Burst}, 3))
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("%v: request %d, cost %d at %d: gcra %v, token bucket %v", limit, i, r.cost[i], r.at[i], a[i], b[i])
			}
		}
	})
}

// State shows the theoretical arrival time: with 10/3 ns between requests, one
// at 0 puts it at 3 1/3 and three put it at 10.
func TestGCRAState(t *testing.T) {
	g := NewGCRAs(Limit{Count: 3, Window: 10, Burst: 4}, 1)
	for _, want := range []struct{ cost, ns, thirds int64 }{{1, 3, 1}, {2, 10, 0}} {
		g.Take(0, 0, want.cost)
		if s := g.State(0); s[0] != (StateField{"tat_ns", want.ns}) || s[1] != (StateField{"tat_fraction", want.thirds}) {
			t.Errorf("state %v, want a TAT of %d ns and %d thirds", s, want.ns, want.thirds)
		}
	}
}
