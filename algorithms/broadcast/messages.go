// Package broadcast implements rate limiting by peers that answer from their own
// copies: peers forward hits to the peer that owns the key, and the owner
// broadcasts the remainder. It is Gubernator's GLOBAL behaviour, including its
// defects. Run a [Peer] in each process and deliver the messages of this file
// between them. The package has no clock, no I/O and no random numbers of its
// own: now is an argument, in nanoseconds from 0, by the peer's clock.
//
// At one timestamp the caller lets peers send, then applies the hits and the
// updates that are due, and only then lets peers Decide.
//
// The package makes no promise: it can change at any time.
package broadcast

// Hits is a message from a peer to the owner of some keys.
type Hits struct {
	Rows []HitsRow
}

// HitsRow holds one key's requests since the last message.
type HitsRow struct {
	Key   int32
	Cost  int64
	Since int64 // arrival of the first of them, by the sender's clock
}

// Update is a message from an owner to every other peer.
type Update struct {
	Rows []UpdateRow
}

// UpdateRow holds the state of one key at its owner.
type UpdateRow struct {
	Key       int32
	Remaining int64 // whole requests
	Reset     int64 // by the owner's clock: the copy expires after this time
}
