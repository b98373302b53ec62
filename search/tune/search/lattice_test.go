package search

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// TestBlocksCoverTheGrid checks that dividing a block loses no candidate and no corner,
// halves each axis that has values between its ends, and ends when none has.
func TestBlocksCoverTheGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &search{Options: Options{Families: 2, Axes: rapid.SliceOfN(rapid.IntRange(1, 9), 1, 3).Draw(t, "axes")}}
		whole := block{family: rapid.IntRange(0, 1).Draw(t, "family")}
		for _, values := range s.Axes {
			lo := rapid.IntRange(0, values-1).Draw(t, "lo")
			whole.lo, whole.hi = append(whole.lo, lo), append(whole.hi, rapid.IntRange(lo, values-1).Draw(t, "hi"))
		}
		want := inside(s, whole)
		blocks, corners := []block{whole}, map[int]bool{}
		for len(blocks) > 0 {
			var next []block
			covered := map[int]bool{}
			for _, b := range blocks {
				found := s.corners(b)
				for _, n := range found {
					corners[n] = true
				}
				if distinct := slices.Compact(slices.Sorted(slices.Values(found))); len(distinct) != len(found) {
					t.Fatalf("%+v has the corners %v", b, found)
				}
				for _, n := range inside(s, b) {
					covered[n] = true
				}
				for _, part := range b.divide() {
					for axis := range b.lo {
						if long, half := b.hi[axis]-b.lo[axis], part.hi[axis]-part.lo[axis]; half > (long+1)/2 || long > 1 && half < long/2 {
							t.Fatalf("%+v is divided into %+v", b, part)
						}
					}
					next = append(next, part)
				}
				wide := false
				for axis := range b.lo {
					wide = wide || b.hi[axis]-b.lo[axis] > 1
				}
				if (b.divide() != nil) != wide {
					t.Fatalf("%+v is divided into %+v", b, b.divide())
				}
			}
			for _, n := range want {
				if !covered[n] && !corners[n] {
					t.Fatalf("candidate %d of %+v is in no block of %+v", n, whole, blocks)
				}
			}
			blocks = next
		}
		if got := slices.Sorted(maps.Keys(corners)); !slices.Equal(got, want) {
			t.Fatalf("the corners of all blocks of %+v are %v, want %v", whole, got, want)
		}
	})
}

// inside returns all candidates of a block, in order.
func inside(s *search, b block) []int {
	numbers := []int{b.family}
	for axis, values := range s.Axes {
		var next []int
		for _, n := range numbers {
			for x := b.lo[axis]; x <= b.hi[axis]; x++ {
				next = append(next, n*values+x)
			}
		}
		numbers = next
	}
	return numbers
}

// TestCoarseBlocks checks that the first blocks of a large grid cover it and have at
// most half of Look corners, and that another division would have more or is impossible.
func TestCoarseBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &search{Options: Options{
			Families: rapid.IntRange(1, 3).Draw(t, "families"), Axes: rapid.SliceOfN(rapid.IntRange(2, 40), 1, 3).Draw(t, "axes"),
		}}
		s.Look = rapid.IntRange(1, s.size()-1).Draw(t, "look")
		blocks := s.coarse()
		count := func(blocks []block) int {
			corners := map[int]bool{}
			for _, b := range blocks {
				for _, n := range s.corners(b) {
					corners[n] = true
				}
			}
			return len(corners)
		}
		var finer []block
		for _, b := range blocks {
			finer = append(finer, b.divide()...)
		}
		if len(blocks) > s.Families && count(blocks) > s.Look/2 || len(finer) > 0 && count(finer) <= s.Look/2 {
			t.Fatalf("%d blocks of %v have %d corners, finer ones %d; looks at %d", len(blocks), s.Axes, count(blocks), count(finer), s.Look)
		}
		all := map[int]bool{}
		for _, b := range blocks {
			for _, n := range inside(s, b) {
				all[n] = true
			}
		}
		if len(all) != s.size() {
			t.Fatalf("the blocks have %d of %d candidates", len(all), s.size())
		}
	})
}
