// Package engine runs limiters over a scenario's traffic and passes what
// happens to a recorder. A BlockExecutor runs limiters that decide on arrival,
// in blocks; an EventExecutor runs limiters in which requests wait, one event
// at a time. The package also defines the Limiter descriptor and the Setting
// that every limiter receives; it implements no limiter and transports no
// messages.
//
// The package makes no promise: it can change at any time.
package engine

import (
	"context"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// Arrivals is one block of traffic as an executor receives it: the attempts and
// what the references admit of them.
type Arrivals struct {
	Time   []int64
	Key    []int32
	Tenant []int32
	Client []int32
	Cost   []int64
	First  int64   // index of the first attempt among all attempts of the trial
	place  []int64 // placeOf each attempt if callers retry, otherwise nil

	// Descriptors holds all keys of each attempt if requests carry descriptors,
	// otherwise nil. Key is then the key of the first policy, even if that
	// policy does not apply.
	Descriptors *traffic.Descriptors

	// Rejected is 1 for each attempt that the limiter which wrote the log rejected,
	// else 0. It is empty without recorded verdicts.
	Rejected []int32

	// Estimate and Answer are nil unless costs become known with the answer: the cost
	// that is expected on arrival, and the ns from dispatch to the answer. Cost is then
	// what only references and measures may use on arrival.
	Estimate []int64
	Answer   []int64

	// Verdicts and Admitted are the decisions of the immediate reference by
	// row. Settled holds their sums.
	Verdicts []counting.Verdict
	Admitted []int64
	Settled  measure.Settled
	// Shaped are the dispatches and rejections of the executor's shaping reference
	// up to the last arrival of the block, in time order. Only executors that delay
	// requests use them.
	Shaped []Dispatch
}

// fresh returns the number of the fresh request of attempt i of the block.
func (a *Arrivals) fresh(i int) int64 {
	if a.place == nil {
		return a.First + int64(i)
	}
	fresh, _ := triedAt(a.place[i])
	return fresh
}

// Dispatch is cost that a shaping reference admits at an instant, possibly after
// its arrival, or rejects at its arrival.
type Dispatch struct {
	Time   int64
	Key    int32
	Tenant int32
	Client int32
	Cost   int64

	Rejected bool
}

// Set replaces the columns with those of b, the next block of the trial.
func (a *Arrivals) Set(b *traffic.Block) {
	a.First += int64(len(a.Time))
	n := b.N
	a.Time, a.Key, a.Tenant, a.Client, a.Cost = b.Time[:n], b.Key[:n], b.Tenant[:n], b.Client[:n], b.Cost[:n]
	a.Rejected, a.Estimate, a.Answer = b.Rejected, nil, nil
	if b.Estimate != nil {
		a.Estimate, a.Answer = b.Estimate[:n], b.Answer[:n]
	}
	a.Descriptors = nil
	if len(b.Descriptors.First) > 0 {
		a.Descriptors = &b.Descriptors
	}
}

// Keys returns all keys of attempt i.
func (a *Arrivals) Keys(i int) []int32 {
	if a.Descriptors == nil {
		return a.Key[i : i+1]
	}
	return a.Descriptors.Of(i)
}

// Executor runs one algorithm over the blocks of traffic of one replication and
// feeds a recorder. If ctx ends early, the recorded figures are void.
type Executor interface {
	// Advance processes the next block of arrivals.
	Advance(ctx context.Context, a *Arrivals)
	// Finish runs everything that is due before end and closes the recorder.
	// shaped holds the remaining dispatches of the shaping reference.
	Finish(ctx context.Context, end int64, shaped []Dispatch)
}
