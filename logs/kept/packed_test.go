package kept

import "testing"

func TestCoarsest(t *testing.T) {
	for want, times := range map[int64][]int64{1e9: {0, 5e9}, 1e6: {1e9, 5e6}, 1e3: {1e6, 10e3}, 100: {1e9, 200}, 1: {100, 10}} {
		if got := resolutions[coarsest(times, 0)]; got != want {
			t.Errorf("%v: %d, want %d", times, got, want)
		}
	}
}
