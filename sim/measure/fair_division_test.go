package measure

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Groups contain each demand above 0 with its number of occurrences, in order,
// for any number and size of demands. Nothing remains of earlier demands.
func TestDemandGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var groups demandGroups
		for range rapid.IntRange(1, 3).Draw(t, "times") {
			largest := rapid.SampledFrom([]int64{0, 3, 20, math.MaxInt64}).Draw(t, "largest")
			demands := rapid.SliceOfN(rapid.Int64Range(0, largest), 0, 60).Draw(t, "demands")
			groups.set(demands)
			var got []int64
			for _, g := range groups.groups {
				got = append(got, slices.Repeat([]int64{g.demand}, int(g.flows))...)
			}
			slices.Sort(demands)
			want := slices.DeleteFunc(demands, func(d int64) bool { return d == 0 })
			if !slices.Equal(got, want) || groups.flows != int64(len(want)) {
				t.Fatalf("%d flows in %v, want %v", groups.flows, groups.groups, want)
			}
		}
	})
}
