package traffic

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The sorter sorts words that are evenly spread, in clusters, or already in
// order.
func TestSorterSorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSorter(300)
		for range rapid.IntRange(1, 3).Draw(t, "rounds") {
			most := rapid.Uint64().Draw(t, "most")
			words := make([]uint64, rapid.IntRange(0, 300).Draw(t, "words"))
			crowded := rapid.Uint64Range(0, most).Draw(t, "where the crowd begins")
			part := rapid.IntRange(0, len(words)).Draw(t, "words not of the crowd")
			for i := range words {
				if i < part {
					words[i] = rapid.Uint64Range(0, most).Draw(t, "word")
				} else {
					words[i] = rapid.Uint64Range(crowded, crowded+(most-crowded)/1000).Draw(t, "word of the crowd")
				}
			}
			want := slices.Sorted(slices.Values(words))
			if got := s.sort(words, most); !slices.Equal(got, want) {
				t.Fatalf("got %x, want %x", got, want)
			}
		}
	})
}
