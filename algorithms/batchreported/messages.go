// Package batchreported is rate limiting by batched reports: clients decide every
// request at once from what they know, count what they let through and what
// they refused, and report the counts now and then; a server counts the
// reports and answers, per key, until when or how much to reject.
//
// Client and Server exchange the plain messages of this file. They hold no
// clock, do no I/O and draw no random numbers: now is an argument, in
// nanoseconds from 0 on, a coin is handed to the client, and the caller carries
// the messages. At one instant the caller lets clients Flush, then servers
// Receive every report that is due, then Answer them, then clients Apply the
// answers that are due, and only then Decide.
package batchreported

// Report is what one client tells one server: counts since its last report.
type Report struct {
	Client int32
	Server int32
	SentAt int64 // by the client's clock
	LeftAt int64 // the now of its Flush
	Rows   []ReportRow
}

// ReportRow is one key's counts, in cost.
type ReportRow struct {
	Key      int32
	Slot     int32 // the client's own number of the key, which the answer repeats
	Hits     int64 // let through
	Rejected int64
}

// Answer is what the server says to one report, a row for each of its rows.
type Answer struct {
	Server     int32
	ComputedAt int64 // by the server's clock
	LeftAt     int64 // of the report, repeated
	Rows       []AnswerRow
}

// AnswerRow is what a client is to do with one key's requests.
type AnswerRow struct {
	Key           int32
	Slot          int32  // as reported
	Reject        int64  // ns: until this instant by the server's clock or, AsDuration, so long from when the answer arrives; 0 is not
	RejectionRate uint32 // share of requests to reject, in units of 2^-32
}

// Coin is a source of random bits, such as a *random.Stream or a
// *math/rand/v2.PCG.
type Coin interface{ Uint64() uint64 }
