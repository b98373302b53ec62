package broadcast

import (
	"math/rand/v2"
	"testing"
)

// Admits says what Decide does, and changes nothing.
func TestAdmits(t *testing.T) {
	calendar := window()
	calendar.Calendar = true
	for _, c := range []*Config{window(), calendar, bucket(10), bucket(4)} {
		draw := rand.New(rand.NewPCG(1, 1))
		asked, alone, now := NewPeer(c, 0), NewPeer(c, 0), int64(0)
		rejected := 0
		for range 3000 {
			now += draw.Int64N(150 * ms)
			key := draw.Int32N(4)
			if draw.IntN(8) == 0 {
				u := &Update{Rows: []UpdateRow{{Key: key, Remaining: draw.Int64N(5), Reset: now + draw.Int64N(900*ms)}}}
				asked.Apply(now, u)
				alone.Apply(now, u)
			}
			cost := draw.Int64N(5)
			admits, v, w := asked.Admits(now, key, cost), asked.Decide(now, key, cost), alone.Decide(now, key, cost)
			if admits != v.Admitted() || v != w {
				t.Fatalf("at %d: Admits %v, Decide %v and without Admits %v", now, admits, v, w)
			}
			if !admits {
				rejected++
			}
		}
		if rejected < 100 || rejected > 2900 {
			t.Errorf("%d of 3000 rejected", rejected)
		}
	}
}
