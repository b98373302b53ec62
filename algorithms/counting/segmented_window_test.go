package counting

import (
	"math/big"
	"testing"
)

// TestSegmentedWindow plays answers that were worked out by hand, in ms.
func TestSegmentedWindow(t *testing.T) {
	type burst struct{ at, count, admitted int64 }
	for _, c := range []struct {
		limit    Limit
		segments int64
		bursts   []burst
	}{
		// Sentinel's two halves: twenty within 550 ms.
		{Limit{Count: 10, Window: 1000}, 2, []burst{{450, 10, 10}, {900, 10, 0}, {1000, 10, 10}, {1499, 10, 0}, {1500, 10, 0}, {2000, 10, 10}}},
		{Limit{Count: 5, Window: 30_000}, 3, []burst{{1000, 5, 5}, {12_000, 5, 0}, {29_900, 5, 0}, {30_000, 5, 5}, {59_900, 5, 0}, {60_000, 5, 5}}},
		{Limit{Count: 6, Window: 3000}, 3, []burst{{500, 2, 2}, {1500, 2, 2}, {2500, 2, 2}, {3000, 6, 2}, {4000, 6, 2}, {5000, 6, 2}, {6000, 6, 2}}},
	} {
		w := NewSegmentedWindows(c.limit, SegmentOptions{c.segments}, 1)
		for _, b := range c.bursts {
			got := int64(0)
			for range b.count {
				if w.Take(0, b.at, 1).Admitted() {
					got++
				}
			}
			if got != b.admitted {
				t.Errorf("%+v, %d segments: %d admitted at %d, want %d", c.limit, c.segments, got, b.at, b.admitted)
			}
		}
	}
}

func init() {
	referenceModels["segmented-window"] = func(v variant, limit Limit) referenceModel {
		n := v.options.Int("segments")
		segment := func(at, width int64) int64 { return at / ((width + n - 1) / n) }
		return &listModel{
			limit: limit,
			used: func(list []counted, now, width int64) *big.Rat {
				return sumWhere(list, func(at int64) bool { return segment(at, width) > segment(now, width)-n })
			},
			same: func(x, y, width int64) bool { return segment(x, width) == segment(y, width) },
		}
	}
}
