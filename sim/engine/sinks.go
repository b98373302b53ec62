package engine

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// Never is later than any instant of a simulation.
const Never = int64(math.MaxInt64)

// UnknownLevel is the level of a limiter that does not know its level.
const UnknownLevel = int64(math.MinInt64)

// Sinks receives what an executor reports.
type Sinks struct {
	Recorder      *measure.Recorder
	Guard         *Guard      // nil without a backend
	DecisionLog   DecisionLog // nil unless every decision is logged
	ReportLog     *ReportLog  // nil unless every report is logged
	Retries       *Retries    // nil unless callers retry or wait for answers
	Workers       *Workers    // callers that wait for answers; nil without any
	ReferenceMode ReferenceMode

	host *host // of a fleet of two limiters, otherwise nil
}

// Shared reports whether the executor runs another limiter beside this one, so
// that the limiter has to process one event at a time if it is not a Decider.
func (b *Sinks) Shared() bool { return b.host != nil }

// record records the flow of a block of attempts that were decided on arrival.
// admitted holds cost by row and sum the sums. rejected may be nil: the cost
// that is not admitted is then rejected.
func (b *Sinks) record(a *Arrivals, verdicts []counting.Verdict, admitted, rejected []int64, sum measure.Settled) {
	flow := measure.Flow{
		Time: a.Time, Key: a.Key, Tenant: a.Tenant, Client: a.Client,
		Offered: a.Cost, Admitted: admitted, Rejected: rejected, Reference: a.Admitted,
		Sum: sum.Sums(a.Settled.Admitted), Summed: true,
	}
	if a.Descriptors != nil {
		flow.First, flow.Keys = a.Descriptors.First, a.Descriptors.Keys
	}
	b.Recorder.Flow(&flow)
	if b.Guard == nil {
		return
	}
	for i, v := range verdicts {
		if v.Admitted() {
			b.Guard.advance(a.Time[i])
			b.Guard.enter(a.Time[i], guarded{number: a.fresh(i), arrived: a.Time[i], key: a.Key[i], client: a.Client[i], cost: a.Cost[i], caller: noWorker})
		}
	}
}

// end records the outcomes of the attempts of such a block.
func (b *Sinks) end(a *Arrivals, verdicts []counting.Verdict, sum measure.Settled) {
	b.Recorder.Immediate(measure.Immediate{Time: a.Time, Cost: a.Cost, Verdict: verdicts, Settled: sum})
}

// close records all outcomes due before end and closes the recorder.
func (b *Sinks) close(end int64) {
	if b.Guard != nil {
		b.Guard.finish(end)
	}
	b.Recorder.Close(end)
}

// DecisionLog receives every decision. keys are all keys of the request. level is the cost
// that they could still admit right after the decision, or UnknownLevel. retryAt is the
// time from which they would admit the same request.
type DecisionLog interface {
	Decision(o *measure.Outcome, keys []int32, level, retryAt int64)
}

// inspectAll combines the state of all keys of a request: the lowest level, or
// UnknownLevel if one of them is unknown, and the time from which all of them
// would admit the request.
func inspectAll(keys []int32, now int64, inspect func(key int32) (level, retryAt int64)) (level, retryAt int64) {
	if len(keys) == 0 {
		return UnknownLevel, now
	}
	level, retryAt = math.MaxInt64, now
	for _, key := range keys {
		l, at := inspect(key)
		level, retryAt = min(level, l), max(retryAt, at)
	}
	return level, retryAt
}

// ReferenceMode states which reference a trial is compared with, and where the
// flow of admitted cost of that reference comes from.
type ReferenceMode uint8

const (
	ImmediateReference ReferenceMode = iota // decides on arrival: the rows of the attempts
	ShapingReference                        // delays: its dispatches are rows of their own
	Itself                                  // the trial runs the reference itself
)
