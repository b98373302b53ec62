package measure

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKeySummary compares what follows from the totals of keys with lists of all keys.
func TestKeySummary(t *testing.T) {
	draw := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		var s keySummary
		var sum keyTotals
		var seen int64
		var busy, refused int
		var rejected, offered ranking
		for key := range int32(draw.IntN(40)) {
			x := flowTotals{offered: draw.Int64N(3), admitted: draw.Int64N(2), rejected: draw.Int64N(3), carried: draw.Int64N(2)}
			reference, hasRows := draw.Int64N(3), draw.IntN(2) == 0
			s.add(key, x, reference, hasRows)
			sum = keyTotals{sum.offered + x.offered, sum.admitted + x.admitted, sum.reference + reference}
			if hasRows || x.carried >= 1 {
				seen++
			}
			if x.offered+x.admitted >= 1 {
				busy++
			}
			if x.rejected >= 1 {
				refused++
				rejected = append(rejected, rankedKey{key, x.rejected})
			}
			if x.offered >= 1 {
				offered = append(offered, rankedKey{key, x.offered})
			}
		}
		largest := func(list ranking, n int) ranking {
			slices.SortStableFunc(list, func(a, b rankedKey) int { return cmp.Compare(b.size, a.size) })
			return list[:min(n, len(list))]
		}
		if s.sum != sum || s.seen != seen || s.busy != busy || s.refused != refused ||
			!slices.Equal(s.rejected, largest(rejected, 10)) || !slices.Equal(s.offered, largest(offered, 1)) {
			t.Fatalf("%+v, want %+v, %d, %d, %d, %v, %v", s, sum, seen, busy, refused, largest(rejected, 10), largest(offered, 1))
		}
	}
}
