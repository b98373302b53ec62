package sim

import (
	"context"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// arrivals is one block of a cohort's traffic as its lanes see it: the attempts,
// and what the references let through of them.
type arrivals struct {
	time   []int64
	key    []int32
	tenant []int32
	client []int32
	cost   []int64
	first  int64 // index of the first attempt among all of the trial

	// verdicts and admitted are the immediate reference's, row by row.
	verdicts []counters.Verdict
	admitted []int64
	// shaped are the shaping reference's dispatches up to the block's last
	// arrival, in time order. Only lanes that delay look at them.
	shaped []dispatch
}

// dispatch is cost let through at an instant, later than its arrival perhaps.
type dispatch struct {
	time   int64
	key    int32
	tenant int32
	client int32
	cost   int64
}

func (a *arrivals) set(b *traffic.Block) {
	a.first += int64(len(a.time))
	n := b.N
	a.time, a.key, a.tenant, a.client, a.cost = b.Time[:n], b.Key[:n], b.Tenant[:n], b.Client[:n], b.Cost[:n]
	a.shaped = a.shaped[:0]
}

// lane runs one algorithm over the blocks of a cohort and feeds its recorder.
// What it has measured when ctx ends early is void.
type lane interface {
	// advance takes the next block of arrivals.
	advance(ctx context.Context, a *arrivals)
	// finish runs what is still due before end and closes the books.
	finish(ctx context.Context, end int64, shaped []dispatch)
}
