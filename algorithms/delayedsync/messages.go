// Package delayedsync is rate limiting by counters that are shared late: each node
// counts what it decides, and every sync interval brings its counts to a store
// and takes back what all nodes together have counted.
//
// Two ways of using what comes back are here. A Quota node (Apache APISIX) is
// told how much of the limit remains and spends that until the next sync; a
// Counts node (Kong) is told the counts of this window and the one before, and
// weighs them itself at every request.
//
// Nodes and Store exchange the plain messages of this file. They hold no clock,
// do no I/O and draw no random numbers: now is an argument, in nanoseconds from
// 0 on, and the caller carries the messages. At one instant the caller lets
// nodes Flush, then the Store Answer what is due, then nodes Apply the answers
// that are due, and only then Decide.
package delayedsync

// Flush is what a node brings to the store: its counts since the last sync.
type Flush struct {
	Node   int32
	SentAt int64 // by the node's clock; says which calendar window the counts are of
	Rows   []FlushRow
}

// FlushRow is one key's counts, in cost.
type FlushRow struct {
	Key     int32
	Delta   int64 // of the window of SentAt; a Quota node brings everything here
	Earlier int64 // of the window before it
}

// Answer is what the store says to one flush.
type Answer struct {
	Rows []AnswerRow
}

// AnswerRow is what all nodes together have counted of one key. A Quota node is
// given Remaining and Reset, a Counts node the other two.
type AnswerRow struct {
	Key       int32
	Remaining int64 // of the limit; negative when it is exceeded
	Reset     int64 // ns, from when the answer arrives, for which that holds
	Current   int64 // cost counted in the window of SentAt
	Previous  int64 // and in the one before it
}
