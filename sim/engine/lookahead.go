package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// LookaheadLimiter is a limiter that can compute in advance how each attempt
// ends. This requires that the end of an attempt causes no further events in
// the limiter.
type LookaheadLimiter interface {
	// Ask starts the attempt in slot, which arrives at now.
	Ask(now int64, slot int32)
	// Until processes all events up to t. It must report every end up to t to
	// the executor, by Answer or GiveUp.
	Until(t int64)
}

// LookaheadExecutor runs a LookaheadLimiter one block of arrivals at a time. It
// starts all attempts of the block, then lets the limiter process its events,
// then merges arrivals and ends by time. Each step is one loop, while an
// EventExecutor switches between these kinds of work at every event.
type LookaheadExecutor struct {
	Sinks
	limiter  LookaheadLimiter
	asked    Pool[Asked]
	ends     EventLine
	due      []Event // the ends that are due in this block
	answers  int64
	rows     flowRows
	outcomes outcomes
}

// Asked is the state of an attempt in flight.
type Asked struct {
	Index   int64 // among all attempts of the trial
	Arrival int64
	Cost    int64
	Rest    int64 // ns; the limiter may store it here
	Key     int32
	Tenant  int32
	Client  int32
	verdict counting.Verdict
	ended   bool
}

// Kinds of ends, in the order in which they run when they share a timestamp.
// Answered attempts are ordered by answer, the others by arrival.
const (
	isAnswered uint32 = iota
	isGivenUp
)

// NewLookaheadExecutor returns an executor without a limiter. Set one with Run.
// It measures from start, in ns.
func NewLookaheadExecutor(b Sinks, start int64) *LookaheadExecutor {
	b.Recorder.Waiting(start, 0)
	return &LookaheadExecutor{Sinks: b, rows: flowRows{recorder: b.Recorder}, outcomes: outcomes{recorder: b.Recorder}}
}

// Run sets the limiter, which needs the executor for its own construction.
func (l *LookaheadExecutor) Run(limiter LookaheadLimiter) { l.limiter = limiter }

// Asked returns the attempt in slot. It is valid until the attempt ends.
func (l *LookaheadExecutor) Asked(slot int32) *Asked { return l.asked.At(slot) }

// Answer schedules the end of the attempt in slot at time at, in ns, with this
// verdict.
func (l *LookaheadExecutor) Answer(slot int32, at int64, v counting.Verdict) {
	l.answers++
	l.asked.At(slot).verdict = v
	l.ends.Push(Event{Time: at, Seq: l.answers, Kind: isAnswered, Ref: slot})
}

// GiveUp schedules the end of the attempt in slot at time at, in ns, because
// its caller stops waiting for a response.
func (l *LookaheadExecutor) GiveUp(slot int32, at int64, v counting.Verdict) {
	a := l.asked.At(slot)
	a.verdict = v
	l.ends.Push(Event{Time: at, Seq: a.Index, Kind: isGivenUp, Ref: slot})
}

func (l *LookaheadExecutor) Advance(_ context.Context, a *Arrivals) {
	n := len(a.Time)
	if n == 0 {
		return
	}
	for i, t := range a.Time {
		slot := l.asked.Take()
		*l.asked.At(slot) = Asked{Index: a.First + int64(i), Arrival: t, Cost: a.Cost[i], Key: a.Key[i], Tenant: a.Tenant[i], Client: a.Client[i]}
		l.limiter.Ask(t, slot)
	}
	l.limiter.Until(a.Time[n-1])
	l.due = l.ends.PopUntil(a.Time[n-1], l.due[:0])
	ends := l.due
	for i, t := range a.Time {
		for ; len(ends) > 0 && ends[0].Time <= t; ends = ends[1:] {
			l.end(&ends[0])
		}
		l.rows.put(t, a.Key[i], a.Tenant[i], a.Client[i], a.Cost[i], 0, 0, a.Admitted[i])
	}
}

// end ends the attempt of an event.
func (l *LookaheadExecutor) end(e *Event) {
	a := l.asked.At(e.Ref)
	admitted := a.Cost & -int64(a.verdict&1)
	l.rows.put(e.Time, a.Key, a.Tenant, a.Client, 0, admitted, a.Cost-admitted, 0)
	l.outcome(a, e.Time, a.verdict).TimedOut = e.Kind == isGivenUp
	a.ended = true
	l.asked.Release(e.Ref)
	if l.Guard != nil && a.verdict.Admitted() {
		l.Guard.advance(e.Time)
		l.Guard.enter(e.Time, guarded{number: a.Index, arrived: a.Arrival, key: a.Key, client: a.Client, cost: a.Cost, caller: noWorker})
	}
}

// outcome records the outcome of an attempt. Its dispatch is at now, because
// the limiter holds no admitted requests.
func (l *LookaheadExecutor) outcome(a *Asked, now int64, v counting.Verdict) *measure.Outcome {
	o := l.outcomes.next()
	o.Attempt, o.Fresh, o.Arrival, o.Decided, o.Dispatched = a.Index, a.Index, a.Arrival, now, now
	o.Key, o.Tenant, o.Client, o.Cost = a.Key, a.Tenant, a.Client, a.Cost
	o.Verdict = v
	return o
}

func (l *LookaheadExecutor) Finish(_ context.Context, end int64, _ []Dispatch) {
	l.limiter.Until(end - 1)
	l.due = l.ends.PopUntil(end-1, l.due[:0])
	for i := range l.due {
		l.end(&l.due[i])
	}
	l.rows.flush()
	var left []*Asked
	for i := range l.asked.items {
		if a := &l.asked.items[i]; !a.ended {
			left = append(left, a)
		}
	}
	slices.SortFunc(left, func(a, b *Asked) int { return cmp.Compare(a.Index, b.Index) })
	for _, a := range left {
		o := l.outcome(a, end, counting.Rejected)
		o.TimedOut, o.Waiting = false, true
	}
	l.outcomes.flush()
	l.close(end)
}
