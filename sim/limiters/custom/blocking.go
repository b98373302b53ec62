package custom

import (
	"context"
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// blockingExecutor runs limiters whose calls block until their request may go. Virtual
// time inside the limiters runs ahead of the executor by one block of arrivals, and
// the ends of calls become events of the executor.
type blockingExecutor struct {
	*engine.EventExecutor
	handler *blocking
}

func newBlockingExecutor(t *engine.Trial, c *caller) (_ *blockingExecutor, err error) {
	switch {
	case t.Retries != nil:
		return nil, &outside.Refused{Row: t.Algorithm.Name, Reason: "calls that take virtual time run ahead of callers that retry: remove the retries"}
	case t.Shared():
		return nil, &outside.Refused{Row: t.Algorithm.Name, Reason: "a limiter whose calls take virtual time cannot be in a rollout"}
	}
	e := engine.NewEventExecutor(t.Sinks, t.Start)
	b := &blocking{caller: c, executor: e, open: map[int64]int32{}, returned: map[int64]outside.Returned{}}
	if c.queue != nil {
		b.expected = map[int64]expected{}
	}
	if c.exact != nil {
		if b.calls, err = newOverlapping(t); err != nil {
			return nil, err
		}
	}
	if b.rejects = counting.ByMaxWait; !t.Algorithm.Options.Bool("waits") {
		b.rejects = c.cause
	}
	e.Run(b)
	return &blockingExecutor{e, b}, nil
}

func (e *blockingExecutor) Advance(ctx context.Context, a *engine.Arrivals) {
	n := len(a.Time)
	if e.handler.calls != nil {
		e.handler.calls.arrive(e.handler.caller, a)
	}
	if e.handler.expected != nil {
		for i := range a.Time {
			e.handler.expected[e.handler.begun] = e.handler.queue.take(e.handler.instance(a.Client[i]), attempt(a, i))
			e.handler.begun++
		}
	}
	e.handler.start(e.handler.prepare(a, 0, n), a.Time[n-1])
	e.EventExecutor.Advance(ctx, a)
}

func (e *blockingExecutor) Finish(ctx context.Context, end int64, shaped []engine.Dispatch) {
	e.handler.start(nil, end-1)
	if e.handler.calls != nil {
		if err := e.handler.calls.finish(); err != nil && !e.handler.trial.Outside.Failed() {
			e.handler.trial.Outside.Fail(e.handler.trial.Algorithm.Name, err)
		}
	}
	for _, number := range slices.Sorted(maps.Keys(e.handler.expected)) {
		if x := e.handler.expected[number]; x.dispatch < end-e.handler.queue.tolerance { // but it waits on
			e.handler.queue.compare(e.handler.trial.Recorder.Differences(), x, !x.admitted, end)
		}
	}
	e.EventExecutor.Finish(ctx, end, shaped)
}

// blocking is the handler of such limiters.
type blocking struct {
	*caller
	executor *engine.EventExecutor
	rejects  counting.Cause             // of requests that are rejected after their arrival
	calls    *overlapping               // nil unless the row says how its limiters should decide
	expected map[int64]expected         // of calls that have not returned, by number; nil unless there is a queue
	begun    int64                      // number of calls
	open     map[int64]int32            // slots of requests whose calls have not returned, by number
	returned map[int64]outside.Returned // ends of calls whose requests have not arrived
}

// kinds of events
const (
	admitKind uint32 = iota
	rejectKind
)

// start starts the calls of requests and schedules the ends of calls up to a time.
func (b *blocking) start(requests []outside.Request, until int64) {
	if b.trial.Outside.Failed() {
		return
	}
	ends, err := b.fleet.(outside.Blocking).Start(requests, until)
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

func (b *blocking) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	return b.inspect(key, client, now, cost)
}
