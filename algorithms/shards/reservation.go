package shards

import "github.com/limitgauge/limitgauge/algorithms/rover"

// Reservation is a shard's span of the bucket's tokens, from which the requests at
// the head of its queue are paid.
//
// At a poll a shard calls Reap, then Take for one request after the other until
// one fails, or Drop if its queue has become empty.
type Reservation struct {
	portion uint64 // tokens reserved at a time
	most    uint64 // the bucket's limit
	ticket  uint64 // end of the span
	pending uint64 // tokens of the span not yet reaped
	ready   uint64 // tokens reaped in this poll and not yet used
	turn    bool   // head has reached the span, or there is no span
}

// NewReservation reserves portion tokens at a time, at least 1, of a bucket with
// this limit. The original's portion is limit/shards.
func NewReservation(portion, limit uint64) Reservation {
	return Reservation{portion: max(portion, 1), most: limit}
}

// Pending returns how many tokens are reserved and not used.
func (r *Reservation) Pending() uint64 { return r.pending + r.ready }

// Missing returns how many tokens head is behind the end of the span.
func (r *Reservation) Missing(b *rover.Bucket) uint64 { return b.Deficiency(r.ticket) }

// Reap takes the tokens of the span that head has passed.
func (r *Reservation) Reap(b *rover.Bucket) {
	r.turn = true
	if r.pending == 0 {
		return
	}
	missing := r.Missing(b)
	if r.turn = missing <= r.pending; r.turn {
		r.ready += r.pending - missing
		r.pending = missing
	}
}

// Take pays for the request at the head of the queue and reports whether it could.
// If tokens are missing, it reserves them as far as the discipline allows. queued
// is the number of tokens that the whole queue needs.
//
// If head has reached a span that is too small, Take replaces it by a larger one
// at the tail: it refunds the rest of the span and grabs as much again plus one
// portion. The shard therefore gains no tokens by the replacement.
func (r *Reservation) Take(b *rover.Bucket, tokens, queued uint64) bool {
	for tokens > r.ready {
		left := r.ready + r.pending
		if tokens <= left || r.pending >= r.portion || !r.turn || tokens > r.most {
			r.pending, r.ready = left, 0
			return false
		}
		grab := min(left+r.portion, queued, r.most)
		b.GiveBack(left)
		r.ticket = b.Grab(grab)
		r.pending, r.ready = grab, 0
		r.Reap(b)
	}
	r.ready -= tokens
	return true
}

// Drop discards reaped tokens that are not needed, like the original: a refund
// could take the bucket above its limit. With capped release it releases them.
func (r *Reservation) Drop(b *rover.Bucket) {
	b.Release(r.ready)
	r.ready = 0
}
