package delayedsync

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// redis is the shared store as a map of counters, one per key and calendar window,
// and the limiter in front of it. It follows the behaviour of the original and is not
// optimized.
type redis struct {
	limit, window, resolution int64
	commit                    Commit
	counters                  map[string]int64
}

func (r *redis) flush(now, delta int64) (remaining, reset int64) {
	number := now / r.window
	current, last := fmt.Sprint(number), fmt.Sprint(number-1)
	rest := r.window - now%r.window
	lastCount := min(r.counters[last], r.limit)
	weighed := big.NewRat(lastCount, r.window)
	weighed.Mul(weighed, big.NewRat(rest, 1))
	up := func(d int64) int64 { return (d + r.resolution - 1) / r.resolution * r.resolution }
	if r.commit == Checked {
		estimate := new(big.Rat).Add(weighed, big.NewRat(r.counters[current], 1))
		if r.counters[current] >= r.limit {
			return 0, up(rest)
		}
		if estimate.Cmp(big.NewRat(r.limit, 1)) >= 0 {
			// rest - (limit - count) / (last count / window)
			delay := new(big.Rat).Mul(big.NewRat(r.limit-r.counters[current], lastCount), big.NewRat(r.window, 1))
			delay.Sub(big.NewRat(rest, 1), delay)
			ns := new(big.Int).Neg(delay.Num())
			ns.Div(ns, delay.Denom()) // towards minus infinity, so the delay is rounded up
			return 0, up(-ns.Int64())
		}
	}
	r.counters[current] += delta
	left := big.NewRat(r.limit-r.counters[current], 1)
	if r.commit != Unweighted {
		left.Sub(left, weighed)
	}
	floor := new(big.Int).Div(left.Num(), left.Denom())
	return floor.Int64(), up(rest)
}

// instance is one node with its shared memory.
type instance struct {
	redis                      *redis
	interval, lifetime         int64
	delta                      *int64
	deltaDies                  int64
	quota                      bool
	remaining, reset, syncedAt int64
	timer                      int64 // 0: none
	asked                      bool
}

func (n *instance) local(now int64) int64 {
	if n.delta != nil && now >= n.deltaDies {
		n.delta = nil
	}
	if n.delta == nil {
		return 0
	}
	return *n.delta
}

func (n *instance) increase(now, by int64) {
	if n.local(now); n.delta == nil {
		n.delta, n.deltaDies = new(int64), now+n.lifetime
	}
	*n.delta += by
}

func (n *instance) fire() {
	at := n.timer
	n.timer, n.asked = 0, false
	if delta := n.local(at); n.delta != nil {
		n.remaining, n.reset = n.redis.flush(at, delta)
		n.syncedAt = at
		n.increase(at, -delta)
	}
}

func (n *instance) request(now, cost int64) bool {
	delta := n.local(now)
	if !n.quota || n.reset-(now-n.syncedAt) <= 0 {
		n.remaining, n.reset = n.redis.flush(now, delta)
		n.quota, n.syncedAt = true, now
		n.increase(now, -delta)
	}
	if n.timer == 0 {
		n.timer = now + n.interval
	}
	if n.remaining-delta-cost < 0 {
		return false
	}
	n.increase(now, cost)
	return true
}

// Nodes with a store that answers at once decide as the instances do, for every
// commit mode, with windows of a few nanoseconds in which many events coincide.
func TestQuotasEqualReferenceModels(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		c := &Config{
			Limit:    counting.Limit{Count: 1 + random.Int64N(20), Window: 5 + random.Int64N(40)},
			Interval: 1 + random.Int64N(20), Sliding: true,
			Commit: Commit(random.IntN(3)), Resolution: 1 + random.Int64N(4),
		}
		c.Lifetime = 2 * c.Limit.Window
		nodes := 1 + random.IntN(3)
		f := newFleet(c, nodes)
		shared := &redis{limit: c.Limit.Count, window: c.Limit.Window, resolution: c.Resolution, commit: c.Commit, counters: map[string]int64{}}
		var models []*instance
		for range nodes {
			models = append(models, &instance{redis: shared, interval: c.Interval, lifetime: c.Lifetime})
		}
		for now, i := int64(0), 0; i < 120; i++ {
			now += random.Int64N(4)
			f.sync(now)
			for {
				next := (*instance)(nil)
				for _, n := range models {
					if n.timer > 0 && n.timer <= now && (next == nil || n.timer < next.timer) {
						next = n
					}
				}
				if next == nil {
					break
				}
				next.fire()
			}
			node, cost := random.IntN(nodes), 1+random.Int64N(2)
			if got, want := f.decide(now, node, cost), models[node].request(now, cost); got != want {
				t.Fatalf("%+v: request %d at %d, cost %d at node %d: admitted %v, want %v", c, i, now, cost, node, got, want)
			}
		}
	}
}
