package delayedsync

import (
	"math/rand/v2"
	"testing"
)

// Admits says what Decide does. A tally is not changed by it; a quota that holds is
// not either, and one that is void is renewed.
func TestAdmits(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	store := NewStore(apisix())
	calls := 0
	ask := func(now int64, key int32, delta int64) (AnswerRow, bool) {
		calls++
		return store.Commit(now, key, delta), true
	}
	quota, tally, alone := NewQuota(apisix(), 0, ask), NewTally(kong(), 0), NewTally(kong(), 0)
	now, rejected := int64(0), 0
	for range 3000 {
		now += draw.Int64N(100 * ms)
		key, cost := draw.Int32N(2), draw.Int64N(5)
		before := calls
		admits := quota.Admits(now, key, cost)
		if calls > before && quota.Admits(now, key, cost) != admits {
			t.Fatal("a renewed quota is void")
		}
		if v := quota.Decide(now, key, cost); v.Admitted() != admits {
			t.Fatalf("quota at %d: Admits %v, Decide %v", now, admits, v)
		}
		admits = tally.Admits(now, key, cost)
		v, w := tally.Decide(now, key, cost), alone.Decide(now, key, cost)
		if admits != v.Admitted() || v != w {
			t.Fatalf("tally at %d: Admits %v, Decide %v and without Admits %v", now, admits, v, w)
		}
		if !admits {
			rejected++
		}
	}
	if rejected < 100 || rejected > 2900 {
		t.Errorf("%d of 3000 rejected", rejected)
	}
}
