package prefetch

import "github.com/limitgauge/limitgauge/algorithms/perkey"

// lease is a number of tokens that a client holds.
type lease struct {
	tokens int64
	until  int64 // ns; they are valid before that
}

// Answer is a server's response to a fetch.
type Answer struct {
	Key     int32
	Asked   int64 // requested tokens
	Granted int64
	RetryAt int64 // if not all were granted: when the server expects to have them
}

// Client is the half that spends tokens. For each key it holds leases and spends
// the oldest one first. It has at most one fetch per key in flight. Its memory
// grows with the number of keys. It is not safe for concurrent use.
type Client struct {
	config *Config
	keys   perkey.Table[purse]
}

// purse is a client's state for one key: its leases of tokens and its fetch.
type purse struct {
	leases    []lease
	held      int64 // tokens in the leases
	fetching  bool
	answered  bool  // there was an answer
	refusedTo int64 // ns; a fetch before this time would fail
}

// NewClient returns a client without tokens.
func NewClient(c *Config) *Client { return &Client{config: c} }

// Spend takes a request's cost from the client's tokens. It returns false, and
// takes nothing, if the client holds too few.
func (c *Client) Spend(now int64, key int32, cost int64) bool {
	p := c.keys.At(key)
	p.expire(now)
	if cost > p.held {
		return false
	}
	p.held -= max(cost, 0)
	for cost > 0 {
		oldest := &p.leases[0]
		part := min(cost, oldest.tokens)
		oldest.tokens -= part
		cost -= part
		if oldest.tokens == 0 {
			p.drop()
		}
	}
	return true
}

func (p *purse) drop() { p.leases = p.leases[:copy(p.leases, p.leases[1:])] }

// expire removes a key's leases that are over.
func (p *purse) expire(now int64) {
	for len(p.leases) > 0 && p.leases[0].until <= now {
		p.held -= p.leases[0].tokens
		p.drop()
	}
}

// Fetch returns the number of tokens to request from the server, and marks that
// fetch as in flight. It returns 0 if a fetch is in flight already, if there are
// enough tokens, or if the server has answered that there are none yet. Waiting
// requests need this many tokens.
func (c *Client) Fetch(now int64, key int32, needed int64) int64 {
	p := c.keys.At(key)
	p.expire(now)
	if p.fetching || needed == 0 && p.held > c.config.LowWater || c.Refused(now, key) {
		return 0
	}
	p.fetching = true
	return max(c.config.LeaseSize, needed-p.held)
}

// Starting reports whether there was no answer about the key yet.
func (c *Client) Starting(key int32) bool { return !c.keys.At(key).answered }

// Refused reports whether the server has answered that there are no tokens yet.
func (c *Client) Refused(now int64, key int32) bool { return now < c.keys.At(key).refusedTo }

// Apply applies an answer.
func (c *Client) Apply(now int64, a *Answer) {
	p := c.keys.At(a.Key)
	p.fetching, p.answered = false, true
	p.refusedTo = 0
	if a.Granted < a.Asked && !c.config.Forgetful {
		p.refusedTo = a.RetryAt
	}
	l := lease{tokens: a.Granted, until: never}
	if c.config.Expiry > 0 && c.config.Expiry < never-now {
		l.until = now + c.config.Expiry
	}
	if l.tokens > 0 {
		p.leases = append(p.leases, l)
		p.held += l.tokens
	}
}

// Failed tells the client that the fetch in flight will not be answered.
func (c *Client) Failed(key int32) { c.keys.At(key).fetching = false }

// Held returns the tokens that the client could spend at now.
func (c *Client) Held(now int64, key int32) (tokens int64) {
	for _, l := range c.keys.Peek(key).leases {
		if now < l.until {
			tokens += l.tokens
		}
	}
	return tokens
}

// RefusedUntil returns when the client may fetch again.
func (c *Client) RefusedUntil(key int32) int64 { return c.keys.Peek(key).refusedTo }

// never is after all times.
const never = int64(1<<63 - 1)
