package memory

import "testing"

// TestLarge checks that a table has its length and is zero, whether it is large or not, and
// that it can be written to its ends.
func TestLarge(t *testing.T) {
	for _, n := range []int{0, 1, 1000, largeBytes/8 - 1, largeBytes / 8, 3*largeBytes/8 + 5} {
		s := Large[int64](n)
		if len(s) != n {
			t.Fatalf("a table of %d has %d", n, len(s))
		}
		for i, x := range s {
			if x != 0 {
				t.Fatalf("of a table of %d, number %d is %d", n, i, x)
			}
		}
		for i := range s {
			s[i] = int64(i)
		}
		for i, x := range s {
			if x != int64(i) {
				t.Fatalf("of a table of %d, number %d is %d after it was set to %d", n, i, x, i)
			}
		}
	}
}
