package counting

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSlidingLog(t *testing.T) {
	play(t, []script{
		{"an entry counts for w ns", "sliding-window-log", Limit{Count: 2, Window: 10}, options(), []step{
			{0, 1, true, 0}, {9, 1, true, 0}, {9, 1, false, 0}, {10, 1, true, 0}, {18, 1, false, 0}, {19, 1, true, 0}}},
		{"costs", "sliding-window-log", Limit{Count: 5, Window: 10}, options(), []step{
			{0, 3, true, 0}, {4, 3, false, 0}, {5, 2, true, 0}, {6, 0, true, 0}, {10, 3, true, 0}, {11, 6, false, 0}, {15, 3, false, 0}, {15, 2, true, 0}}},
		{"a late clock stands still", "sliding-window-log", Limit{Count: 1, Window: 10}, options(), []step{
			{5, 1, true, 0}, {20, 1, true, 0}, {14, 1, false, 0}, {29, 1, false, 0}, {30, 1, true, 0}}},
		{"refused cost is logged", "sliding-window-log", Limit{Count: 2, Window: 10}, options("count_rejected", true), []step{
			{0, 2, true, 0}, {5, 1, false, 0}, {10, 2, false, 0}, {19, 1, false, 0}, {29, 1, true, 0}, {30, 1, true, 0}, {31, 1, false, 0}, {39, 1, false, 0}}},
	})
}

// For any traffic, no span of w ns holds more than the limit.
func TestSlidingLogNeverExceeds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := Limit{Count: rapid.Int64Range(1, 9).Draw(t, "count"), Window: rapid.Int64Range(1, 30).Draw(t, "window"), Burst: 3}
		l := NewSlidingLog(limit, WindowOptions{CountRejected: rapid.Bool().Draw(t, "count_rejected")})
		if most := mostInSpan(admittedOf(l, drawRequests(t, limit, 1)), limit.Window); most > limit.Count {
			t.Fatalf("admitted %d in %d ns, the limit is %d", most, limit.Window, limit.Count)
		}
	})
}

// admittedOf decides the requests in time order and returns the admitted ones.
func admittedOf(c interface{ Take(now, cost int64) Verdict }, r *requests) (admits []counted) {
	latest := int64(0)
	for i := range r.at {
		latest = max(latest, r.at[i])
		if c.Take(latest, r.cost[i]).Admitted() {
			admits = append(admits, counted{latest, r.cost[i]})
		}
	}
	return admits
}

// A log that has reached its largest size allocates nothing, with and without
// rejected requests, and holds no more entries than the limit.
func TestSlidingLogMemory(t *testing.T) {
	for _, countRejected := range []bool{false, true} {
		l := NewSlidingLogs(Limit{Count: 100, Window: 1_000}, WindowOptions{CountRejected: countRejected}, 1)
		now := int64(0)
		ask := func() { now++; l.Take(0, now, 1) }
		for range 5_000 {
			ask()
		}
		if n := testing.AllocsPerRun(5_000, ask); n != 0 {
			t.Errorf("count_rejected %v: %v allocations a request", countRejected, n)
		}
		if l.state[0].size > 100 || len(l.state[0].ring) > 128 {
			t.Errorf("count_rejected %v: %d entries in a ring of %d", countRejected, l.state[0].size, len(l.state[0].ring))
		}
	}
}
