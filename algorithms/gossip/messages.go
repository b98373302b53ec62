// Package gossip is rate limiting by limiters that tell each other their demand:
// the two designs of "Cloud Control with Distributed Rate Limiting". Each limiter
// estimates, at every tick, the demand it sees; by global random drop it drops
// the share of requests by which all demand together is above the limit, and by
// flow proportional share it grants a part of the limit by its weight among all.
//
// Limiters exchange the plain messages of this file. They hold no clock, do no
// I/O and draw no random numbers: now is an argument, in nanoseconds from 0 on, a
// coin is handed to them, and the caller carries the messages. At one instant the
// caller lets limiters Tick, then Hear the messages that are due, and only then
// Decide.
//
// The original decides in floating point. Here estimates, weights and shares are
// integers with a fixed point, so that results do not depend on the processor.
package gossip

// Message is what one limiter tells others at a tick.
type Message struct {
	From   int32
	SentAt int64
	Rows   []Row
}

// Row is one key's value: a demand or a weight. With a branching factor it is a
// part of a sum that is passed on, and Mass the part of that sum's count.
type Row struct {
	Key   int32
	Value int64
	Mass  int64
}

// Coin is a source of random bits, such as a *random.Stream or a
// *math/rand/v2.PCG.
type Coin interface{ Uint64() uint64 }
