package lists

import (
	"slices"
	"strconv"
	"testing"
)

func TestMap(t *testing.T) {
	if got := Map([]int{3, 1, 2}, strconv.Itoa); !slices.Equal(got, []string{"3", "1", "2"}) {
		t.Errorf("texts %q", got)
	}
	if got := Map(nil, strconv.Itoa); got != nil {
		t.Errorf("of nothing %q, want nil", got)
	}
}

func TestWhere(t *testing.T) {
	odd := func(n int) bool { return n%2 == 1 }
	if got := Where([]int{3, 1, 2}, odd); !slices.Equal(got, []int{3, 1}) {
		t.Errorf("odd numbers %d", got)
	}
	if got := Where([]int{2}, odd); got != nil {
		t.Errorf("of none %d, want nil", got)
	}
}

func TestDistinct(t *testing.T) {
	if got := Distinct([]int{3, 1, 3, 2, 1}); !slices.Equal(got, []int{3, 1, 2}) {
		t.Errorf("numbers %d", got)
	}
	if got := Distinct[int](nil); got != nil {
		t.Errorf("of nothing %d, want nil", got)
	}
}

func TestReach(t *testing.T) {
	if got := Reach([]int{3}, 2); !slices.Equal(got, []int{3, 0, 0}) {
		t.Errorf("as many as item 2 needs: %d", got)
	}
	if got := Reach([]int{3, 1}, int32(0)); !slices.Equal(got, []int{3, 1}) {
		t.Errorf("as many as item 0 needs: %d", got)
	}
}
