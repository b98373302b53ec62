// Package measure computes the metrics of a trial. A Recorder receives two
// streams in time order, flows of cost and outcomes of attempts, and passes
// them to one meter for each group of metrics. The package never influences a
// run, summarises no replications and formats nothing; the registry lists all
// metrics.
//
// The package makes no promise: it can change at any time.
package measure

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// Flow is a block of the flow of cost, in time order, as columns of equal
// length. A row states what happened to one key at one time: the cost that
// arrived (Offered), was admitted, was rejected, and was admitted by the
// reference (Reference). If a verdict is immediate, the row of the attempt
// holds all four; if callers wait, arrivals and dispatches have rows of their
// own. A Flow is valid only during the call that receives it.
//
// If Rejected is nil, every row rejects what it does not admit, and nothing
// waits.
//
// If requests carry descriptors, a row states what happened to a request and so
// to each of its keys. The keys of row i are Keys[First[i]:First[i+1]].
type Flow struct {
	Time      []int64
	Key       []int32
	Tenant    []int32
	Client    []int32
	Offered   []int64
	Admitted  []int64
	Rejected  []int64
	Reference []int64
	Refused   []int64 // cost that a shaping reference rejects; nil: none, or the reference rejects what it does not admit

	First []int32 // nil: the key of a row is in Key
	Keys  []int32

	Sum    Sums // sums of the four costs; always set when a meter receives the block
	Summed bool

	early bool          // the rows are before the measured span
	rows  *admittedRows // those that admit something; set when a meter receives the block
}

// Sums holds the sums of a block's costs, and the number of attempts that it admits.
// Rows of their own do not tell an admitted attempt of cost 0 from none.
type Sums struct{ Offered, Admitted, Rejected, Reference, AdmittedAttempts int64 }

// Immediate is a block of attempts that were decided on arrival, in time order,
// as columns of equal length with their sums.
type Immediate struct {
	Time    []int64
	Cost    []int64
	Verdict []counting.Verdict
	Settled
}

// Outcome states how one attempt ended. Times are in ns.
type Outcome struct {
	Attempt    int64 // index of the attempt in the trial's arrivals, from 0
	Fresh      int64 // index of the fresh request among fresh requests
	Try        int32 // 0 for the fresh request; retries count from 1
	Arrival    int64 // arrival at the limiter
	Decided    int64 // when the caller learns the verdict
	Dispatched int64 // when the request is admitted; Decided if it is rejected
	Waited     int64 // ns inside the limiter, without time on the network
	Key        int32
	Tenant     int32
	Client     int32
	Cost       int64
	Verdict    counting.Verdict
	TimedOut   bool // its remote call timed out
	Waiting    bool // not decided when the trial ended; Verdict is void
}

// Reporter reports the figures of some metrics when the trial has ended.
type Reporter interface {
	// Figures emits the metrics that have a figure, or a reason of their own why
	// they have none. It returns the reason for all others.
	Figures(emit Emit) (none string)
}

// Meter measures the flow of cost up to the end of the measured span.
type Meter interface {
	// Flow processes a block, which is either within the span or early, that is
	// before it.
	Flow(f *Flow)
}

// OutcomeMeter measures how attempts ended. It receives every attempt that
// arrived in the measured span exactly once.
type OutcomeMeter interface {
	// Immediate processes a block of attempts that were decided on arrival.
	Immediate(b *Immediate)
	// Outcomes processes attempts in the order of their ends. They may have
	// been decided after their arrival.
	Outcomes(block []Outcome)
}

// closer is a meter that must complete its state when the span ends.
type closer interface {
	close(end int64)
}
