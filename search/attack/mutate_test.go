package attack

import (
	"testing"

	"github.com/limitgauge/limitgauge/internal/random"
)

// TestParts checks that the parts of a window are its halves, quarters and so on, down to 1 ns
// of 2^30 ns, and that each is as likely.
func TestParts(t *testing.T) {
	m := &mutator{space: space{window: 1 << 30}, draw: random.New(1, 0, "parts")}
	counts := map[int64]int{}
	const each = 400
	for range 31 * each {
		counts[m.part()]++
	}
	for k := range 31 {
		if n := counts[1<<k]; n < each*3/4 || n > each*5/4 {
			t.Errorf("2^%d ns were drawn %d times, want about %d", k, n, each)
		}
	}
	if len(counts) != 31 {
		t.Errorf("%d parts of a window, want 31: %v", len(counts), counts)
	}
}
