package random

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestNormalAt compares with the tail of the normal distribution, for ranks that are
// drawn evenly and for those near both ends.
func TestNormalAt(t *testing.T) {
	below := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
	check := func(t *rapid.T, tail uint64) {
		z, share := math.Ldexp(float64(NormalAt(tail)), -NormalBits), math.Ldexp(float64(tail|1), -64)
		const within = 1.0 / (1 << 20)
		if below(z-within) > share || below(z+within) < share {
			t.Fatalf("rank %#x: %.9f, where the share below is %g", tail, z, below(z))
		}
		if other := NormalAt(^tail); math.Abs(math.Ldexp(float64(other), -NormalBits)+z) > within {
			t.Fatalf("rank %#x: %d, and at the other end %d", tail, NormalAt(tail), other)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.Uint64Max(1<<63).Draw(t, "rank")) })
	rapid.Check(t, func(t *rapid.T) { check(t, uint64(math.MaxUint64)>>rapid.IntRange(1, 63).Draw(t, "zeros")) })
}

// TestNormalAtJoins checks that the three approximations meet without a step down.
func TestNormalAtJoins(t *testing.T) {
	join := uint64(math.Ldexp(0.925, 63)) * 2
	far := ^uint64(math.Ldexp(math.Exp(-25), 64))
	for _, middle := range []uint64{1 << 63, join, ^join, far, ^far} {
		last := int64(-1) << 60
		for i := range uint64(2001) {
			z := NormalAt(middle + (i-1000)<<6)
			if z < last {
				t.Fatalf("%#x: %d after %d", middle+(i-1000)<<6, z, last)
			}
			last = z
		}
	}
}

func TestLognormalAt(t *testing.T) {
	l, err := NewLognormal(800, 4000)
	if err != nil {
		t.Fatal(err)
	}
	sigma := math.Log(5) / 2.3263478740408411
	for _, z := range []float64{-3, -1, 0, 1, 2.3263478740408411, 4} {
		rank := uint64(math.Ldexp(math.Erfc(-z/math.Sqrt2)/2, 64))
		want := math.Round(800 * math.Exp(sigma*z))
		if got := l.At(rank); math.Abs(float64(got)-want) > 1 {
			t.Errorf("z = %.2f: %d, want %.0f", z, got, want)
		}
	}
	if _, err := NewLognormal(10, 9); err == nil {
		t.Error("a p99 below the median passed")
	}
}
