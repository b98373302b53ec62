package baseline

import (
	"math/rand/v2"
	"testing"

	"github.com/limitgauge/limitgauge/internal/stats"
)

// TestFewestReplications checks that the smallest number of replications that suffices is
// found wherever it is, up to the bound of the search and none above it.
func TestFewestReplications(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		runs := 1 + r.IntN(40)
		c := &Cell{change: &stats.Change{N: [2]int{runs, runs}}}
		for _, enough := range []int{runs + 1, runs + 2, 2 * runs, 2*runs + 1, runs + 1 + r.IntN(mostReplications-runs), mostReplications - 1, mostReplications, mostReplications + 1, 2 * mostReplications} {
			want := max(enough, runs+1)
			if enough > mostReplications {
				want = 0
			}
			got := c.fewest(func(n int) bool {
				if n > mostReplications {
					t.Fatalf("%d replications are tried", n)
				}
				return n >= enough
			})
			if got != want {
				t.Fatalf("%d replications at hand, %d suffice: %d, want %d", runs, enough, got, want)
			}
		}
	}
}
