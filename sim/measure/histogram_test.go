package measure

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// TestHistogram checks that quantiles are those of the sorted samples within
// 1/256, that mean and maximum are exact, and that the buckets hold every
// sample.
func TestHistogram(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		samples := rapid.SliceOfN(rapid.OneOf(
			rapid.Int64Range(0, 300), rapid.Int64Range(0, 1e10), rapid.Int64Range(0, math.MaxInt64),
		), 1, 60).Draw(rt, "samples")
		var h histogram
		sum := new(big.Int)
		for _, v := range samples {
			if v == 0 {
				h.recordZeros(1)
			} else {
				h.record(v)
			}
			sum.Add(sum, big.NewInt(v))
		}
		slices.Sort(samples)
		n := int64(len(samples))
		for _, permille := range []int64{1, 500, 900, 990, 999, 1000} {
			at := (n*permille + 999) / 1000
			want, got := samples[at-1], h.quantile(permille)
			if off := math.Abs(float64(got) - float64(want)); off > float64(want)/256 {
				rt.Errorf("quantile %d/1000 of %v is %d, want %d", permille, samples, got, want)
			}
		}
		if got := h.quantile(1000); got > samples[n-1] {
			rt.Errorf("quantile 1 is %d, above the maximum %d", got, samples[n-1])
		}
		if got, want := h.meanOver(1), quotient(sum, big.NewInt(n)); got != want {
			rt.Errorf("mean %v, want %v", got, want)
		}
		if h.max != samples[n-1] {
			rt.Errorf("max %d, want %d", h.max, samples[n-1])
		}
		var inBuckets int64
		for _, b := range h.buckets() {
			for _, v := range samples {
				if b.Lo <= v && (v < b.Hi || b.Hi < 0) {
					inBuckets++
				}
			}
		}
		if inBuckets != n {
			rt.Errorf("%d of %d samples lie in their buckets", inBuckets, n)
		}
	})
}

func TestRank(t *testing.T) {
	for _, test := range []struct{ permille, n, want int64 }{
		{500, 1, 1}, {500, 2, 1}, {500, 3, 2}, {990, 100, 99}, {990, 101, 100}, {999, 1000, 999}, {1000, 7, 7}, {1, 5, 1},
		{500, math.MaxInt64, math.MaxInt64/2 + 1},
	} {
		if got := rank(test.permille, test.n); got != test.want {
			t.Errorf("rank of %d/1000 among %d is %d, want %d", test.permille, test.n, got, test.want)
		}
	}
}

func TestRatio(t *testing.T) {
	for _, test := range []struct {
		factor, num, den int64
		want             float64
	}{
		{1, 1, 3, 1.0 / 3}, {100, 0, 5, 0}, {100, 1, -4, -25},
		{1e9, 1e18, 1e18, 1e9}, {1, math.MaxInt64, math.MaxInt64, 1}, {3, math.MaxInt64, math.MaxInt64, 3},
	} {
		if got := ratio(test.factor, test.num, test.den); got != test.want {
			t.Errorf("%d*%d/%d is %v, want %v", test.factor, test.num, test.den, got, test.want)
		}
	}
}

func BenchmarkHistogram(b *testing.B) {
	var h histogram
	v := int64(1)
	for b.Loop() {
		h.record(v)
		v = (v*25214903917 + 11) & (1<<34 - 1)
	}
}
