package prefetch

import "github.com/limitgauge/limitgauge/algorithms/perkey"

// Lease is tokens that a client holds.
type Lease struct {
	Tokens  int64
	TakenAt int64 // ns, when the server took them from its counter
	Until   int64 // ns; they hold before it
}

// Answer is what a server says to a fetch.
type Answer struct {
	Key     int32
	Asked   int64 // tokens
	Granted int64
	TakenAt int64 // ns, when they were taken
	RetryAt int64 // where not all were granted: when the server expects to have them
}

// Client is the half that spends.
//
// For each key it holds leases, oldest first, and spends the oldest first. It
// has at most one fetch under way for each key.
type Client struct {
	config *Config
	keys   perkey.Table[purse]
}

// purse is what a client knows of one key.
type purse struct {
	leases    []Lease
	held      int64 // tokens in them
	fetching  bool
	answered  bool  // there has been an answer
	refusedTo int64 // ns; there is no use in asking before
}

// NewClient returns a client that holds nothing.
func NewClient(c *Config) *Client { return &Client{config: c} }

// Spend takes a request's cost from what the client holds, or reports that it
// holds too little.
func (c *Client) Spend(now int64, key int32, cost int64) bool {
	p := c.keys.At(key)
	p.expire(now)
	if cost > p.held {
		return false
	}
	p.held -= max(cost, 0)
	for cost > 0 {
		oldest := &p.leases[0]
		part := min(cost, oldest.Tokens)
		oldest.Tokens -= part
		cost -= part
		if oldest.Tokens == 0 {
			p.drop()
		}
	}
	return true
}

func (p *purse) drop() { p.leases = p.leases[:copy(p.leases, p.leases[1:])] }

// expire forgets leases that are over.
func (p *purse) expire(now int64) {
	for len(p.leases) > 0 && p.leases[0].Until <= now {
		p.held -= p.leases[0].Tokens
		p.drop()
	}
}

// Fetch says how many tokens to ask the server for, or 0: because a fetch is
// under way already, because there is enough, or because the server has said
// that there are none yet. Those who wait need so many tokens. What it says is
// under way from then on.
func (c *Client) Fetch(now int64, key int32, needed int64) int64 {
	p := c.keys.At(key)
	p.expire(now)
	if p.fetching || needed == 0 && p.held > c.config.LowWater || c.Refused(now, key) {
		return 0
	}
	p.fetching = true
	return max(c.config.LeaseSize, needed-p.held)
}

// Starting reports whether the key has had no answer yet.
func (c *Client) Starting(key int32) bool { return !c.keys.At(key).answered }

// Refused reports whether the server has said that there are no tokens yet.
func (c *Client) Refused(now int64, key int32) bool { return now < c.keys.At(key).refusedTo }

// Apply takes in an answer. It returns the lease it became, of no tokens where
// none were granted.
func (c *Client) Apply(now int64, a *Answer) Lease {
	p := c.keys.At(a.Key)
	p.fetching, p.answered = false, true
	p.refusedTo = 0
	if a.Granted < a.Asked && !c.config.Forgetful {
		p.refusedTo = a.RetryAt
	}
	l := Lease{Tokens: a.Granted, TakenAt: a.TakenAt, Until: never}
	if c.config.Expiry > 0 && c.config.Expiry < never-now {
		l.Until = now + c.config.Expiry
	}
	if l.Tokens > 0 {
		p.leases = append(p.leases, l)
		p.held += l.Tokens
	}
	return l
}

// Failed says that no answer has come to the fetch under way.
func (c *Client) Failed(key int32) { c.keys.At(key).fetching = false }

// Unused takes from the client what is left of leases that are over at now, for
// the caller to return.
func (c *Client) Unused(now int64, key int32, leases []Lease) []Lease {
	p := c.keys.At(key)
	over := 0
	for over < len(p.leases) && p.leases[over].Until <= now {
		over++
	}
	leases = append(leases, p.leases[:over]...)
	p.expire(now)
	return leases
}

// Held is what the client could spend at now, and RefusedUntil when it will ask
// again for more.
func (c *Client) Held(now int64, key int32) (tokens int64) {
	for _, l := range c.keys.Peek(key).leases {
		if now < l.Until {
			tokens += l.Tokens
		}
	}
	return tokens
}

// RefusedUntil is when the client asks for more again.
func (c *Client) RefusedUntil(key int32) int64 { return c.keys.Peek(key).refusedTo }

// never is later than any instant.
const never = int64(1<<63 - 1)
