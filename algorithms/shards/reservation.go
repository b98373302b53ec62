package shards

import "github.com/limitgauge/limitgauge/algorithms/rover"

// Reservation is a shard's span of the bucket's tokens, which the requests at
// the head of its queue are paid from.
//
// A shard polls so: Reap, then Take for one request after the other until one
// is refused, or Drop when its queue has run empty.
type Reservation struct {
	portion uint64 // reserved at a time
	most    uint64 // the bucket's limit
	ticket  uint64 // end of the span
	pending uint64 // tokens of the span not yet reaped
	ready   uint64 // tokens reaped in this poll and not yet used
	turn    bool   // head has reached the span, or there is none
}

// NewReservation reserves portion tokens at a time, at least 1, of a bucket with
// this limit. The original's portion is limit/shards.
func NewReservation(portion, limit uint64) Reservation {
	return Reservation{portion: max(portion, 1), most: limit}
}

// Pending is how many tokens are reserved and not used.
func (r *Reservation) Pending() uint64 { return r.pending + r.ready }

// Missing is how many tokens head is behind the end of the span.
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

// Take pays for the request at the head of the queue and reports whether it
// could. If tokens are missing it makes sure that they are reserved as far as
// the discipline allows; queued is the whole queue's need of tokens.
//
// A span that head has reached and that is too small gives way to a larger one
// at the tail: what is left of it is refunded, and as much grabbed anew with a
// portion on top, so that a shard gains no tokens by it.
func (r *Reservation) Take(b *rover.Bucket, tokens, queued uint64) bool {
	for tokens > r.ready {
		left := r.ready + r.pending
		if tokens <= left || r.pending >= r.portion || !r.turn || tokens > r.most {
			r.pending, r.ready = left, 0
			return false
		}
		grab := min(left+r.portion, queued, r.most)
		giveBack(b, left)
		r.ticket = b.Grab(grab)
		r.pending, r.ready = grab, 0
		r.Reap(b)
	}
	r.ready -= tokens
	return true
}

// Drop throws away what was reaped and is not needed, as the original does:
// refunding for good could take a bucket beyond its limit. With capped release
// it is released.
func (r *Reservation) Drop(b *rover.Bucket) {
	if b.Capped() {
		b.Release(r.ready)
	}
	r.ready = 0
}

// Stranded is how many tokens of the span lie ready while others are missing.
func (r *Reservation) Stranded(b *rover.Bucket) uint64 {
	if missing := r.Missing(b); missing > 0 && missing < r.pending {
		return r.pending - missing
	}
	return 0
}
