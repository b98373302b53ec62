package readthenwrite

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func options(pairs ...any) catalog.Values {
	v := catalog.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v[pairs[i].(string)] = catalog.Value{V: pairs[i+1], Given: true}
	}
	return v
}

func newStore(t *testing.T, name string, limit counting.Limit, v catalog.Values, losses ...remote.Loss) *Store {
	t.Helper()
	c, err := ConfigFrom(v, limit, name)
	if err != nil {
		t.Fatal(err)
	}
	return NewStore(&c, limit, 1, losses)
}

// TestRace has two clients read the same state before either writes: of two SETs
// one counts, of two increments both, and a token is taken twice.
func TestRace(t *testing.T) {
	limit := counting.Limit{Count: 3, Window: 10, Burst: 3}
	for _, c := range []struct {
		counter, write string
		left           int64
	}{{fixedWindow, "set", 2}, {fixedWindow, "increment", 1}, {firstHitWindow, "set", 2}, {firstHitWindow, "increment", 1}, {tokenBucket, "set", 2}} {
		s := newStore(t, c.counter, limit, options("write", c.write))
		s.Read(0, 0, 0)
		s.Read(1, 0, 1)
		for place := range int32(2) {
			if v, writes := s.Decide(place, 2, 1); !v.Admitted() || !writes {
				t.Errorf("%s, %s: client %d is rejected", c.counter, c.write, place)
			}
			s.Write(place, 0, 2, 1)
		}
		if got := s.Level(0, 2); got != c.left {
			t.Errorf("%s, %s: %d requests left, want %d", c.counter, c.write, got, c.left)
		}
	}
}

// TestLateWrites checks writes after the end of the window in which their client
// read. A calendar window is part of the key's name. The store's own windows take
// the value of the window before.
func TestLateWrites(t *testing.T) {
	limit := counting.Limit{Count: 3, Window: 10}
	for _, c := range []struct {
		counter, write string
		left           int64
	}{{fixedWindow, "set", 3}, {fixedWindow, "increment", 3}, {firstHitWindow, "set", 0}, {firstHitWindow, "increment", 2}} {
		s := newStore(t, c.counter, limit, options("write", c.write))
		for place := range int32(3) {
			s.Read(place, 0, int64(place))
			s.Decide(place, int64(place), 1)
			if place < 2 {
				s.Write(place, 0, int64(place), 1)
			}
		}
		s.Write(2, 0, 10, 1)
		if got := s.Level(0, 10); got != c.left {
			t.Errorf("%s, %s: %d requests left, want %d", c.counter, c.write, got, c.left)
		}
	}
}

// TestFailover checks that a failover loses the writes of its last 5 ns.
func TestFailover(t *testing.T) {
	limit := counting.Limit{Count: 9, Window: 100}
	s := newStore(t, fixedWindow, limit, options("write", "increment"), remote.Loss{At: 20, Since: 15})
	for _, now := range []int64{10, 14, 15, 19, 20} {
		s.Read(0, 0, now)
		s.Decide(0, now, 1)
		if now == 20 && s.Level(0, now) != 7 {
			t.Errorf("%d requests left after the failover, want 7", s.Level(0, now))
		}
		s.Write(0, 0, now, 1)
	}
	if got := s.Level(0, 21); got != 6 {
		t.Errorf("%d requests left at the end, want 6", got)
	}
}

// TestRejectedWrites checks that clients write rejected requests only if these count.
func TestRejectedWrites(t *testing.T) {
	limit := counting.Limit{Count: 3, Window: 10}
	for _, counted := range []bool{false, true} {
		s := newStore(t, fixedWindow, limit, options("count_rejected", counted))
		s.Read(0, 0, 0)
		if v, writes := s.Decide(0, 0, 4); v.Admitted() || writes != counted {
			t.Errorf("count_rejected %v: admitted %v, writes %v", counted, v.Admitted(), writes)
		}
		if v, writes := s.Decide(0, 0, 0); !v.Admitted() || writes {
			t.Errorf("cost 0: admitted %v, writes %v", v.Admitted(), writes)
		}
	}
}

func TestRelimit(t *testing.T) {
	limit := counting.Limit{Count: 10, Window: 10, Burst: 10}
	for _, name := range Entry().Over {
		s := newStore(t, name, limit, options())
		s.Read(0, 0, 0)
		s.Decide(0, 0, 2)
		s.Write(0, 0, 0, 2)
		s.Relimit(counting.Limit{Count: 5, Window: 10, Burst: 5}, 0)
		s.Read(1, 0, 0)
		if v, _ := s.Decide(1, 0, 6); v.Admitted() || s.Level(0, 0) > 5 {
			t.Errorf("%s: the former limit holds, at a level of %d", name, s.Level(0, 0))
		}
	}
}

func TestIncrementOfABucket(t *testing.T) {
	_, err := ConfigFrom(options("write", "increment"), counting.Limit{Count: 1, Window: 1, Burst: 1}, tokenBucket)
	if err == nil || !strings.Contains(err.Error(), "over windows only") {
		t.Errorf("error %v", err)
	}
}
