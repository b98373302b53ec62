package measure

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Quantiles of pooled distributions are those of the sorted list of all observations, and
// without each part those of the others.
func TestPooledIsSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lists [][]float64
		var parts []*Distribution
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			list := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 5), func(n int) float64 { return float64(n) }), 0, 8).Draw(t, "observations")
			slices.Sort(list)
			var d *Distribution
			for _, x := range list {
				if d == nil {
					d = &Distribution{}
				}
				d.add(x, 1)
			}
			lists, parts = append(lists, list), append(parts, d)
		}
		permille := rapid.Int64Range(1, 1000).Draw(t, "permille")
		quantile := func(lists [][]float64) float64 {
			all := slices.Concat(lists...)
			if slices.Sort(all); len(all) == 0 {
				return 0
			}
			return all[rank(permille, int64(len(all)))-1]
		}
		pooled := PoolOf(parts)
		if got, want := pooled.Quantile(permille), quantile(lists); got != want {
			t.Fatalf("quantile %v, want %v", got, want)
		}
		for i, got := range pooled.WithoutEach(permille) {
			others := slices.Delete(slices.Clone(lists), i, i+1)
			want := quantile(others)
			if len(slices.Concat(others...)) == 0 {
				want = pooled.Quantile(permille)
			}
			if got != want {
				t.Fatalf("without part %d: %v, want %v", i, got, want)
			}
		}
	})
}
