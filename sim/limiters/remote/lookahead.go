package remote

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// lookahead runs remotes whose replicas only pass calls on, without faults and
// retries. When a call arrives at the store, its response time is known at once,
// so that the call needs no further event.
type lookahead struct {
	*remotes
	executor  *engine.LookaheadExecutor
	arrivals  engine.EventLine // at the store; Ref is a slot of the executor, or ^ref of an abandoned call
	due       []engine.Event   // arrivals, at one time
	sent      int64
	abandoned engine.Pool[abandoned]
	timedOut  counting.Verdict // on a request that gets no response in time
}

// abandoned is a call that arrives at the store after its caller's timeout.
type abandoned struct {
	cost, deadline int64
	key            int32
}

// looksAhead reports whether a trial can run in a lookahead executor.
func (r *remotes) looksAhead(t *engine.Trial) bool {
	return r.direct && r.settling == nil && r.timeline == nil && r.config.Any && r.batch == nil && !r.multiPolicy && !r.joint &&
		t.Sinks.Retries == nil && t.Sinks.DecisionLog == nil && !t.Sinks.Shared()
}

func (r *remotes) lookahead(t *engine.Trial) engine.Executor {
	f := &lookahead{remotes: r, executor: engine.NewLookaheadExecutor(t.Sinks, t.Start), timedOut: counting.Unanswered(!r.config.FailClosed)}
	f.executor.Run(f)
	return f.executor
}

// deadline returns when a caller that asks at now stops waiting.
func (f *lookahead) deadline(now int64) int64 {
	if f.config.Timeout == 0 {
		return engine.Never
	}
	return now + f.config.Timeout
}

func (f *lookahead) Ask(now int64, slot int32) {
	a := f.executor.Asked(slot)
	f.load.Fanout(now, 1)
	f.load.Call(now, int(f.route(now, a.Client, a.Key)), 1)
	there := f.network.Latency(now)
	if f.config.Sidecar.Name != "none" {
		there += f.sidecar.Latency(now)
	}
	onward := f.storeNetwork.Latency(now)
	at := now + there/2 + onward/2
	a.Rest = there - there/2 + onward - onward/2
	if deadline := f.deadline(now); at > deadline {
		f.executor.GiveUp(slot, deadline, f.timedOut)
		slot = ^f.abandoned.Add(abandoned{a.Cost, deadline, a.Key})
	}
	f.sent++
	f.arrivals.Push(engine.Event{Time: at, Seq: f.sent, Ref: slot})
}

// Until has the store serve the calls that arrive there up to t.
func (f *lookahead) Until(t int64) {
	f.due = f.arrivals.PopUntil(t, f.due[:0])
	for i := range f.due {
		e := &f.due[i]
		if e.Ref < 0 {
			c := f.abandoned.At(^e.Ref)
			f.serve(e.Time, c.key, c.cost, c.deadline)
			f.abandoned.Release(^e.Ref)
			continue
		}
		a := f.executor.Asked(e.Ref)
		deadline := f.deadline(a.Arrival)
		v, end, served := f.serve(e.Time, a.Key, a.Cost, deadline)
		if end += a.Rest; served && end <= deadline {
			f.executor.Answer(e.Ref, end, v)
		} else {
			f.executor.GiveUp(e.Ref, deadline, f.timedOut)
		}
	}
}

// serve queues a call at the store, which decides when it serves the call. It may
// drop a call whose caller has stopped waiting.
func (f *lookahead) serve(now int64, key int32, cost, deadline int64) (v counting.Verdict, end int64, served bool) {
	begin := f.queue.Begin(now)
	if f.config.Drop && deadline <= begin {
		return 0, 0, false
	}
	f.load.StoreWait(begin, begin-now)
	begin, end = f.queue.Serve(now, f.storeService.Draw())
	f.load.StoreOp(begin, f.config.Commands)
	return f.store.Take(key, begin, cost), end, true
}
