package catalog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Presets without a counter do not count, and the catalog keeps them.
func TestCounting(t *testing.T) {
	c := Catalog{Presets: []Preset{{Name: "a", Counter: "x"}, {Name: "b"}, {Name: "c", Counter: "y"}}}
	if diff := cmp.Diff([]string{"a", "c"}, Names(c.Counting())); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, Names(c.Presets)); diff != "" {
		t.Error(diff)
	}
}
