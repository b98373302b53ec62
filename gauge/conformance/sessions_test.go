package conformance

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestMixOfRandomSessions compares the calls of random sessions with their description: the
// share of each cost by the level that it meets, of each key, and of the calls before which
// the clock is set back, and by how much.
func TestMixOfRandomSessions(t *testing.T) {
	p := Policy{Count: 10, Window: second, Burst: 5}
	for _, back := range []bool{false, true} {
		e, err := newExact("token-bucket", nil)
		if err != nil {
			t.Fatal(err)
		}
		if e.bounds, err = (&Options{Costs: [2]int64{0, 1000}, Policies: []Policy{p}}).bounds(e); err != nil {
			t.Fatal(err)
		}
		const sessions = 300
		var costs [6][]float64 // calls of costly sessions, by level and cost
		for i := range costs {
			costs[i] = make([]float64, 10)
		}
		keyed := map[int]float64{} // sessions by number of keys
		calls, free, early, earlier := 0.0, 0.0, 0.0, 0.0
		for i := range sessions {
			s := drawSession(e, 1, i, back)
			costly := slices.ContainsFunc(s.calls, func(c Call) bool { return c.Cost > 1 })
			counters, keys, last := map[string]decider{}, map[string]float64{}, int64(0)
			for _, c := range s.calls {
				if _, known := counters[c.Key]; !known {
					counters[c.Key] = e.fresh(p)
				}
				level := max(counters[c.Key].state.Level(0, c.AtNs), 0)
				counters[c.Key].take(c.AtNs, c.Cost)
				keys[c.Key]++
				calls++
				if c.Cost == 0 {
					free++
				}
				if c.AtNs < last {
					early++
					earlier += float64(last - c.AtNs)
					if last-c.AtNs > 2*p.Window {
						t.Errorf("the clock is set back by %d ns", last-c.AtNs)
					}
				}
				last = max(last, c.AtNs)
				if costly {
					costs[level][c.Cost]++
				}
			}
			keyed[len(keys)]++
			for key, n := range keys {
				if n < float64(len(s.calls))/float64(len(keys))/2 {
					t.Errorf("session %d calls key %.20q %v times of %d", i, key, n, len(s.calls))
				}
			}
		}
		near := func(what string, got, want, within float64) {
			if math.Abs(got-want) > within {
				t.Errorf("clock set back %t: %s: %.3f, want about %.3f", back, what, got, want)
			}
		}
		for n, want := range map[int]float64{1: 0.3, 2: 0.4, 3: 0.3} {
			near("sessions by keys", keyed[n]/sessions, want, 0.1)
		}
		if back {
			near("calls set back", early/calls, 0.106, 0.01) // one of eight, or more calls by a drain
			near("windows they are set back by", earlier/early/float64(p.Window), 1, 0.1)
		} else {
			near("calls of cost 0", free/calls, 0.028, 0.005)
		}
		for level := range costs {
			// A drain makes more calls of cost 1. Of the others, a third is near the level.
			want := make([]float64, len(costs[level]))
			for cost := range costs[level] {
				if cost >= 2 && int64(cost) <= p.Burst+1 {
					want[cost] = 2.0 / 3 / float64(p.Burst+1)
				}
				if cost >= 2 && cost >= level && cost <= level+2 {
					want[cost] += 1.0 / 3 / 3
				}
			}
			costs[level][0], costs[level][1] = 0, 0
			for cost, n := range costs[level] {
				near(fmt.Sprintf("calls of cost %d at level %d", cost, level), n/sum(costs[level]), want[cost]/sum(want), 0.02)
			}
		}
	}
}

func sum(list []float64) (all float64) {
	for _, x := range list {
		all += x
	}
	return all
}

// TestSessionsOfEveryLimit draws sessions under the least and the largest limits.
func TestSessionsOfEveryLimit(t *testing.T) {
	for _, p := range []Policy{
		{Count: 100e9, Window: second, Burst: 1e9}, {Count: 1 << 60, Window: 1, Burst: 1},
		{Count: 1 << 60, Window: 1 << 59, Burst: 1}, {Count: 1, Window: 1 << 59, Burst: 1},
	} {
		e, err := newExact("fixed-window", nil)
		if err != nil {
			t.Fatal(err)
		}
		if e.bounds, err = (&Options{Policies: []Policy{p}}).bounds(e); err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			if s := drawSession(e, 1, i, false); len(s.calls) == 0 {
				t.Errorf("%+v: session %d has no calls", p, i)
			}
		}
	}
}
