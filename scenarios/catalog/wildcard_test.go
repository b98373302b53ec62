package catalog

import "testing"

// TestMatches compares patterns with the names that they stand for, and allocates nothing.
func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "", true}, {"", "a", false}, {"a", "a", true}, {"a", "ab", false},
		{"*", "", true}, {"*", "a", true}, {"**", "a", true}, {"a*", "a", true}, {"a*", "ba", false}, {"*a", "ba", true}, {"*a", "ab", false},
		{"a*c", "abc", true}, {"a*c", "ac", true}, {"a*c", "acb", false}, {"ab*ba", "aba", false}, {"a*a", "a", false},
		{"/api/*/upload", "/api/7/upload", true}, {"/api/*/upload", "/api/upload", false}, {"*b*b*", "ab", false}, {"*b*b*", "abb", true}, {"a*b*c", "abbc", true},
	} {
		if got := Matches(c.pattern, c.name); got != c.want {
			t.Errorf("%q and %q: %v", c.pattern, c.name, got)
		}
	}
	if n := testing.AllocsPerRun(100, func() { Matches("/api/*/upload", "/api/7/upload") }); n > 0 {
		t.Errorf("%v allocations for each name", n)
	}
}
