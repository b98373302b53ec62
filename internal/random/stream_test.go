package random

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The reference sequence of SplitMix64 from state 0 with the golden gamma.
func TestUint64IsSplitMix64(t *testing.T) {
	s := Stream{gamma: golden}
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec} {
		if got := s.Uint64(); got != want {
			t.Errorf("draw %d is %#x, want %#x", i, got, want)
		}
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(20) {
		for replication := range 20 {
			for _, name := range []string{"", "a", "b", "a\x00", "traffic[0]", "traffic[1]", "twelve bytes", "twelve bytes!"} {
				s := New(seed, replication, name)
				if s.gamma&1 == 0 {
					t.Fatalf("gamma of (%d, %d, %q) is even", seed, replication, name)
				}
				first := s.Uint64()
				if other, ok := seen[first]; ok {
					t.Fatalf("(%d, %d, %q) starts like %s", seed, replication, name, other)
				}
				seen[first] = name
			}
		}
	}
}

func TestBelowIsUniform(t *testing.T) {
	s := New(7, 0, "below")
	for _, n := range []uint64{1, 2, 3, 10, 100} {
		counts := make([]float64, n)
		const draws = 200_000
		for range draws {
			counts[s.Below(n)]++
		}
		var chi2 float64
		for _, c := range counts {
			d := c - draws/float64(n)
			chi2 += d * d / (draws / float64(n))
		}
		if limit := float64(n-1) + 5*math.Sqrt(2*float64(n)); chi2 > limit {
			t.Errorf("chi-square of Below(%d) is %.1f, over %.1f", n, chi2, limit)
		}
	}
	// Without drawing again, every third number below three quarters of 2^64
	// would occur twice as often as the others.
	n := uint64(3 << 62)
	var thirds float64
	for range 90_000 {
		v := s.Below(n)
		if v >= n {
			t.Fatalf("Below(%d) gave %d", n, v)
		}
		if v%3 == 0 {
			thirds++
		}
	}
	if math.Abs(thirds-30_000) > 5*math.Sqrt(20_000) {
		t.Errorf("%.0f of 90000 are multiples of 3", thirds)
	}
}

// A column of draws equals single draws, also if a draw must be repeated. The
// first of these streams is 0, which must be repeated unless n is a power of 2.
func TestFillsAreSingleDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gamma := rapid.Uint64().Draw(t, "gamma") | 1
		columns := Stream{state: -gamma, gamma: gamma}
		single := columns
		for range rapid.IntRange(1, 5).Draw(t, "columns") {
			words := make([]uint64, rapid.IntRange(0, 100).Draw(t, "words"))
			below := make([]int32, rapid.IntRange(0, 100).Draw(t, "rows"))
			n := rapid.Uint64Range(1, 1<<31).Draw(t, "n")
			columns.FillBelow(below, n)
			columns.FillUint64(words)
			for i, got := range below {
				if want := single.Below(n); uint64(got) != want {
					t.Fatalf("row %d below %d is %d, want %d", i, n, got, want)
				}
			}
			for i, got := range words {
				if want := single.Uint64(); got != want {
					t.Fatalf("word %d is %#x, want %#x", i, got, want)
				}
			}
		}
		if columns != single {
			t.Fatal("columns leave the stream elsewhere than single draws")
		}
		if n := rapid.Uint64().Draw(t, "jump"); single.Jumped(n).Jumped(-n) != single {
			t.Fatalf("%d draws on and back is elsewhere", n)
		}
	})
}

func TestChances(t *testing.T) {
	s := New(7, 0, "chances")
	var thirds int
	for range 300_000 {
		if s.Chance(1, 3) {
			thirds++
		}
		if s.Chance(0, 3) || !s.Chance(3, 3) {
			t.Fatal("never or always did not hold")
		}
	}
	if math.Abs(float64(thirds)-100_000) > 1300 {
		t.Errorf("a third came %d times of 300000", thirds)
	}
}
