package shards

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/rover"
)

// Shards in separate goroutines, which replenish when they poll, dispatch
// no more than the bucket earned, in both disciplines and while rovers wrap. At the
// end only the tokens that they hold are missing.
func TestShardsConserveTokens(t *testing.T) {
	const (
		workers, polls = 8, 3000
		limit          = 400
		step           = 125_000 // ns a poll; 8 earn a token
	)
	for _, tt := range []struct {
		name          string
		batch, capped bool
	}{{"requests", false, false}, {"requests, capped", false, true}, {"batches", true, false}, {"batches, capped", true, true}} {
		t.Run(tt.name, func(t *testing.T) {
			b := bucket(t, limit, tt.capped)
			origin := uint64(math.MaxUint64 - workers*polls/16)
			b.Preset(rover.State{Tail: origin, Head: origin, Ceil: origin + limit})
			var clock, dispatched, held atomic.Int64
			var wg sync.WaitGroup
			for w := range workers {
				wg.Add(1)
				go func() {
					defer wg.Done()
					claims, batch := NewClaims(2), NewReservation(limit/workers, limit)
					cost := uint64(1 + w%3)
					done := func() {
						dispatched.Add(int64(cost))
						if tt.capped {
							b.Release(cost)
						}
					}
					for range polls {
						b.Replenish(clock.Add(step))
						if tt.batch {
							for batch.Reap(b); batch.Take(b, cost, 1000*cost); {
								done()
							}
							continue
						}
						for !claims.Full() {
							claims.Claim(b, cost)
						}
						for claims.Len() > 0 && claims.Missing(b) == 0 {
							claims.Use()
							done()
						}
					}
					held.Add(int64(batch.Pending()))
					for ; claims.Len() > 0; claims.Use() {
						held.Add(int64(cost))
					}
				}()
			}
			wg.Wait()
			earned, most := clock.Load()/ms, clock.Load()/ms
			if tt.batch {
				most += limit // what was refunded and not yet passed by head again
			}
			if got := dispatched.Load(); got > most || got < earned/2 {
				t.Errorf("dispatched %d tokens, earned %d", got, earned)
			}
			moved := int64(b.State().Tail - origin)
			if known := dispatched.Load() + held.Load(); !tt.batch && moved != known {
				t.Errorf("tail moved by %d, dispatched and held are %d", moved, known)
			}
		})
	}
}
