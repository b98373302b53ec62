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

// TestShareSolves checks what defines the interval, for all shares of up to 60 trials: its
// bounds are exactly 0 and 1 where no trial or every trial had the outcome, and otherwise
// lie 1.96 of their own standard deviations from the share.
func TestShareSolves(t *testing.T) {
	for n := 1; n <= 60; n++ {
		for k := 0; k <= n; k++ {
			lo, hi := Share(k, n)
			p := float64(k) / float64(n)
			if lo > p || hi < p || (lo == 0) != (k == 0) || (hi == 1) != (k == n) {
				t.Errorf("%d of %d: %v to %v", k, n, lo, hi)
			}
			for _, x := range []float64{lo, hi} {
				if got, want := (p-x)*(p-x), 1.959963984540054*1.959963984540054*x*(1-x)/float64(n); math.Abs(got-want) > 1e-12 {
					t.Errorf("%d of %d: the bound %v is at a squared distance of %v, want %v", k, n, x, got, want)
				}
			}
		}
	}
}
