package prefetch

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// prefetchBlocks runs clients that reject requests for which they have no tokens.
type prefetchBlocks struct{ *prefetched }

func (p prefetchBlocks) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	for i := lo; i < hi; i++ {
		now := a.Time[i]
		if now >= p.Next() {
			return i - lo // a response that an earlier arrival has caused
		}
		v, settled := p.spend(now, a.Client[i], a.Key[i], a.Cost[i])
		if !settled {
			p.fetch(now, a.Client[i], a.Key[i], a.Cost[i])
			v = counting.MakeVerdict(false, counting.ByLocal)
		}
		verdicts[i-lo] = v
	}
	return hi - lo
}

// Admits implements engine.Judge.
func (p prefetchBlocks) Admits(key, client int32, now, cost int64) bool {
	c := &p.clients[client]
	return p.config.AdmitAtStart && c.Starting(key) || cost <= c.Held(now, key)
}

// Inspect returns what the client holds.
func (p prefetchBlocks) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	c := &p.clients[client]
	if level = c.Held(now, key); level >= cost {
		return level, now
	}
	return level, max(now, c.RefusedUntil(key))
}

// prefetchEvents runs clients whose requests wait for tokens.
type prefetchEvents struct{ *prefetched }

func (p prefetchEvents) Arrive(now int64, slot int32) {
	a := p.executor.Attempt(slot)
	client, key, cost := a.Client, a.Key, a.Cost
	if v, settled := p.spend(now, client, key, cost); settled {
		p.executor.Settle(slot, v)
		return
	}
	p.executor.Asks(slot)
	room := p.clients[client].waiting.At(key)
	room.slots.Push(slot)
	room.cost += cost
	p.fetch(now, client, key, room.cost)
}

func (p prefetchEvents) Fire(e engine.Event) { p.fire(e) }

// Inspect returns when the key's server will have tokens for the request.
func (p prefetchEvents) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return engine.UnknownLevel, p.at(p.calls.Owner(key)).RetryAt(now, key, cost)
}
