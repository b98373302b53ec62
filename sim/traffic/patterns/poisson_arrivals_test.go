package patterns

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
)

// A block of arrivals equals the same arrivals one by one, and uses the same
// number of draws, for any ends of blocks and segments.
func TestMemorylessFillsAsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := newExactRate(rapid.Int64Range(0, 100).Draw(t, "n"), rapid.Int64Range(2, 100_000).Draw(t, "p"))
		if err != nil {
			t.Fatal(err)
		}
		blocks := random.New(1, 0, "test")
		single := blocks
		a, b := newPoissonArrivals(&blocks, 0, p), newPoissonArrivals(&single, 0, p)
		end := int64(0)
		for range rapid.IntRange(1, 8).Draw(t, "blocks") {
			end += rapid.Int64Range(0, 300*max(1, p.p/max(1, p.n))).Draw(t, "segment")
			times := make([]int64, rapid.IntRange(0, 300).Draw(t, "room"))
			got := times[:a.fill(&blocks, times, end)]
			var want []int64
			for len(want) < len(times) && !b.none && b.at < end {
				want = append(want, b.at)
				b.skip(&single)
			}
			if !slices.Equal(got, want) || a != b || blocks != single {
				t.Fatalf("%d/%d: got %v and stand at %v, want %v and %v", p.n, p.p, got, a, want, b)
			}
		}
	})
}
