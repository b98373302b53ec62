package rover

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// With many goroutines on one bucket, rovers that wrap and rates that change, granted
// tokens never exceed what the rate earned and the bucket held.
func TestConservation(t *testing.T) {
	const (
		workers, rounds = 8, 4000
		limit           = 500
		step            = int64(20_000)
		slow, fast      = 800_000, 1_600_000 // tokens per s: 2 and 4 a look, of 4.5 asked
	)
	const ( // from where rovers pass 2^64 on the way, or 2^63
		toWrap = uint64(math.MaxUint64 - workers*rounds)
		toSign = uint64(math.MaxInt64 - workers*rounds)
	)
	for _, tt := range []struct {
		name    string
		origin  uint64
		capped  bool
		stamp   StampMode
		changes bool
	}{
		{"exact", toWrap, false, ByTokens, false},
		{"exact, across 2^63", toSign, false, ByTokens, false},
		{"exact, rate changes", toWrap, false, ByTokens, true},
		{"exact, capped, rate changes", toWrap, true, ByTokens, true},
		{"exact, capped, rate changes, across 2^63", toSign, true, ByTokens, true},
		{"faithful", toWrap, false, Faithful, false},
		{"faithful, capped, rate changes", toSign, true, Faithful, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := must(t, Config{Rate: slow, Limit: limit, Capped: tt.capped, Stamp: tt.stamp})
			origin := tt.origin
			b.Preset(State{Tail: origin, Head: origin + limit, Ceil: origin + limit})
			var clock, granted, refused atomic.Int64
			var wg sync.WaitGroup
			for w := range workers {
				wg.Add(1)
				go func() {
					defer wg.Done()
					r := rand.New(rand.NewPCG(1, uint64(w)))
					for i := range rounds {
						b.Replenish(clock.Add(step / workers))
						n := 1 + r.Uint64N(8)
						if b.Deficiency(b.Grab(n)) == 0 {
							granted.Add(int64(n))
						} else {
							b.Refund(n)
							refused.Add(int64(n))
						}
						if tt.capped {
							b.Release(n)
						}
						if tt.changes && w == 0 && i%10 == 0 {
							b.UpdateRate(slow + (fast-slow)*uint64(i/10%2))
						}
					}
				}()
			}
			wg.Wait()
			rate := int64(slow)
			if tt.changes {
				rate = fast
			}
			earned := clock.Load() * rate / s
			if tt.stamp == Faithful {
				earned += workers * rounds // half a token for each look
			}
			if g := granted.Load(); g > earned+limit {
				t.Errorf("granted %d tokens, earned %d and held %d", g, earned, limit)
			}
			if granted.Load() == 0 || refused.Load() == 0 {
				t.Errorf("granted %d and refused %d: the test shows nothing", granted.Load(), refused.Load())
			}
			st := b.State()
			if moved := int64(st.Tail - origin); moved != granted.Load()+refused.Load() {
				t.Errorf("tail moved by %d, grabs were %d", moved, granted.Load()+refused.Load())
			}
			credited := int64(st.Head-origin) - limit - refused.Load()
			if credited > earned {
				t.Errorf("credited %d tokens, earned %d", credited, earned)
			}
			if !tt.changes && tt.stamp == ByTokens && st.Stamp > clock.Load() {
				t.Errorf("stamp %d is after now %d", st.Stamp, clock.Load())
			}
		})
	}
}

// Concurrent replenishers credit one span of time exactly once, even while lines
// change.
func TestReplenishersCreditOnce(t *testing.T) {
	b := must(t, Config{Rate: topRate, Limit: 1 << 62}) // so deep that nothing is cut off
	const workers, rounds = 8, 5000
	var now atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range rounds {
				b.Replenish(now.Add(80_000))
				if i%16 == 0 {
					b.UpdateRate(topRate) // installs a new line with the same rate
				}
			}
		}()
	}
	wg.Wait()
	b.Replenish(now.Load())
	// topRate per s is topRate/1e9 per ns; now is a multiple of 80,000.
	want := uint64(now.Load()/80_000) * (topRate / 12_500)
	rest := uint64(now.Load()/80_000) * (topRate % 12_500) / 12_500
	if got := b.State().Head; got != want+rest {
		t.Errorf("credited %d tokens in %d ns, want %d", got, now.Load(), want+rest)
	}
}

// A rate change that stops halfway, after it has frozen its line and before it
// has replaced it, blocks no other goroutine.
func TestFrozenLineIsTakenOver(t *testing.T) {
	b := must(t, Config{Rate: 100, Limit: 50})
	b.Replenish(100 * ms)
	b.clock.(*exactClock).line.Load().credited.Or(frozen)
	run(t, b, []step{{"stamp", 0, 100 * ms}, {"replenish", 200 * ms, 20}, {"update", 10, 10}, {"replenish", 300 * ms, 21}})
}

// Replacing a line credits nothing if another credit came in between.
func TestReplaceLosesToACredit(t *testing.T) {
	b := must(t, Config{Rate: 100, Limit: 50})
	c := b.clock.(*exactClock)
	l := c.line.Load()
	if x := c.credit(100*ms, b); x != 10 {
		t.Fatalf("credit of 0.1 s at 100/s: %d", x)
	}
	if x := c.replace(l, 0, l.from(0, 20), 20); x != 0 || c.stamp() != 100*ms {
		t.Errorf("a replacement computed before that credited %d more, stamp %d", x, c.stamp())
	}
}

// Concurrent replenishers may pass the cap, but by no more than the credits of all
// but one of them: here each call is 10 tokens after another.
func TestReplenishersAtOncePassTheCapByLittle(t *testing.T) {
	const (
		workers, rounds, limit = 4, 3000, 1000
		credit, room           = 10, 25
	)
	for _, stamp := range []StampMode{ByTokens, Faithful} {
		b := must(t, Config{Rate: 1_000_000, Limit: limit, Stamp: stamp})
		now, most := int64(0), int64(0)
		for range rounds {
			// Time has been credited up to now.
			b.Replenish(now)
			st := b.State()
			st.Head = st.Tail + limit - room
			b.Preset(st)
			var start, done sync.WaitGroup
			start.Add(1)
			for range workers {
				now += credit * 1000
				done.Add(1)
				go func(now int64) {
					defer done.Done()
					start.Wait()
					b.Replenish(now)
				}(now)
			}
			start.Done()
			done.Wait()
			st = b.State()
			most = max(most, int64(st.Head-st.Tail)-limit)
		}
		if most > (workers-1)*credit {
			t.Errorf("mode %d: head passed the cap by %d tokens, want at most %d", stamp, most, (workers-1)*credit)
		}
	}
}
