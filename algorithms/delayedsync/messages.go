// Package delayedsync implements rate limiting by counters that are shared with a
// delay: each node counts its decisions, and every sync interval it adds its
// counts to a store and receives what all nodes together have counted. Run a node
// in each process and one [Store], and deliver the messages of this file between
// them. The package has no clock, no I/O and no random numbers of its own: now is
// an argument, in nanoseconds from 0.
//
// There are two kinds of nodes. A [Quota] node (Apache APISIX) receives the
// remainder of the limit and spends it until the next sync. A [Tally] node (Kong)
// receives the counts of this window and the previous one, and weights them
// itself at every request.
//
// At one timestamp the caller lets nodes Flush, then the Store Answer what is
// due, then nodes Apply the answers that are due, and only then Decide.
//
// The package makes no promise: it can change at any time.
package delayedsync

// Flush is a node's message to the store: its counts since the last sync.
type Flush struct {
	Node   int32
	SentAt int64 // by the node's clock; determines the calendar window of the counts
	Rows   []FlushRow
}

// FlushRow holds one key's counts, in units of cost.
type FlushRow struct {
	Key     int32
	Delta   int64 // in the window of SentAt; a Quota node sends everything here
	Earlier int64 // in the previous window
}

// Answer is the store's response to one flush.
type Answer struct {
	Rows []AnswerRow
}

// AnswerRow holds what all nodes together have counted of one key. A Quota node
// receives Remaining and Reset, a Tally node the other two.
type AnswerRow struct {
	Key       int32
	Remaining int64 // of the limit; negative if it is exceeded
	Reset     int64 // ns from the answer's arrival for which Remaining holds
	Current   int64 // cost counted in the window of SentAt
	Previous  int64 // cost counted in the window before it
}
