package logs

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// Names get codes in the order of their first use, also where the names of
// recent rows end alike.
func TestInterner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := interner{ids: map[string]int32{}}
		var names []string
		for _, name := range rapid.SliceOfN(rapid.StringMatching(`(|-|a|[ab]{0,3}(1\.113|2\.113|\.\.\.\.))`), 1, 60).Draw(t, "names") {
			want := name
			if want == "" {
				want = NoKey
			}
			if !slices.Contains(names, want) {
				names = append(names, want)
			}
			if code := in.id([]byte(name)); code != int32(slices.Index(names, want)) {
				t.Fatalf("%q has code %d in %q", name, code, names)
			}
		}
		if !slices.Equal(in.names, names) {
			t.Fatalf("names %q, want %q", in.names, names)
		}
	})
}
