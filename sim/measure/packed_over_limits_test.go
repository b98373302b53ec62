package measure

import (
	"testing"

	"pgregory.net/rapid"
)

// For any costs and any number of windows, the sums equal those of 64-bit counts.
func TestOverLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sums overLimits
		want := map[int32]overLimit{}
		for range rapid.IntRange(0, 60).Draw(t, "additions") {
			key := rapid.Int32Range(0, 70).Draw(t, "key")
			cost := rapid.Int64Range(0, rapid.SampledFrom([]int64{3, 1 << 39, 1 << 40, 1 << 50}).Draw(t, "largest cost")).Draw(t, "cost")
			windows := rapid.Int64Range(0, rapid.SampledFrom([]int64{3, 1 << 23, 1 << 24, 1 << 30}).Draw(t, "most windows")).Draw(t, "windows")
			sums.add(key, cost, windows)
			o := want[key]
			o.add(cost, windows)
			want[key] = o
		}
		for key := range int32(72) {
			if got := sums.of(key); got != want[key] {
				t.Fatalf("key %d: %v, want %v", key, got, want[key])
			}
		}
	})
}
