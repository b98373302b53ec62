package custom

import (
	"context"
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// blockingExecutor runs limiters whose calls block until their request may go. Virtual
// time inside the limiters runs ahead of the executor by one block of arrivals, and
// the ends of calls become events of the executor. If callers retry, it runs ahead to the
// next event only: each end of a call can be the beginning of another one.
type blockingExecutor struct {
	*engine.EventExecutor
	handler *blocking
}

func newBlockingExecutor(t *engine.Trial, c *caller) (*blockingExecutor, error) {
	if t.Shared() {
		return nil, &outside.Refused{Row: t.Algorithm.Name, Reason: "a limiter whose calls take virtual time cannot be in a rollout"}
	}
	e := engine.NewEventExecutor(t.Sinks, t.Start)
	b := &blocking{caller: c, executor: e, open: map[int64]int32{}, returned: map[int64]outside.Returned{}}
	if c.queue != nil {
		b.expected = map[int64]expected{}
	}
	if c.exact != nil {
		b.calls = newOverlapping(t)
	}
	if b.rejects = counting.ByMaxWait; !t.Algorithm.Options.Bool("waits") {
		b.rejects = c.cause
	}
	e.Run(b)
	if t.Retries != nil {
		e.Ahead = b.ahead
	}
	return &blockingExecutor{e, b}, nil
}

func (e *blockingExecutor) Advance(ctx context.Context, a *engine.Arrivals) {
	if e.Retries == nil {
		n := len(a.Time)
		for i := range a.Time {
			e.handler.expect(attempt(a, i))
		}
		e.handler.start(e.handler.prepare(a, 0, n), a.Time[n-1])
	}
	e.EventExecutor.Advance(ctx, a)
}

func (e *blockingExecutor) Finish(ctx context.Context, end int64, shaped []engine.Dispatch) {
	b := e.handler
	if e.Retries == nil {
		b.start(nil, end-1)
	}
	e.EventExecutor.Finish(ctx, end, shaped)
	if b.calls != nil {
		if err := b.calls.finish(); err != nil && !b.trial.Outside.Failed() {
			b.trial.Outside.Fail(b.trial.Algorithm.Name, err)
		}
	}
	for _, number := range slices.Sorted(maps.Keys(b.expected)) {
		if x := b.expected[number]; x.latest < end-b.queue.tolerance { // but it waits on
			x.Waits = true
			b.queue.compare(b.trial.Recorder.Differences(), x, !x.admitted, end)
		}
	}
}

// blocking is the handler of such limiters.
type blocking struct {
	*caller
	executor *engine.EventExecutor
	rejects  counting.Cause     // of requests that are rejected after their arrival
	calls    *overlapping       // nil unless the row says how its limiters should decide
	expected map[int64]expected // of calls that have not returned, by number; nil unless there is a queue
	begun    int64              // number of calls
	one      [1]outside.Request
	open     map[int64]int32            // slots of requests whose calls have not returned, by number
	returned map[int64]outside.Returned // ends of calls whose requests have not arrived
}

// kinds of events
const (
	admitKind uint32 = iota
	rejectKind
)

// expect notes what is expected of the call that starts next.
func (b *blocking) expect(x measure.Difference) {
	if b.calls != nil {
		b.calls.arrive(x, b.instance(x.Client))
	}
	if b.expected != nil {
		b.expected[b.begun] = b.queue.take(b.instance(x.Client), x)
		b.begun++
	}
}

// start starts the calls of requests and schedules the ends of calls up to a time.
func (b *blocking) start(requests []outside.Request, until int64) {
	if b.trial.Outside.Failed() {
		return
	}
	ends, err := b.fleet.(outside.Blocking).Start(requests, until)
	b.ended(ends, err, until)
}

// ahead schedules the ends of calls at the next instant up to a time at which there are
// any, and reports whether there are.
func (b *blocking) ahead(until int64) bool {
	if len(b.open) == 0 || b.trial.Outside.Failed() {
		return false
	}
	ends, err := b.fleet.(outside.Blocking).Next(until)
	b.ended(ends, err, until)
	return len(ends) > 0
}

// ended schedules the ends of calls that have returned by a time.
func (b *blocking) ended(ends []outside.Returned, err error, until int64) {
	if err != nil {
		b.trial.Outside.Fail(b.trial.Algorithm.Name, err)
		return
	}
	if b.calls != nil {
		b.calls.end(ends, until)
	}
	for _, r := range ends {
		if x, known := b.expected[r.Request]; known {
			delete(b.expected, r.Request)
			b.queue.compare(b.trial.Recorder.Differences(), x, r.Admit, r.AtNs)
		}
		if slot, arrived := b.open[r.Request]; arrived {
			delete(b.open, r.Request)
			b.schedule(slot, r)
		} else {
			b.returned[r.Request] = r
		}
	}
}

func (b *blocking) schedule(slot int32, r outside.Returned) {
	kind := rejectKind
	if r.Admit {
		kind = admitKind
	}
	b.executor.Schedule(r.AtNs, kind, slot)
}

func (b *blocking) Arrive(now int64, slot int32) {
	number := b.executor.Attempt(slot).Index
	if b.trial.Retries != nil {
		a := b.executor.Attempt(slot)
		b.expect(measure.Difference{At: now, Attempt: a.Index, Key: a.Key, Client: a.Client, Cost: a.Cost})
		b.one[0] = outside.Request{AtNs: now, Cost: a.Cost, Key: b.keyName(a.Key), Client: b.instance(a.Client)}
		b.start(b.one[:], now)
	}
	r, known := b.returned[number]
	switch {
	case !known:
		b.open[number] = slot
		return
	case r.AtNs > now:
		b.schedule(slot, r)
	case r.Admit:
		b.executor.Admit(slot, b.cause)
	default:
		b.executor.Reject(slot, b.cause)
	}
	delete(b.returned, number)
}

func (b *blocking) Fire(e engine.Event) {
	if e.Kind == admitKind {
		b.executor.Admit(e.Ref, b.cause)
		return
	}
	b.executor.Reject(e.Ref, b.rejects)
}
