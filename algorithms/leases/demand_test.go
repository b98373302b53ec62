package leases

import (
	"testing"

	"pgregory.net/rapid"
)

// The estimate is what a model with the cost of every second says: the whole seconds
// before, the newest with the largest weight, since the first request.
func TestWantsAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := testConfig()
		c.Seconds = rapid.IntRange(1, 5).Draw(t, "seconds")
		var d demand
		costs, first := map[int64]int64{}, int64(-1)
		now := rapid.Int64Range(0, 20*s).Draw(t, "start")
		for range rapid.IntRange(1, 40).Draw(t, "calls") {
			now += rapid.SampledFrom([]int64{0, s / 3, s, 2 * s, 3 * s, 4 * s, 11 * s}).Draw(t, "later")
			second := now / s
			if rapid.Bool().Draw(t, "request") {
				cost := rapid.Int64Range(0, 9).Draw(t, "cost")
				d.count(now, cost, c)
				costs[second] += cost
				if first < 0 {
					first = second
				}
				continue
			}
			want := c.FirstWants
			if first >= 0 && second > first {
				sum, weights := int64(0), int64(0)
				for age := int64(1); age <= int64(c.Seconds) && second-age >= first; age++ {
					weight := int64(c.Seconds) + 1 - age
					sum, weights = sum+weight*costs[second-age], weights+weight
				}
				want = c.Rate(sum*c.Unit, weights*s)
			}
			if got := d.wants(now, c, 0); got != want {
				t.Fatalf("at %d ns: wants %d, want %d", now, got, want)
			}
		}
	})
}
