package batchreported

import (
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// An index numbers keys as a map does, whether they are dense or far apart.
func TestIndexAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := int32(1) << rapid.IntRange(2, 30).Draw(t, "bits")
		keys := rapid.SliceOf(rapid.OneOf(rapid.Int32Range(0, 40), rapid.Int32Range(-3, most))).Draw(t, "keys")
		x := index{expected: rapid.Int32Range(0, 30).Draw(t, "expected")}
		slots := map[int32]int32{}
		for key := range x.expected {
			slots[key] = key
		}
		for _, key := range keys {
			want, known := slots[key]
			if got, ok := x.lookup(key); ok != known || known && got != want {
				t.Fatalf("key %d: slot %d, %v; want %d, %v", key, got, ok, want, known)
			}
			if !known {
				want = int32(len(slots))
				slots[key] = want
			}
			if got, added := x.slot(key); got != want || added == known {
				t.Fatalf("key %d: slot %d, added %v; want %d, %v", key, got, added, want, !known)
			}
		}
		for key, want := range slots {
			if got, ok := x.lookup(key); !ok || got != want || x.key(got) != key {
				t.Fatalf("key %d is at %d of %d", key, got, want)
			}
		}
	})
}
