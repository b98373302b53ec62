package engine

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// A backend that gets slower with its load is a straight line between the points.
func TestSlowness(t *testing.T) {
	s := newSlowness([]scenarios.LoadPoint{{At: 8, Factor: units.Fraction{Num: 1, Den: 1}}, {At: 40, Factor: units.Fraction{Num: 4, Den: 1}}, {At: 41, Factor: units.Fraction{Num: 3, Den: 2}}})
	for n, want := range map[int64]int64{1: part, 8: part, 9: part + 3*part/32, 24: part + 3*part/2, 40: 4 * part, 41: part + part/2, 1000: part + part/2} {
		if got := s.of(n); got != want {
			t.Errorf("%d in service: %d, want %d", n, got, want)
		}
	}
	if got := newSlowness([]scenarios.LoadPoint{{At: 1, Factor: units.Fraction{Num: 13, Den: 10}}}).work(1e9, 1); got != 1.3e9 {
		t.Errorf("a service of 1 s that is 1.3 times slower takes %d ns", got)
	}
}

// Cores that all requests share end them when a simulation in fractions does, within a ns
// for each event, which rounds down a part of a ns, and servers whose services depend on
// the load likewise.
func TestGuardUnderLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := scenarios.Guard{
			Concurrency: rapid.Int64Range(1, 4).Draw(t, "servers"), Queue: 1 << 40, Sharing: rapid.Bool().Draw(t, "sharing"),
			ServiceTime: catalog.Choice{Name: "exponential", Values: catalog.Values{"mean": {V: int64(5000)}}},
			Slow:        []scenarios.SlowPeriod{{From: 20_000, To: 90_000, Factor: 4}},
		}
		for at := rapid.Int64Range(0, 3).Draw(t, "points") * 2; at > 0; at -= 2 {
			config.Load = append([]scenarios.LoadPoint{{At: at, Factor: units.Fraction{Num: rapid.Int64Range(4, 20).Draw(t, "factor"), Den: 4}}}, config.Load...)
		}
		recorder := measure.NewRecorder(measure.Config{Policy: measure.Policy{Limit: 1, Window: 1, Burst: 1}, End: 1 << 50, Keys: 1, Tenants: 1, Clients: 1, Guarded: true, Full: true})
		g := NewGuard(&config, recorder.Guard(), random.New(rapid.Uint64().Draw(t, "seed"), 0, "guard"))
		got := map[int64]int64{}
		g.completed[0] = func(now int64, _, _ int32, cost int64) { got[cost] = now }

		var inside, waiting []int64
		left, ended := map[int64]*big.Rat{}, map[int64]*big.Rat{} // ns of work of a core; ns
		clock := new(big.Rat)
		factor := func(n int) *big.Rat { return big.NewRat(g.slowness.of(int64(n)), part) }
		speed := func() *big.Rat { // of each request inside
			if !config.Sharing {
				return big.NewRat(1, 1)
			}
			n := int64(len(inside))
			r := big.NewRat(min(config.Concurrency, n), n)
			return r.Quo(r, factor(len(inside)))
		}
		begin := func(i int64, now *big.Rat) {
			inside = append(inside, i)
			at := new(big.Int).Quo(now.Num(), now.Denom()).Int64()
			left[i] = big.NewRat(g.demand(at, guarded{number: i}), 1)
			if !config.Sharing {
				left[i].Mul(left[i], factor(len(inside)))
			}
		}
		until := func(to *big.Rat) { // nil: until all have ended
			for len(inside) > 0 {
				next := slices.MinFunc(inside, func(a, b int64) int { return left[a].Cmp(left[b]) })
				at := new(big.Rat).Quo(left[next], speed())
				if at.Add(at, clock); to != nil && at.Cmp(to) > 0 {
					break
				}
				worked := new(big.Rat).Set(left[next])
				for _, i := range inside {
					left[i].Sub(left[i], worked)
				}
				clock.Set(at)
				ended[next] = at
				inside = slices.DeleteFunc(inside, func(i int64) bool { return i == next })
				if len(waiting) > 0 {
					begin(waiting[0], clock)
					waiting = waiting[1:]
				}
			}
			if to == nil {
				return
			}
			passed := new(big.Rat).Sub(to, clock)
			for _, i := range inside {
				left[i].Sub(left[i], new(big.Rat).Mul(passed, speed()))
			}
			clock.Set(to)
		}
		n, now := rapid.Int64Range(1, 40).Draw(t, "requests"), int64(0)
		for i := range n {
			now += rapid.Int64Range(1, 6000).Draw(t, "gap")
			g.advance(now)
			g.enter(now, guarded{number: i, arrived: now, cost: i, caller: noWorker})
			until(big.NewRat(now, 1))
			if config.Sharing || int64(len(inside)) < config.Concurrency {
				begin(i, clock)
			} else {
				waiting = append(waiting, i)
			}
		}
		g.advance(Never - 1)
		until(nil)
		for i := range n {
			exact, _ := ended[i].Float64()
			if d := float64(got[i]) - exact; d < -float64(n)-1 || d > 4*float64(n)+1 {
				t.Fatalf("request %d of %d ends at %d, want %.3f", i, n, got[i], exact)
			}
		}
	})
}
