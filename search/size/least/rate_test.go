package least

import (
	"math/rand/v2"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// TestLeastRate tries the count and the one below on the requests.
func TestLeastRate(t *testing.T) {
	for seed := range uint64(300) {
		draw := rand.New(rand.NewPCG(seed, 3))
		rows, abuser := drawn(draw, false), []bool{seed%2 == 0, false, false}
		study, err := NewStudy(played(rows), 3, abuser)
		if err != nil {
			t.Fatal(err)
		}
		g := Goal{AtMost: units.Fraction{Num: draw.Int64N(3), Den: 5}, OfKeys: draw.IntN(2) == 0}
		window := 1e9 * (1 + draw.Int64N(9))
		count, err := study.LeastRate(window, g)
		if err != nil {
			t.Fatal(err)
		}
		keeps := func(count int64) bool {
			table, _ := counting.New("haproxy-rate", counting.Limit{Count: count, Window: window}, nil, 3)
			requests, keys := int64(0), map[int32]bool{}
			for _, r := range rows {
				if !table.Take(r.key, r.time, r.cost).Admitted() && !abuser[r.key] {
					requests++
					keys[r.key] = true
				}
			}
			if g.OfKeys {
				requests = int64(len(keys))
			}
			return requests <= study.Allowed(g)
		}
		if !keeps(count) || count > 1 && keeps(count-1) {
			t.Errorf("seed %d: %d in %d ns is not the least count: keeps %v", seed, count, window, keeps(count))
		}
	}
}
