package custom

import (
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// inFlight runs limiters of the requests in flight: it asks about each request, and tells of
// each answer of the backend.
type inFlight struct {
	*caller
	limiters outside.Concurrent
	executor *engine.EventExecutor
}

func newInFlight(t *engine.Trial, c *caller, limiters outside.Concurrent) (engine.Executor, error) {
	if t.Guard == nil {
		return nil, &outside.Refused{Row: t.Algorithm.Name, Reason: "it limits requests in flight, and the scenario has no guard: without a backend none is in flight"}
	}
	f := &inFlight{caller: c, limiters: limiters, executor: engine.NewEventExecutor(t.Sinks, t.Start)}
	t.Guard.OnAnswer(f.answered)
	f.executor.Run(f)
	for i := range instancesOf(t.Setting, t.Algorithm) {
		f.note(t.Origin, int32(i))
	}
	return f.executor, nil
}

func (f *inFlight) Arrive(now int64, slot int32) {
	a := f.executor.Attempt(slot)
	if f.trial.Outside.Failed() { // the figures are void
		f.executor.Reject(slot, f.cause)
		return
	}
	r := outside.Request{AtNs: now, Cost: a.Cost, Key: f.keyName(a.Key), Client: f.instance(a.Client)}
	number, admit, err := f.limiters.Acquire(&r)
	if err != nil {
		f.trial.Outside.Fail(f.trial.Algorithm.Name, err)
		f.executor.Reject(slot, f.cause)
		return
	}
	f.note(now, r.Client)
	if !admit {
		f.executor.Reject(slot, f.cause)
		return
	}
	f.executor.Guard.Carry(number)
	f.executor.Admit(slot, f.cause)
}

// answered tells a limiter of an answer: what its request carries is its number.
func (f *inFlight) answered(now int64, a engine.Answered) {
	if f.trial.Outside.Failed() {
		return
	}
	if err := f.limiters.Release(a.InFlight, now, a.Good); err != nil {
		f.trial.Outside.Fail(f.trial.Algorithm.Name, err)
		return
	}
	f.note(now, f.instance(a.Client))
}

// note records the limit of a limiter that tells it.
func (f *inFlight) note(now int64, limiter int32) {
	switch limit, known, err := f.limiters.Limit(limiter); {
	case err != nil:
		f.trial.Outside.Fail(f.trial.Algorithm.Name, err)
	case known:
		f.trial.Recorder.Limit(now, limiter, limit)
	}
}

func (*inFlight) Fire(engine.Event) {}

func (*inFlight) Inspect(_, _ int32, now, _ int64) (level, retryAt int64) {
	return engine.UnknownLevel, now
}
