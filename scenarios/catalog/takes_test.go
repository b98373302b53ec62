package catalog

import "testing"

// A field states its range at the ends that it has.
func TestTakes(t *testing.T) {
	for _, c := range []struct{ least, most, want string }{
		{"", "", "whole number of requests"},
		{"1", "", "whole number of requests from 1"},
		{"", "9", "whole number of requests up to 9"},
		{"1", "9", "whole number of requests from 1 to 9"},
		{"1", "1", "whole number of requests, 1 only"},
	} {
		f := Field{Kind: Int, Unit: "requests", Min: c.least, Max: c.most}
		if got := f.Takes(); got != c.want {
			t.Errorf("from %q to %q: %q, want %q", c.least, c.most, got, c.want)
		}
	}
}
