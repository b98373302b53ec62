// Package batchreported implements rate limiting by batched reports for the
// simulator: clients decide every request at once, count what they admit and reject,
// and report the counts periodically; servers count the reports and answer, per key,
// until when or how much to reject. Programs use package reporting, which runs these
// halves and checks what it is given.
//
// Run a [Client] in each gateway and a [Server] in each replica, and deliver the
// messages of this file between them. The package has no clock, no I/O and no random
// numbers of its own: now is an argument, in nanoseconds from 0 by one clock for all,
// and a coin is passed to the client.
//
// At one timestamp the caller lets clients Flush, then servers Receive every
// report that is due, then Answer them, then clients Apply the answers that are
// due, and only then Decide.
//
// The package makes no promise: it can change at any time.
package batchreported

// Report holds a client's counts for one server since its last report.
type Report struct {
	Client int32
	Server int32
	SentAt int64 // by the client's clock
	LeftAt int64 // by the caller's now
	Rows   []ReportRow
}

// ReportRow holds one key's counts, in units of cost.
type ReportRow struct {
	Key      int32
	Slot     int32 // the client's own number of the key, which the answer repeats
	Hits     int64 // admitted
	Rejected int64
}

// Answer is the server's response to one report. It has a row for each of the
// report's rows.
type Answer struct {
	Server     int32
	ComputedAt int64 // by the server's clock
	LeftAt     int64 // of the report, repeated
	Rows       []AnswerRow
}

// AnswerRow tells a client what to do with one key's requests.
type AnswerRow struct {
	Key           int32
	Slot          int32  // as reported
	Reject        int64  // ns: the time until which to reject, by the server's clock, or with AsDuration the time from the answer's arrival; 0 means no rejection
	RejectionRate uint32 // share of requests to reject, in units of 2^-32
}

// Coin is a source of random bits, such as a *random.Stream or a
// *math/rand/v2.PCG.
type Coin interface{ Uint64() uint64 }
