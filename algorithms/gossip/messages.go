// Package gossip implements rate limiting by limiters that exchange their demand:
// the two designs of "Cloud Control with Distributed Rate Limiting". At every tick
// each limiter estimates its demand. With global random drop it drops the share of
// requests by which the total demand exceeds the limit; with flow proportional
// share it grants a part of the limit in proportion to its weight.
//
// Run a [Node] in each process and deliver the messages of this file between them.
// The package has no clock, no I/O and no random numbers of its own: now is an
// argument, in nanoseconds from 0, and a coin is passed to the node. At one
// timestamp the caller lets limiters Tick, then Receive the messages that are due,
// and only then Decide.
//
// The original computes in floating point. Here estimates, weights and shares are
// fixed-point integers, so that results do not depend on the processor.
//
// The package makes no promise: it can change at any time.
package gossip

// Message is what one limiter sends to others at a tick.
type Message struct {
	From   int32
	SentAt int64
	Rows   []Row
}

// Row holds one key's value: a demand or a weight. With a branching factor it is a
// part of a sum that is passed on, and Mass is the part of that sum's count.
type Row struct {
	Key   int32
	Value int64
	Mass  int64
}

// Coin is a source of random bits, such as a *random.Stream or a
// *math/rand/v2.PCG.
type Coin interface{ Uint64() uint64 }
