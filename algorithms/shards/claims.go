// Package shards implements one shard's half of a token bucket that many shards
// share: what the shard has reserved of the bucket for the requests in its own
// queue. Its two types are the two disciplines of Seastar's I/O queue: [Claims]
// reserves tokens for each request, so shares are equal in requests; [Reservation]
// reserves batches of tokens, so shares are equal in tokens.
//
// The bucket is a [rover.Bucket], which is safe for concurrent use. Claims and
// Reservation belong to one shard and are not safe for concurrent use.
//
// The package makes no promise: it can change at any time.
package shards

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/rover"
)

// Claims holds a shard's claims for the requests at the head of its queue, in
// their order: one claim per request, up to a limit.
type Claims struct {
	depth   int
	pending []claim
}

type claim struct{ ticket, tokens uint64 }

// NewClaims returns an empty list for up to depth pending claims, at least 1.
func NewClaims(depth int) Claims { return Claims{depth: depth} }

// Len returns the number of pending claims.
func (c *Claims) Len() int { return len(c.pending) }

// Full reports whether no further claim may be made now.
func (c *Claims) Full() bool { return len(c.pending) == c.depth }

// Claim grabs the tokens of the first request without a claim. The claims must not
// be Full.
func (c *Claims) Claim(b *rover.Bucket, tokens uint64) {
	c.pending = append(c.pending, claim{b.Grab(tokens), tokens})
}

// Missing returns how many tokens the first claim still waits for, including those
// of earlier tickets. There must be a claim.
func (c *Claims) Missing(b *rover.Bucket) uint64 { return b.Deficiency(c.pending[0].ticket) }

// Use ends the first claim, whose request is dispatched.
func (c *Claims) Use() { c.pending = slices.Delete(c.pending, 0, 1) }

// GiveUp ends the first claim, whose request will not be served.
func (c *Claims) GiveUp(b *rover.Bucket, refund bool) {
	if refund {
		b.GiveBack(c.pending[0].tokens)
	}
	c.Use()
}

// PassOn transfers the first claim, whose request will not be served, to another
// request that needs no more tokens. If the other request needs more, it returns
// false and does nothing.
func (c *Claims) PassOn(b *rover.Bucket, tokens uint64, refund bool) bool {
	first := &c.pending[0]
	if tokens > first.tokens {
		return false
	}
	if refund {
		b.GiveBack(first.tokens - tokens)
	}
	first.tokens = tokens
	return true
}
