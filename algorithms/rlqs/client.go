package rlqs

import (
	"github.com/limitgauge/limitgauge/algorithms/capacity"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// Client is the half that decides requests by its assignments and reports them. Its
// memory grows with the number of keys it has seen. It is not safe for concurrent
// use.
type Client struct {
	config  *Config
	keys    perkey.Table[quota]
	tracked []int32 // keys to report, in order of their first requests; some may have been dropped
}

// stage is where a key is between two assignments.
type stage uint8

const (
	unassigned stage = iota // before the first assignment
	active
	expired
)

// quota is a client's state for one key.
type quota struct {
	listed          bool // in Client.tracked
	tracked         bool
	stage           stage
	blanket         bool // the bucket does not decide: admit or reject all
	admits          bool // with blanket
	allowed, denied int64
	reportedAt      int64 // ns
	assignedAt      int64 // ns, arrival of the latest assignment
	sentAt          int64 // ns, when the server sent it
	until           int64 // ns; the assignment is active before
	drop            int64 // ns; from then on the client forgets an expired assignment
	bucket          capacity.Bucket
}

// NewClient returns a client without assignments.
func NewClient(c *Config) *Client { return &Client{config: c} }

// Decide decides one request. subscribe reports that the key is new: the client has
// to send Subscribe at once.
func (c *Client) Decide(now int64, key int32, cost int64) (v counting.Verdict, subscribe bool) {
	q := c.keys.At(key)
	c.settle(q, now)
	if !q.tracked {
		subscribe = true
		c.track(q, now, key)
	}
	admitted := cost <= 0
	switch {
	case admitted:
	case q.blanket:
		admitted = q.admits
	default:
		q.bucket.Earn(now, c.config.Window)
		admitted = cost <= q.bucket.Level()/c.config.Unit && q.bucket.Take(cost*c.config.Unit)
	}
	if admitted {
		q.allowed = integers.Add(q.allowed, max(cost, 0))
	} else {
		q.denied = integers.Add(q.denied, cost)
	}
	return counting.MakeVerdict(admitted, counting.ByLocal), subscribe
}

// track begins the state of a key.
func (c *Client) track(q *quota, now int64, key int32) {
	listed := q.listed
	*q = quota{listed: true, tracked: true, reportedAt: now}
	c.enter(q, now, &c.config.NoAssignment)
	if !listed {
		c.tracked = append(c.tracked, key)
	}
}

// settle applies the expiry of an assignment up to now.
func (c *Client) settle(q *quota, now int64) {
	if q.stage == active && now >= q.until {
		q.stage = expired
		c.enter(q, q.until, &c.config.Expired)
		q.drop = integers.Add(q.until, c.config.ExpiredFor)
	}
	if q.stage == expired && now >= q.drop {
		*q = quota{listed: q.listed}
	}
}

// enter makes a client do without an assignment from now on.
func (c *Client) enter(q *quota, now int64, f *Fallback) {
	switch f.Action {
	case Allow, Deny:
		q.blanket, q.admits = true, f.Action == Allow
	case Limit:
		c.keep(q, now, f.Rate, f.Depth)
	case Discard:
		c.enter(q, now, &c.config.NoAssignment)
	}
}

// keep makes a bucket decide from now on. A bucket of the same rate and depth
// continues. A new one is full, as in Envoy, or carries its tokens over.
func (c *Client) keep(q *quota, now int64, rate Capacity, depth int64) {
	fresh := q.blanket || q.stage == unassigned && q.bucket == capacity.Bucket{}
	q.blanket = false
	if !fresh && q.bucket.Rate() == rate && q.bucket.Depth() == depth {
		return
	}
	q.bucket.Change(now, c.config.Window, rate, depth)
	if fresh || !c.config.CarriesOver {
		q.bucket.Fill(now)
	}
}

// Subscribe returns the usage by which a client subscribes to assignments of a new key.
func (c *Client) Subscribe(now int64, key int32) Usage { return c.report(c.keys.At(key), now, key) }

// Report calls send with the usage of each key since its last report.
func (c *Client) Report(now int64, send func(Usage)) {
	kept := c.tracked[:0]
	for _, key := range c.tracked {
		q := c.keys.At(key)
		c.settle(q, now)
		if q.listed = q.tracked; q.tracked {
			kept = append(kept, key)
			send(c.report(q, now, key))
		}
	}
	c.tracked = kept
}

func (c *Client) report(q *quota, now int64, key int32) Usage {
	u := Usage{Key: key, Allowed: q.allowed, Denied: q.denied, Elapsed: now - q.reportedAt}
	q.allowed, q.denied, q.reportedAt = 0, 0, now
	return u
}

// Idle reports whether the client has no keys to report.
func (c *Client) Idle() bool { return len(c.tracked) == 0 }

// Apply applies an assignment that arrives now. It ignores assignments of keys that
// it has forgotten, and those that a newer one has overtaken.
func (c *Client) Apply(now int64, a *Assignment) {
	q := c.keys.At(a.Key)
	c.settle(q, now)
	if !q.tracked || a.Sent < q.sentAt {
		return
	}
	c.keep(q, now, a.Rate, a.Depth)
	q.stage, q.assignedAt, q.sentAt, q.until = active, now, a.Sent, integers.Add(now, a.TTL)
}

// AssignedAt returns when the client's latest assignment of a key arrived. ok is
// false if it has had none.
func (c *Client) AssignedAt(key int32) (at int64, ok bool) {
	q := c.keys.Peek(key)
	return q.assignedAt, q.stage != unassigned
}

// Level returns what the client could admit of a key at now. ok is false if it
// admits everything.
func (c *Client) Level(now int64, key int32) (level int64, ok bool) {
	q := c.now(now, key)
	if q.blanket {
		return 0, !q.admits
	}
	q.bucket.Earn(now, c.config.Window)
	return q.bucket.Level() / c.config.Unit, true
}

// RetryAt returns when the client could admit a request of this cost at its present
// rate, up to 1 ns late. If it rejects everything, it returns the end of the
// assignment's validity or a report interval from now, whichever is earlier.
func (c *Client) RetryAt(now int64, key int32, cost int64) int64 {
	q := c.now(now, key)
	next := integers.Add(now, c.config.Interval)
	if q.stage == active {
		next = min(next, q.until)
	}
	switch {
	case q.blanket && q.admits:
		return now
	case q.blanket || q.bucket.Rate() == 0:
		return next
	}
	return q.bucket.ReadyAt(now, c.config.Window, integers.Mul(cost, c.config.Unit, never))
}

// now returns a copy of a key's state as it is at now.
func (c *Client) now(now int64, key int32) quota {
	q := c.keys.Peek(key)
	if c.settle(&q, now); !q.tracked {
		c.enter(&q, now, &c.config.NoAssignment)
	}
	return q
}
