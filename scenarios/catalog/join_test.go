package catalog

import "testing"

// A comma in a name is not taken for the end of the name.
func TestJoin(t *testing.T) {
	if got, want := Join([]string{"a b", "c, d", `e"`}), `a b, "c, d", e"`; got != want {
		t.Errorf("the names are %s, want %s", got, want)
	}
}
