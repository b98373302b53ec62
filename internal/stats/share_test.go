package stats

import (
	"math"
	"testing"
)

// TestShare compares intervals with those of Wilson's formula worked out elsewhere.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{
		{0, 10, 0, 0.2775}, {5, 10, 0.2366, 0.7634}, {10, 10, 0.7225, 1}, {73, 100, 0.6357, 0.8073}, {96, 100, 0.9016, 0.9843}, {60, 60, 0.9398, 1},
	} {
		if lo, hi := Share(c.k, c.n); math.Abs(lo-c.lo) > 1e-4 || math.Abs(hi-c.hi) > 1e-4 {
			t.Errorf("%d of %d: got %.4f to %.4f, want %.4f to %.4f", c.k, c.n, lo, hi, c.lo, c.hi)
		}
	}
}
