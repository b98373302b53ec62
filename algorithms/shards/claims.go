// Package shards is one shard's half of a bucket that many shards share: what
// it has reserved of the bucket for the requests in its own queue. Its two
// types are the two disciplines of Seastar's I/O queue.
//
// [Claims] reserves for each request by itself, so shards take turns by the
// request. [Reservation] reserves batches of tokens, whatever they will pay
// for, so shards take turns by the token.
//
// The bucket is shared by all shards and safe for that. A Claims or a
// Reservation belongs to one shard and is not safe for concurrent use.
package shards

import "github.com/limitgauge/limitgauge/algorithms/rover"

// Claims are a shard's claims for the requests at the head of its queue, in
// their order: a claim for each, and only so many at a time.
type Claims struct {
	depth   int
	pending []claim // a ring
	first   int
	count   int
}

type claim struct{ ticket, tokens uint64 }

// NewClaims allows so many pending claims, at least 1.
func NewClaims(depth int) Claims { return Claims{depth: depth} }

// Len is how many claims are pending.
func (c *Claims) Len() int { return c.count }

// Full reports whether no further claim may be made now.
func (c *Claims) Full() bool { return c.count == c.depth }

// Claim grabs the tokens of the request behind those that have a claim. Claims
// must not be full.
func (c *Claims) Claim(b *rover.Bucket, tokens uint64) {
	if c.count == len(c.pending) {
		grown := make([]claim, min(c.depth, max(1, 2*len(c.pending))))
		for i := range c.count {
			grown[i] = *c.at(i)
		}
		c.pending, c.first = grown, 0
	}
	c.count++
	*c.at(c.count - 1) = claim{b.Grab(tokens), tokens}
}

func (c *Claims) at(i int) *claim { return &c.pending[(c.first+i)%len(c.pending)] }

// Missing is how many tokens the first claim still waits for, those of earlier
// tickets included. There must be one.
func (c *Claims) Missing(b *rover.Bucket) uint64 { return b.Deficiency(c.at(0).ticket) }

// Use ends the first claim: its tokens are there and its request goes ahead.
func (c *Claims) Use() {
	c.first = (c.first + 1) % len(c.pending)
	c.count--
}

// GiveUp ends the first claim, whose request will not be served.
func (c *Claims) GiveUp(b *rover.Bucket, refund bool) {
	if refund {
		giveBack(b, c.at(0).tokens)
	}
	c.Use()
}

// PassOn hands the first claim, whose request will not be served, to another one
// that needs no more tokens; it reports false, and does nothing, where that needs
// more.
func (c *Claims) PassOn(b *rover.Bucket, tokens uint64, refund bool) bool {
	first := c.at(0)
	if tokens > first.tokens {
		return false
	}
	if refund {
		giveBack(b, first.tokens-tokens)
	}
	first.tokens = tokens
	return true
}

// Stranded is how many of its tokens lie ready for a claim that is not
// complete.
func (c *Claims) Stranded(b *rover.Bucket) (tokens uint64) {
	for i := range c.count {
		p := c.at(i)
		if missing := b.Deficiency(p.ticket); missing > 0 && missing < p.tokens {
			tokens += p.tokens - missing
		}
	}
	return tokens
}

// giveBack refunds tokens that were claimed and not used. With capped release
// they are also released: nobody else would, and the bucket would shrink.
func giveBack(b *rover.Bucket, tokens uint64) {
	b.Refund(tokens)
	if b.Capped() {
		b.Release(tokens)
	}
}
