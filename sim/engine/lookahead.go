package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// LookaheadLimiter is a limiter that asks for each attempt and can say ahead of time
// how it ends, since nothing that happens at an end leads to anything else.
type LookaheadLimiter interface {
	// Ask takes the attempt in a slot, which arrives at now.
	Ask(now int64, slot int32)
	// Until works up to t. It must have reported to the executor, by Answer or GiveUp,
	// every end up to t.
	Until(t int64)
}

// LookaheadExecutor runs a LookaheadLimiter a block of arrivals at a time: all of them ask,
// then what is due is answered, then ends are put in order. Each of these is a
// loop of its own, where an EventExecutor goes from one to another at every event.
type LookaheadExecutor struct {
	Sinks
	limiter  LookaheadLimiter
	asked    []Asked
	free     []int32
	ends     EventLine
	due      []Event // of them, in this block
	answers  int64
	rows     flowRows
	outcomes outcomes
}

// Asked is an attempt that has arrived and not ended.
type Asked struct {
	Index   int64 // among all attempts of the trial
	Arrival int64
	Cost    int64
	Rest    int64 // ns, for the limiter to keep
	Key     int32
	Tenant  int32
	Client  int32
	verdict counter.Verdict
	ended   bool
}

// What ends at one instant, in this order: first what was answered first, and
// what arrived first.
const (
	isAnswered uint32 = iota
	isGivenUp
)

// NewLookaheadExecutor returns an executor without a limiter; set one with Run. What it
// measures begins at start.
func NewLookaheadExecutor(b Sinks, start int64) *LookaheadExecutor {
	b.Recorder.Waiting(start, 0)
	return &LookaheadExecutor{Sinks: b, rows: flowRows{recorder: b.Recorder}, outcomes: outcomes{recorder: b.Recorder}}
}

// Run sets the limiter, which needs the executor to exist first.
func (l *LookaheadExecutor) Run(limiter LookaheadLimiter) { l.limiter = limiter }

// Asked is the attempt in a slot, which it keeps until its end.
func (l *LookaheadExecutor) Asked(slot int32) *Asked { return &l.asked[slot] }

// Answer says that the attempt in a slot ends at an instant with this verdict.
func (l *LookaheadExecutor) Answer(slot int32, at int64, v counter.Verdict) {
	l.answers++
	l.asked[slot].verdict = v
	l.ends.Push(Event{Time: at, Seq: l.answers, Kind: isAnswered, Ref: slot})
}

// GiveUp says that its caller goes on at an instant without an answer.
func (l *LookaheadExecutor) GiveUp(slot int32, at int64, v counter.Verdict) {
	a := &l.asked[slot]
	a.verdict = v
	l.ends.Push(Event{Time: at, Seq: a.Index, Kind: isGivenUp, Ref: slot})
}

func (l *LookaheadExecutor) Advance(_ context.Context, a *Arrivals) {
	n := len(a.Time)
	if n == 0 {
		return
	}
	for i, t := range a.Time {
		slot := Take(&l.asked, &l.free)
		l.asked[slot] = Asked{Index: a.First + int64(i), Arrival: t, Cost: a.Cost[i], Key: a.Key[i], Tenant: a.Tenant[i], Client: a.Client[i]}
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

// end ends an attempt.
func (l *LookaheadExecutor) end(e *Event) {
	a := &l.asked[e.Ref]
	admitted := a.Cost & -int64(a.verdict&1)
	l.rows.put(e.Time, a.Key, a.Tenant, a.Client, 0, admitted, a.Cost-admitted, 0)
	l.outcome(a, e.Time, a.verdict).TimedOut = e.Kind == isGivenUp
	a.ended = true
	l.free = append(l.free, e.Ref)
	if l.Guard != nil && a.verdict.Admitted() {
		l.Guard.advance(e.Time)
		l.Guard.enter(e.Time, a.Key, a.Client, a.Cost)
	}
}

// outcome is how an attempt ended, of which nothing was waiting in the limiter.
func (l *LookaheadExecutor) outcome(a *Asked, now int64, v counter.Verdict) *measure.Outcome {
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
	for slot := range l.asked {
		if a := &l.asked[slot]; !a.ended {
			left = append(left, a)
		}
	}
	slices.SortFunc(left, func(a, b *Asked) int { return cmp.Compare(a.Index, b.Index) })
	for _, a := range left {
		o := l.outcome(a, end, counter.Rejected)
		o.TimedOut, o.Waiting = false, true
	}
	l.outcomes.flush()
	l.close(end)
}
