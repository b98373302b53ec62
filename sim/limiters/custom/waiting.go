package custom

import (
	"context"

	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// waitingExecutor runs limiters that state on arrival how long a request waits. It
// asks about a block of arrivals at once, unless retries come between them or a log
// needs the limiter's state after each decision.
type waitingExecutor struct {
	*engine.EventExecutor
	handler *waiting
}

func newWaitingExecutor(t *engine.Trial, c *caller) *waitingExecutor {
	e := engine.NewEventExecutor(t.Sinks, t.Start)
	w := &waiting{caller: c, executor: e}
	e.Run(w)
	return &waitingExecutor{e, w}
}

func (e *waitingExecutor) Advance(ctx context.Context, a *engine.Arrivals) {
	if e.Retries == nil && e.DecisionLog == nil {
		e.handler.ahead = e.handler.ask(e.handler.prepare(a, 0, len(a.Time)))
	}
	e.EventExecutor.Advance(ctx, a)
}

// waiting is the handler of such limiters.
type waiting struct {
	*caller
	executor *engine.EventExecutor
	ahead    []outside.Answer // to the next arrivals
	one      [1]outside.Request
}

func (w *waiting) Arrive(now int64, slot int32) {
	if len(w.ahead) == 0 {
		a := w.executor.Attempt(slot)
		w.one[0] = outside.Request{AtNs: now, Cost: a.Cost, Key: w.keyName(a.Key), Client: w.instance(a.Client)}
		w.ahead = w.ask(w.one[:])
	}
	if w.ahead == nil { // the job has failed: the figures are void
		w.executor.Reject(slot, w.cause)
		return
	}
	answer := w.ahead[0]
	w.ahead = w.ahead[1:]
	if w.queue != nil {
		a := w.executor.Attempt(slot)
		x := w.queue.take(w.instance(a.Client), measure.Difference{At: now, Attempt: a.Index, Key: a.Key, Client: a.Client, Cost: a.Cost})
		w.queue.compare(w.trial.Recorder.Differences(), x, answer.Admit, now+min(answer.WaitNs, engine.Never-now))
	}
	switch {
	case !answer.Admit:
		w.executor.Reject(slot, w.cause)
	case answer.WaitNs == 0:
		w.executor.Admit(slot, w.cause)
	case answer.WaitNs <= engine.Never-now:
		w.executor.Schedule(now+answer.WaitNs, 0, slot)
	} // else it waits for ever
}

func (w *waiting) Fire(e engine.Event) { w.executor.Admit(e.Ref, w.cause) }
