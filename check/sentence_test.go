package check

import "testing"

// TestAbove checks what is said of the requests above a limit.
func TestAbove(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		want string
	}{
		{Rule{AtOnce: 1, Status: 503}, "one at once, more is refused with 503"},
		{Rule{AtOnce: 1, Waiting: 1, LongestMs: 100, Status: 503}, "one at once, one more waits, up to 100 ms; more is refused with 503"},
		{Rule{AtOnce: 4, Waiting: 2, Status: -1}, "4 at once, 2 more wait; more is refused by closing the connection"},
		{Rule{AtOnce: 4, Waiting: 1, LongestMs: 100, Only: true}, "4 at once, one more would wait, up to 100 ms; more is counted, and all passes"},
		{Rule{AtOnce: -1, Status: 429, Held: true}, "a burst that is not given, more is held first, then refused with 429"},
		{Rule{AtOnce: 3, LongestMs: 500, Status: 429}, "3 at once, and a request that comes at most 500 ms before its token waits; more is refused with 429"},
	} {
		if got := c.rule.above(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.rule, got, c.want)
		}
	}
}
