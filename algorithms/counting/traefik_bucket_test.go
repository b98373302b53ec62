package counting

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestTraefikBucket pins call sequences.
func TestTraefikBucket(t *testing.T) {
	const ms, s = int64(1e6), int64(1e9)
	perSecond := func(n int64) Limit { return Limit{Count: n, Window: s} }
	play(t, []script{
		{"a request waits for its token, at most 1 s/(2*rate)", "traefik-bucket", perSecond(4), options("burst", int64(2)), []step{
			{0, 1, true, 0}, {0, 1, true, 0}, {0, 1, false, 0}, {124 * ms, 1, false, 0}, {125 * ms, 1, true, 250 * ms}, {250 * ms, 1, false, 0}, {375 * ms, 1, true, 500 * ms}}},
		{"below one a second at most 500 ms", "traefik-bucket", Limit{Count: 1, Window: 10 * s}, options("burst", int64(1)), []step{
			{0, 1, true, 0}, {9*s + 499*ms, 1, false, 0}, {9*s + 500*ms, 1, true, 10 * s}}},
		{"a fast key is forgotten at the second after the next one", "traefik-bucket", perSecond(1), options("burst", int64(3)), []step{
			{900 * ms, 1, true, 900 * ms}, {900 * ms, 1, true, 900 * ms}, {900 * ms, 1, true, 900 * ms}, {1899 * ms, 1, true, 1900 * ms},
			// Seen in second 1, so forgotten from second 3 on.
			{3 * s, 1, true, 3 * s}, {3 * s, 1, true, 3 * s}, {3 * s, 1, true, 3 * s}, {3 * s, 1, false, 0}}},
		{"a refused request is seen, too", "traefik-bucket", perSecond(1), options("burst", int64(2)), []step{
			{0, 1, true, 0}, {0, 1, true, 0}, {0, 1, false, 0}, {1400 * ms, 1, true, 1400 * ms}, {1400 * ms, 1, false, 0}, {2 * s, 1, true, 2 * s}}},
		{"a slow key is forgotten 1 s and 1/rate after", "traefik-bucket", Limit{Count: 1, Window: 2500 * ms}, options("burst", int64(2)), []step{
			{0, 2, true, 0}, {2*s + 999*ms, 1, true, 2*s + 999*ms}, {6 * s, 2, true, 6 * s}}},
		{"costs", "traefik-bucket", perSecond(10), options("burst", int64(3)), []step{
			{0, 4, false, 0}, {0, 3, true, 0}, {150 * ms, 2, true, 200 * ms}}},
	})
}

// TestTraefikBucketInFloats compares decisions with the arithmetic of golang.org/x/time/rate
// in floats, and levels and retry times with what requests find.
func TestTraefikBucketInFloats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := Limit{Count: rapid.Int64Range(1, 40).Draw(t, "count"), Window: rapid.SampledFrom([]int64{1e9, 7e9, 60e9}).Draw(t, "window")}
		o := TraefikBucketOptions{Burst: rapid.Int64Range(1, 9).Draw(t, "burst")}
		table := NewTraefikBuckets(limit, o, 1)
		rate := float64(limit.Count) / (float64(limit.Window) / 1e9)
		most, ttl := 0.5, int64(1+1/rate)
		if rate >= 1 {
			most, ttl = 1/(2*math.Floor(rate)), 2
		}
		tokens, last, seen := float64(o.Burst), int64(0), int64(math.MinInt64/2)
		now := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			now += rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, limit.Window/limit.Count), rapid.Int64Range(0, 4e9)).Draw(t, "gap")
			if now/1e9 >= seen+ttl {
				tokens, last = float64(o.Burst), now
			}
			seen = now / 1e9
			tokens = math.Min(float64(o.Burst), tokens+float64(now-last)/1e9*rate)
			last = now
			wait := math.Max(0, (1-tokens)/rate)
			level, retryAt := table.Level(0, now), table.RetryAt(0, now, 1)
			v, dispatch := table.Take(0, now, 1)
			if v.Admitted() != (level > 0) || v.Admitted() != (retryAt == now) {
				t.Fatalf("%v: admitted %v at level %d, retry at %d of %d", limit, v.Admitted(), level, retryAt, now)
			}
			if math.Abs(wait-most) > 1e-6 && v.Admitted() != (wait < most) || v.Admitted() && math.Abs(float64(dispatch-now)/1e9-wait) > 1e-6 {
				t.Fatalf("%v, burst %d: admitted %v after %d ns; in floats the wait is %g s of %g", limit, o.Burst, v.Admitted(), dispatch-now, wait, most)
			}
			if v.Admitted() {
				tokens--
			}
		}
	})
}
