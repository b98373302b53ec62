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
