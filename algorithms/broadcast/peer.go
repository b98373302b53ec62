package broadcast

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
	"github.com/limitgauge/limitgauge/algorithms/routing"
)

// Peer decides requests from its own copies, as if it owned every key. It forwards
// the cost of requests for keys that others own, and sends the others the
// remainder of its own keys. Its memory grows with the number of keys it has
// seen. It is not safe for concurrent use.
type Peer struct {
	config *Config
	id     int32
	n, p   int64 // a bucket earns n units per nanosecond, and a request costs p units
	keys   perkey.Table[copied]
	queued []int32 // keys with hits to forward, in order of the first hit
	fresh  []int32 // own keys that changed since the last update, in order of the first change
	open   []*Hits // by owner, during Forward
}

// NewPeer returns peer number id of c.Peers.
func NewPeer(c *Config, id int32) *Peer {
	p := &Peer{config: c, id: id}
	p.n, p.p = c.Limit.Rate()
	return p
}

// owns reports whether this peer is the key's owner.
func (p *Peer) owns(key int32) bool { return routing.Owner(key, p.config.Peers) == p.id }

// Decide decides one request. Cost 0 is admitted and not forwarded.
func (p *Peer) Decide(now int64, key int32, cost int64) counting.Verdict {
	if cost <= 0 {
		return counting.Admitted
	}
	now = p.config.whole(now)
	k := p.keys.At(key)
	admitted := p.take(k, now, now, cost, false)
	switch {
	case p.owns(key):
		p.changed(k, key, now)
	case admitted || p.config.ForwardRefused:
		if k.queued == 0 {
			k.since = now
			p.queued = append(p.queued, key)
		}
		k.queued = min(k.queued+min(cost, 1<<61), 1<<61)
	}
	return counting.MakeVerdict(admitted, counting.ByLimiter)
}

// Admits reports whether Decide would admit a request. It changes nothing.
func (p *Peer) Admits(now int64, key int32, cost int64) bool {
	now = p.config.whole(now)
	k := p.keys.Peek(key)
	return cost <= 0 || p.take(&k, now, now, cost, false)
}

// changed marks a key of the owner for the next update.
func (p *Peer) changed(k *copied, key int32, created int64) {
	k.latest = created
	if !k.fresh {
		k.fresh = true
		p.fresh = append(p.fresh, key)
	}
}

// Queued returns the number of keys with hits to forward. When it rises from 0,
// the caller starts an interval, which ends early at the batch limit.
func (p *Peer) Queued() int { return len(p.queued) }

// Changed returns the number of own keys to send in an update. When it rises from
// 0, the caller starts an interval, which ends early at the batch limit.
func (p *Peer) Changed() int { return len(p.fresh) }

// Forward fills in a message to each owner of keys with hits. It calls hits for
// an empty message at the first row for an owner.
func (p *Peer) Forward(hits func(owner int32) *Hits) {
	if len(p.open) != p.config.Peers {
		p.open = make([]*Hits, p.config.Peers)
	}
	for _, key := range p.queued {
		owner := routing.Owner(key, p.config.Peers)
		h := p.open[owner]
		if h == nil {
			h = hits(owner)
			h.Rows = h.Rows[:0]
			p.open[owner] = h
		}
		k := p.keys.At(key)
		h.Rows = append(h.Rows, HitsRow{Key: key, Cost: k.queued, Since: k.since})
		k.queued = 0
	}
	p.queued = p.queued[:0]
	clear(p.open)
}

// Count applies hits that another peer has forwarded to this one.
func (p *Peer) Count(now int64, h *Hits) {
	now = p.config.whole(now)
	for i := range h.Rows {
		row := &h.Rows[i]
		k := p.keys.At(row.Key)
		p.take(k, now, row.Since, row.Cost, p.config.Drain)
		p.changed(k, row.Key, row.Since)
	}
}

// Broadcast fills in the update of all changed keys.
func (p *Peer) Broadcast(now int64, u *Update) {
	now = p.config.whole(now)
	u.Rows = u.Rows[:0]
	for _, key := range p.fresh {
		k := p.keys.At(key)
		k.fresh = false
		p.take(k, now, k.latest, 0, false)
		row := UpdateRow{Key: key, Remaining: k.level, Reset: k.expire}
		if p.config.Leaky {
			row.Remaining = k.level / p.p
			row.Reset = k.latest + (p.config.Limit.Count-row.Remaining)*p.config.perRequest()
		}
		u.Rows = append(u.Rows, row)
	}
	p.fresh = p.fresh[:0]
}

// Apply replaces the copies of another peer's keys.
func (p *Peer) Apply(now int64, u *Update) {
	at := p.config.whole(now)
	for i := range u.Rows {
		row := &u.Rows[i]
		k := p.keys.At(row.Key)
		k.present, k.expire, k.stamp, k.level = true, row.Reset, at, row.Remaining
		if p.config.Leaky {
			k.level = units(row.Remaining, p.p)
			k.shallow = p.config.BurstLost && p.config.Limit.Burst != p.config.Limit.Count
		}
		k.received, k.receivedAt = true, now
	}
}

// ReceivedAt returns the time of the key's last update. ok is false for a key of
// the peer's own, and if there was none.
func (p *Peer) ReceivedAt(key int32) (at int64, ok bool) {
	k := p.keys.Peek(key)
	return k.receivedAt, k.received
}

// Look returns how much the peer would admit of a key at now, and the earliest
// time at which it would admit a request of this cost without other requests.
func (p *Peer) Look(now int64, key int32, cost int64) (level, retryAt int64) {
	at := p.config.whole(now)
	k := p.keys.Peek(key)
	most := p.config.Limit.Count
	if p.config.Leaky {
		most = p.config.Limit.Burst
	}
	if !k.present || k.expire < at || k.shallow {
		return most, retry(now, cost, most, now)
	}
	expired := integers.Add(k.expire, p.config.Resolution)
	if !p.config.Leaky {
		if cost <= k.level {
			return k.level, now
		}
		return k.level, retry(now, cost, most, expired)
	}
	held := k.level
	if earned := p.earned(at - k.stamp); earned >= p.p {
		held += earned
	}
	level = min(held/p.p, most)
	if cost <= level {
		return level, now
	}
	short := max(units(cost, p.p)-k.level, p.p)
	wait := (short + p.n - 1) / p.n
	if over := wait % p.config.Resolution; over != 0 {
		wait += p.config.Resolution - over
	}
	return level, retry(now, cost, most, min(integers.Add(k.stamp, wait), expired))
}

// retry returns the time at which a cost fits, or Never for a cost above most.
func retry(now, cost, most, at int64) int64 {
	if cost > most {
		return counting.Never
	}
	return max(now, at)
}

// Relimit prepares a peer for a change of the limit, with the same window. A
// window in use changes by the difference, but not below 0. A bucket keeps its
// level; if its depth changes, it is full at its next use.
func (p *Peer) Relimit(limit counting.Limit) {
	before, was := p.config.Limit, p.p
	p.n, p.p = limit.Rate()
	p.keys.Each(func(_ int32, k *copied) {
		switch {
		case !k.present:
		case p.config.Leaky:
			k.level = integers.MulDiv(k.level, p.p, was, 1<<62)
			k.shallow = k.shallow || limit.Burst != before.Burst
		default:
			k.level = max(k.level+limit.Count-before.Count, 0)
		}
	})
}

// Clear resets the peer, like a restart.
func (p *Peer) Clear() {
	p.keys.Clear()
	p.queued, p.fresh = p.queued[:0], p.fresh[:0]
}
