// Package algorithms holds no code. The packages below it are the limiters: pure
// state machines that read no clock, do no I/O and draw no random numbers of
// their own. Time is an argument, randomness a parameter. A program can use them
// in production.
//
//   - counting has the counters, the arithmetic of one key: fixed and sliding windows,
//     token buckets, GCRA and others. rover is a counter with a package of its own.
//   - batchreported, broadcast, central, clientthrottle, delayedsync, gossip,
//     leases, local, prefetch, readthenwrite, remote, rlqs, shards and sql are the
//     enforcements, named as in scenario files: where counters live and how clients
//     consult them. Each declares its options and its presets.
//   - reporting is batchreported for programs: keys are strings, and messages are checked.
//   - callers is the other side: waits, paces and budgets of clients that a limit refuses.
//   - settlement says what a request takes before its cost is known.
//   - step runs one counter through written calls.
//   - capacity, integers, perkey, routing and ticks are shared parts.
//
// The package makes no promise: it can change at any time.
package algorithms
