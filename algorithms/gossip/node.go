package gossip

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Node is one limiter. It decides every request at once from its own estimates
// and the values received from the others. It is not safe for concurrent use.
type Node struct {
	config *Config
	id     int32
	limit  int64 // as a demand
	rate   rate
	keys   perkey.Table[state]
	active []int32 // keys with demand or values to send, in order of activation
	flows  flows
}

// state is a limiter's state for one key.
type state struct {
	count      int64 // requested cost since the last tick
	demand     int64
	others     others
	receivedAt int64 // time of the last message about the key
	received   bool  // there was one
	active     bool
	fresh      bool // no tick since the activation

	// Random drop: the share of requests to drop, in units of 2^-32, and whether
	// it must be computed again.
	drop  uint32
	stale bool

	// Flow share: the bucket, the weight, and the sum and the maximum of the flows'
	// estimates.
	bucket       bucket
	weight       int64
	begun        bool
	flowing, top int64
}

// NewNode returns limiter number id of c.Nodes.
func NewNode(c *Config, id int32) *Node {
	n := &Node{config: c, id: id, limit: c.limit()}
	n.rate.n, n.rate.p = c.Limit.Rate()
	n.rate.burst = c.Limit.Burst
	return n
}

// Decide decides one request of a tenant. It uses the coin once if a share of
// requests is to be dropped. Cost 0 is admitted and not counted.
func (n *Node) Decide(now int64, key, tenant int32, cost int64, coin Coin) counting.Verdict {
	if cost <= 0 {
		return counting.Admitted
	}
	k := n.keys.At(key)
	k.count = min(k.count+min(cost, mostPerInterval), mostPerInterval)
	n.wake(k, key)
	if !n.config.Shares {
		n.settle(k)
		return counting.MakeVerdict(k.drop == 0 || uint32(coin.Uint64()>>32) >= k.drop, counting.ByLimiter)
	}
	n.begin(k, now)
	admitted := k.bucket.take(&n.rate, now, cost)
	if admitted {
		n.flows.count(flowName{key, tenant}, cost)
	}
	return counting.MakeVerdict(admitted, counting.ByLimiter)
}

// Admits reports whether the key's bucket holds the cost of a request at now. It
// changes nothing. Random drop takes nothing from the limit, so Admits is then true.
func (n *Node) Admits(now int64, key int32, cost int64) bool {
	if cost <= 0 || !n.config.Shares {
		return true
	}
	k := n.keys.Peek(key)
	n.begin(&k, now)
	return k.bucket.take(&n.rate, now, cost)
}

func (n *Node) wake(k *state, key int32) {
	if !k.active {
		k.active, k.fresh = true, true
		n.active = append(n.active, key)
	}
}

// begin gives a key a full bucket with an even share, and the weight of one flow.
func (n *Node) begin(k *state, now int64) {
	if !k.begun {
		k.begun = true
		even := 1 << shareBits / uint64(n.config.Alive)
		k.weight = 1 << weightBits
		k.bucket = bucket{share: even, level: n.rate.depth(even), last: now}
	}
}

// Active reports whether the limiter has pending estimates or messages to send.
func (n *Node) Active() bool { return len(n.active) > 0 }

// Tick estimates the demand of every key from the requested cost since the last
// tick, and fills in the message to the others. If there is nothing to send, the
// message has no rows.
func (n *Node) Tick(now int64, m *Message) {
	m.From, m.SentAt, m.Rows = n.id, now, m.Rows[:0]
	if n.config.Shares {
		n.flows.tick(n.config.Weight, func(key int32, rate int64) {
			if k := n.keys.At(key); k.active {
				k.flowing = addDemand(k.flowing, rate)
				k.top = max(k.top, rate)
			}
		})
	}
	live := n.active[:0]
	for _, key := range n.active {
		k := n.keys.At(key)
		k.demand = average(k.demand, k.count<<demandBits, n.config.Weight)
		k.count = 0
		k.stale = true
		value := k.demand
		if n.config.Shares {
			n.begin(k, now)
			value = n.share(k, now)
		}
		row, news := k.others.publish(n.config, value)
		if news {
			row.Key = key
			m.Rows = append(m.Rows, row)
		}
		k.fresh, k.flowing, k.top = false, 0, 0
		if k.active = news || k.demand != 0; k.active {
			live = append(live, key)
		} else {
			k.begun = false
		}
	}
	n.active = live
}

// share updates the weight, which it returns, and gives the bucket its part of the
// limit. At its first tick a limiter only sends, because it cannot have received
// the values of limiters that were activated with it.
func (n *Node) share(k *state, now int64) int64 {
	remote := k.others.value(n.config)
	k.weight = average(k.weight, n.weigh(k, remote), n.config.Weight)
	if !k.fresh {
		k.bucket.grant(&n.rate, now, part(k.weight, remote))
	}
	return k.weight
}

// weigh returns the value towards which the weight moves. If the limiter is short
// of tokens (its demand is at least what it grants), that is the number of its
// flows, measured in its largest one. Otherwise it is the weight at which its part
// of the limit equals its demand.
func (n *Node) weigh(k *state, remote int64) int64 {
	granted := integers.MulDiv(n.limit, int64(k.bucket.share), 1<<shareBits, maxValue)
	switch {
	case k.demand == 0:
		return 0
	case k.demand < granted:
		return max(integers.MulDiv(k.demand, remote, n.limit-k.demand, mostWeight), leastWeight)
	case k.top == 0:
		return 1 << weightBits
	}
	return integers.MulDiv(k.flowing, 1<<weightBits, k.top, mostWeight)
}

// addDemand returns a+b, cut at the largest value.
func addDemand(a, b int64) int64 { return min(a+b, maxValue) }

// settle computes the share to drop if its inputs have changed.
func (n *Node) settle(k *state) {
	if k.stale {
		k.stale = false
		k.drop = excess(addDemand(k.demand, k.others.value(n.config)), n.limit)
	}
}

// Receive applies a message that arrives at now. A share to drop follows at once,
// a part of the limit at the limiter's next tick.
func (n *Node) Receive(now int64, m *Message) {
	for i := range m.Rows {
		row := &m.Rows[i]
		k := n.keys.At(row.Key)
		k.others.receive(n.config, m, row)
		k.receivedAt, k.received, k.stale = now, true, true
		if n.config.Branching > 0 {
			n.wake(k, row.Key)
		}
	}
}

// ReceivedAt returns the time of the last message about the key. ok is false if there
// was none.
func (n *Node) ReceivedAt(key int32) (at int64, ok bool) {
	k := n.keys.At(key)
	return k.receivedAt, k.received
}

// Look returns what a limiter's bucket holds for a key at now, and when it will
// hold a cost. ok is false for a limiter without buckets.
func (n *Node) Look(now int64, key int32, cost int64) (level, retryAt int64, ok bool) {
	if !n.config.Shares {
		return 0, now, false
	}
	k := n.keys.Peek(key)
	n.begin(&k, now)
	k.bucket.fill(&n.rate, now)
	return k.bucket.level / n.rate.p, k.bucket.retryAt(&n.rate, now, cost), true
}

// Relimit prepares a limiter for a change of the limit, with the same window.
// Buckets keep their level, cut to their new depth.
func (n *Node) Relimit(now int64, limit counting.Limit) {
	was := n.rate
	n.rate.n, n.rate.p = limit.Rate()
	n.rate.burst = limit.Burst
	next := *n.config
	next.Limit = limit
	n.limit = next.limit()
	n.keys.Each(func(_ int32, k *state) {
		if k.begun {
			k.bucket.fill(&was, now)
			k.bucket.level, k.bucket.carry = integers.MulDiv(k.bucket.level, n.rate.p, was.p, maxValue), 0
			k.bucket.grant(&n.rate, now, k.bucket.share)
		}
		k.stale = true
	})
}

// Forget removes all values of a limiter that no longer exists.
func (n *Node) Forget(id int32) {
	n.keys.Each(func(_ int32, k *state) {
		k.others.forget(id)
		k.stale = true
	})
}

// Clear resets the limiter, like a restart.
func (n *Node) Clear() {
	n.keys.Clear()
	n.active = n.active[:0]
	n.flows = flows{}
}
