package groups

import (
	"slices"
	"testing"
)

func TestGroups(t *testing.T) {
	var g Groups[string, int]
	for i, key := range []string{"b", "a", "b", "c", "a"} {
		g.Add(key, i)
	}
	if !slices.Equal(g.Keys, []string{"b", "a", "c"}) {
		t.Errorf("keys %v, want those of the first values in order", g.Keys)
	}
	for key, want := range map[string][]int{"a": {1, 4}, "b": {0, 2}, "c": {3}} {
		if got := g.Of[key]; !slices.Equal(got, want) {
			t.Errorf("group %s: %v, want %v", key, got, want)
		}
	}
}
