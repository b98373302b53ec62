package format

import "testing"

func TestList(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := List(names, "or"); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
