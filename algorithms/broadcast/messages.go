// Package broadcast is rate limiting by peers that answer from a copy of their
// own: hits are forwarded to the peer that owns the key, and the owner tells all
// others what is left. It is Gubernator's GLOBAL behaviour, quirks included.
//
// Peers exchange the plain messages of this file. They hold no clock, do no I/O
// and draw no random numbers: now is an argument, in nanoseconds from 0 on by
// the peer's clock, and the caller carries the messages. At one instant the
// caller lets peers send, then applies the hits and the updates that are due,
// and only then lets peers Decide.
package broadcast

// Hits is what a peer forwards to the owner of some keys.
type Hits struct {
	Rows []HitsRow
}

// HitsRow is one key's requests since the last time, added up.
type HitsRow struct {
	Key   int32
	Cost  int64
	Since int64 // when the first of them arrived, by the sender's clock
}

// Update is what an owner tells every other peer.
type Update struct {
	Rows []UpdateRow
}

// UpdateRow is the state of one key at its owner.
type UpdateRow struct {
	Key       int32
	Remaining int64 // whole requests
	Reset     int64 // by the owner's clock: the copy expires after it
}
