package lists

import "testing"

func TestCount(t *testing.T) {
	odd := func(n int) bool { return n%2 == 1 }
	for _, c := range []struct {
		items []int
		want  int
	}{{[]int{3, 1, 2, 3}, 3}, {[]int{2}, 0}, {nil, 0}} {
		if n := Count(c.items, odd); n != c.want {
			t.Errorf("odd ones of %v: %d, want %d", c.items, n, c.want)
		}
	}
}
