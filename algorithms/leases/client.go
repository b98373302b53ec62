package leases

import (
	"github.com/limitgauge/limitgauge/algorithms/capacity"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Client is the half that decides requests within its leases. Its memory grows
// with the number of keys it has seen. It is not safe for concurrent use.
type Client struct {
	config *Config
	id     int32
	keys   perkey.Table[tenure]
	active []int32 // keys for which it requests leases, in order of their first requests
}

// tenure is a client's state for one key.
type tenure struct {
	active    bool
	requestAt int64 // ns, time of the latest request
	answered  bool
	has       Capacity
	until     int64 // ns, by the server's clock; the lease holds before that
	grantedAt int64 // ns, arrival of the answer
	safe      Capacity
	begun     bool // the bucket has been filled for the first time
	bucket    capacity.Bucket
	demand    demand
}

// NewClient returns a client without leases.
func NewClient(c *Config, id int32) *Client { return &Client{config: c, id: id} }

// Decide decides one request. clock is what the client's clock shows, which may
// differ from now. ask reports that the key is new and the client has to request
// a lease at once.
func (c *Client) Decide(now, clock int64, key int32, cost int64) (v counting.Verdict, ask bool) {
	t := c.keys.At(key)
	t.demand.count(now, cost, c.config)
	t.requestAt = now
	if !t.active {
		t.active, ask = true, true
		c.active = append(c.active, key)
	}
	return counting.MakeVerdict(c.admits(t, now, clock, cost), counting.ByLocal), ask
}

// Admits reports whether Decide would admit a request. It changes nothing.
func (c *Client) Admits(now, clock int64, key int32, cost int64) bool {
	t := c.keys.Peek(key)
	return c.admits(&t, now, clock, cost)
}

func (c *Client) admits(t *tenure, now, clock, cost int64) bool {
	switch {
	case cost <= 0:
		return true
	case !t.answered:
		return false
	case clock >= t.until:
		switch c.config.WithoutLease {
		case Optimistic:
			return true
		case Pessimistic:
			return false
		}
		c.keep(t, now-(clock-t.until), t.safe)
	}
	t.bucket.Earn(now, c.config.Window)
	return cost <= t.bucket.Level()/c.config.Unit && t.bucket.Take(cost*c.config.Unit)
}

// keep makes the client decide by a rate from now on.
func (c *Client) keep(t *tenure, now int64, rate Capacity) {
	if t.begun && t.bucket.Rate() == rate {
		return
	}
	t.bucket.Change(now, c.config.Window, rate, c.config.Depth(rate))
	if !t.begun {
		t.begun = true
		t.bucket.Fill(now)
	}
}

// Ask returns the client's request for a lease of one key at now.
func (c *Client) Ask(now, clock int64, key int32) Question {
	t := c.keys.At(key)
	q := Question{Client: c.id, Key: key, Wants: max(t.demand.wants(now, c.config, c.id), c.config.LeastWants)}
	if t.answered && clock < t.until {
		q.Has = t.has
	}
	return q
}

// Refresh calls ask with a request for each key. It gives back the leases of idle
// keys.
func (c *Client) Refresh(now, clock int64, ask func(Question)) {
	kept := c.active[:0]
	for _, key := range c.active {
		t := c.keys.At(key)
		if now-t.requestAt >= c.config.Idle {
			t.active, t.answered = false, false
			ask(Question{Client: c.id, Key: key, Release: true})
			continue
		}
		kept = append(kept, key)
		ask(c.Ask(now, clock, key))
	}
	c.active = kept
}

// Apply applies an answer.
func (c *Client) Apply(now int64, a *Answer) {
	t := c.keys.At(a.Key)
	if a.Released || !t.active {
		return // the lease has been given back
	}
	t.answered, t.has, t.until, t.safe, t.grantedAt = true, a.Gets, a.Until, a.Safe, now
	c.keep(t, now, a.Gets)
}

// GrantedAt returns when the client's lease of a key arrived. ok is false if it
// has none.
func (c *Client) GrantedAt(key int32) (at int64, ok bool) {
	t := c.keys.At(key)
	return t.grantedAt, t.answered
}

// Unlimited reports whether the client admits every request of a key, because its
// lease of the key is over and it is optimistic. clock is what its clock shows.
func (c *Client) Unlimited(clock int64, key int32) bool {
	t := c.keys.Peek(key)
	return t.answered && clock >= t.until && c.config.WithoutLease == Optimistic
}

// Level returns what the client could admit of a key at now by its lease.
func (c *Client) Level(now int64, key int32) int64 {
	t := c.keys.Peek(key)
	t.bucket.Earn(now, c.config.Window)
	return t.bucket.Level() / c.config.Unit
}

// RetryAt returns when the client could admit a request of this cost at its
// present rate, up to 1 ns late. Without a rate it returns the time of the next
// refresh, and never for a cost above the bucket's depth.
func (c *Client) RetryAt(now int64, key int32, cost int64) int64 {
	t := c.keys.Peek(key)
	if !t.answered || t.bucket.Rate() == 0 {
		return now + min(c.config.Refresh, never-now)
	}
	return t.bucket.ReadyAt(now, c.config.Window, integers.Mul(cost, c.config.Unit, never))
}
