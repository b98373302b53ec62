package rover

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// Goroutines with leases, with direct claims and with a queued claim that is refunded
// together never get more than was credited, while rovers wrap and the rate changes.
// After all leases are returned no token is missing.
func TestLeaseConservation(t *testing.T) {
	const (
		workers, rounds = 8, 4000
		look            = 2500    // ns from look to look
		slow            = 800_000 // tokens a second: 2 a look, of 4.5 asked
	)
	for _, tt := range []struct {
		capped bool
		origin uint64
		fast   uint64 // the rate changes between slow and this one
	}{
		{false, 0, slow},
		{false, math.MaxUint64 - workers*rounds, slow},
		{false, 1<<63 - workers*rounds, slow},
		{true, math.MaxUint64 - workers*rounds, slow},
		{true, 1<<63 - workers*rounds, slow},
		{false, math.MaxUint64 - workers*rounds, 2 * slow},
		{true, 1<<63 - workers*rounds, 2 * slow},
	} {
		t.Run(fmt.Sprintf("from %d, up to %d per s, capped %v", tt.origin, tt.fast, tt.capped), func(t *testing.T) {
			// Empty at first and deep enough that no credit is cut off.
			b := must(t, Config{Rate: slow, Limit: 5000, Capped: tt.capped})
			b.Preset(State{Tail: tt.origin, Head: tt.origin, Ceil: tt.origin + 5000})
			var clock, got, refused atomic.Int64
			claim := func(worker int) (take func(n uint64) bool, end func()) {
				switch worker {
				case 0:
					return func(n uint64) bool {
						if b.Deficiency(b.Grab(n)) == 0 {
							return true
						}
						b.Refund(n)
						if tt.capped {
							b.Release(n)
						}
						return false
					}, func() {}
				case 1:
					return func(n uint64) bool { return b.TryGrab(n, n) == n }, func() {}
				default:
					l := b.Lease(uint64(1+10*worker), nil)
					return l.Take, l.Return
				}
			}
			var wg sync.WaitGroup
			for w := range workers {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(1, uint64(w)))
					take, end := claim(w)
					defer end()
					for i := range rounds {
						b.Replenish(clock.Add(look))
						if n := 1 + r.Uint64N(8); take(n) {
							got.Add(int64(n))
							if tt.capped {
								b.Release(n)
							}
						} else {
							refused.Add(1)
						}
						if w == 2 && i%10 == 0 {
							b.UpdateRate(slow + (tt.fast-slow)*uint64(i/10%2))
						}
						if w > 2 && i%100 == 0 {
							end()
						}
						// Read in this order, so that all tokens counted in got
						// were earned by then.
						if g, earned := got.Load(), clock.Load()*int64(tt.fast)/s; g > earned {
							t.Errorf("%d handed out, %d earned", g, earned)
							return
						}
					}
				})
			}
			wg.Wait()
			if got.Load() == 0 || refused.Load() == 0 {
				t.Errorf("%d handed out, %d refused: the test shows nothing", got.Load(), refused.Load())
			}
			b.Replenish(clock.Load())
			st := b.State()
			credited := got.Load() + int64(st.Head-st.Tail)
			earned := clock.Load() * int64(tt.fast) / s
			if credited > earned || credited < earned && tt.fast == slow {
				t.Errorf("%d handed out and %d in the bucket, earned %d", got.Load(), int64(st.Head-st.Tail), earned)
			}
		})
	}
}
