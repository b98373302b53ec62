package settlement

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// naive returns the smallest of the last costs that at least the share of them does not
// exceed.
func naive(costs []int64, last int, share units.Fraction, first int64) int64 {
	costs = costs[max(0, len(costs)-last):]
	best, found := first, false
	for _, c := range costs {
		n := int64(0)
		for _, other := range costs {
			if other <= c {
				n++
			}
		}
		if n*share.Den >= int64(len(costs))*share.Num && (!found || c < best) {
			best, found = c, true
		}
	}
	return best
}

// Each way charges what it says, and reserving a quantile is like sorting all answers
// anew: those of all requests, or those of the dearest of the request's keys.
func TestCharge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Config{
			Way:     rapid.SampledFrom([]string{None, CheckThenDeduct, Estimate, ReserveMaximum, ReserveQuantile, ReserveQuantile, ReserveQuantile}).Draw(t, "way"),
			Maximum: rapid.Int64Range(1, 60).Draw(t, "maximum"), Answers: rapid.IntRange(1, 12).Draw(t, "answers"),
			Quantile: units.Fraction{Num: rapid.Int64Range(0, 10).Draw(t, "tenths"), Den: 10}, ByKey: rapid.Bool().Draw(t, "by key"),
		}
		r, answers := NewRule(c), map[int32][]int64{}
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			keys := rapid.SampledFrom([][]int32{{0}, {1}, {0, 1}, {1, 2}}).Draw(t, "keys")
			estimate, want := rapid.Int64Range(0, 60).Draw(t, "estimate"), int64(0)
			switch c.Way {
			case None, Estimate:
				want = estimate
			case ReserveMaximum:
				want = c.Maximum
			case ReserveQuantile:
				of := keys
				if !c.ByKey {
					of = []int32{-1}
				}
				for _, key := range of {
					one := naive(answers[key], c.Answers, c.Quantile, c.Maximum)
					if len(answers[key]) == 0 {
						want = one
						break
					}
					want = max(want, one)
				}
			}
			if got := r.Charge(keys, estimate); got != want {
				t.Fatalf("%+v charges %d, want %d, after %v", c, got, want, answers)
			}
			if most := c.Largest(estimate); c.Way != ReserveQuantile && most != want {
				t.Fatalf("%+v charges %d, at most %d", c, want, most)
			}
			cost := rapid.Int64Range(0, 50).Draw(t, "cost")
			r.Learn(keys, cost)
			for _, key := range append([]int32{-1}, keys...) {
				if key >= 0 || !c.ByKey {
					answers[key] = append(answers[key], cost)
				}
			}
		}
	})
}

// Only CheckThenDeduct admits a request whatever it charges, if each of its keys has one
// token left.
func TestTake(t *testing.T) {
	for _, c := range []struct {
		way  string
		left [2]int64
		want counting.Verdict
	}{
		{CheckThenDeduct, [2]int64{1, 1}, counting.Admitted},
		{CheckThenDeduct, [2]int64{1, 0}, counting.Rejected},
		{CheckThenDeduct, [2]int64{0, 1}, counting.Rejected},
		{Estimate, [2]int64{5, 5}, counting.Admitted},
		{Estimate, [2]int64{5, 4}, counting.Rejected},
	} {
		table := counting.NewFixedWindows(counting.Limit{Count: 10, Window: 100}, counting.WindowOptions{}, 2)
		for key, left := range c.left {
			table.Take(int32(key), 0, 10-left)
		}
		if got := NewRule(Config{Way: c.way}).Take(counting.Joint{}, table, []int32{0, 1}, 0, 5); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
