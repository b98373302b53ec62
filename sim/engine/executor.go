// Package engine runs limiters over the blocks of a scenario's traffic: in blocks
// where verdicts fall at arrival, one event at a time where callers wait. Both
// lanes feed the same recorder.
package engine

import (
	"context"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// Arrivals is one block of a cohort's traffic as its lanes see it: the attempts,
// and what the references let through of them.
type Arrivals struct {
	Time   []int64
	Key    []int32
	Tenant []int32
	Client []int32
	Cost   []int64
	First  int64 // index of the first attempt among all of the trial

	// Descriptors are all keys of each attempt where requests carry several;
	// nil where Key is the only one. Key is then the first policy's, even
	// where that policy does not apply.
	Descriptors *traffic.Descriptors

	// Verdicts and Admitted are the immediate reference's, row by row, and
	// Settled what they add up to.
	Verdicts []counter.Verdict
	Admitted []int64
	Settled  measure.Settled
	// Shaped are the shaping reference's dispatches up to the block's last
	// arrival, in time order. Only lanes that delay look at them.
	Shaped []Dispatch
}

// Dispatch is cost let through at an instant, later than its arrival perhaps.
type Dispatch struct {
	Time   int64
	Key    int32
	Tenant int32
	Client int32
	Cost   int64
}

// Set takes over the columns of a block, the next one of the trial.
func (a *Arrivals) Set(b *traffic.Block) {
	a.First += int64(len(a.Time))
	n := b.N
	a.Time, a.Key, a.Tenant, a.Client, a.Cost = b.Time[:n], b.Key[:n], b.Tenant[:n], b.Client[:n], b.Cost[:n]
	a.Shaped = a.Shaped[:0]
	a.Descriptors = nil
	if len(b.Descriptors.First) > 0 {
		a.Descriptors = &b.Descriptors
	}
}

// Keys are all keys that attempt i falls under.
func (a *Arrivals) Keys(i int) []int32 {
	if a.Descriptors == nil {
		return a.Key[i : i+1]
	}
	return a.Descriptors.Of(i)
}

// Executor runs one algorithm over the blocks of a cohort and feeds its recorder.
// What it has measured when ctx ends early is void.
type Executor interface {
	// Advance takes the next block of arrivals.
	Advance(ctx context.Context, a *Arrivals)
	// Finish runs what is still due before end and closes the books.
	Finish(ctx context.Context, end int64, shaped []Dispatch)
}
