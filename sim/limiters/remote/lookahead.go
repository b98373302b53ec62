package remote

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// foretold is remotes whose replicas only pass calls on, where nothing fails and
// nobody tries again: as soon as a call is at the store it is known when its
// caller has an answer, or goes on without one.
type lookahead struct {
	*remotes
	executor   *engine.LookaheadExecutor
	coming     engine.EventLine // to the store; Ref is a slot of the lane, or an abandoned call
	due        []engine.Event   // of them
	sent       int64
	duplicates []abandoned
	free       []int32
	gaveUp     counter.Verdict // what comes of a request whose caller goes on
}

// abandoned is a call that comes to the store after its caller has gone on.
type abandoned struct {
	cost, deadline int64
	key            int32
}

// foretells reports whether that is all there is to the calls of a trial.
func (r *remotes) looksAhead(t *engine.Trial) bool {
	return r.direct && r.faults.timeline == nil && r.owners == nil && r.batch == nil && !r.several && !r.joint &&
		t.Sinks.Retries == nil && t.Sinks.DecisionLog == nil
}

func (r *remotes) lookahead(t *engine.Trial) engine.Executor {
	f := &lookahead{remotes: r, executor: engine.NewLookaheadExecutor(t.Sinks, t.Start), gaveUp: r.unanswered()}
	f.executor.Run(f)
	return f.executor
}

// deadline is when a caller goes on who asks at now.
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
	there := f.latency(now, &f.network)
	if f.config.Sidecar.Name != "none" {
		there += f.latency(now, &f.sidecar)
	}
	onward := f.latency(now, &f.storeNetwork)
	at := now + there/2 + onward/2
	a.Rest = there - there/2 + onward - onward/2
	if deadline := f.deadline(now); at > deadline {
		f.executor.GiveUp(slot, deadline, f.gaveUp)
		duplicate := engine.Take(&f.duplicates, &f.free)
		f.duplicates[duplicate] = abandoned{a.Cost, deadline, a.Key}
		slot = ^duplicate
	}
	f.sent++
	f.coming.Push(engine.Event{Time: at, Seq: f.sent, Ref: slot})
}

// Until lets the store serve the calls that come to it up to t.
func (f *lookahead) Until(t int64) {
	f.due = f.coming.PopUntil(t, f.due[:0])
	for i := range f.due {
		e := &f.due[i]
		if e.Ref < 0 {
			duplicate := &f.duplicates[^e.Ref]
			f.serve(e.Time, duplicate.key, duplicate.cost, duplicate.deadline)
			f.free = append(f.free, ^e.Ref)
			continue
		}
		a := f.executor.Asked(e.Ref)
		deadline := f.deadline(a.Arrival)
		v, end, served := f.serve(e.Time, a.Key, a.Cost, deadline)
		if end += a.Rest; served && end <= deadline {
			f.executor.Answer(e.Ref, end, v)
		} else {
			f.executor.GiveUp(e.Ref, deadline, f.gaveUp)
		}
	}
}

// serve lets a call queue at the store, which decides when it serves it, unless
// it drops calls whose callers have gone.
func (f *lookahead) serve(now int64, key int32, cost, deadline int64) (v counter.Verdict, end int64, served bool) {
	begin := f.queue.Begin(now)
	if f.config.Drop && deadline <= begin {
		return 0, 0, false
	}
	f.load.StoreWait(begin, begin-now)
	begin, end = f.queue.Serve(now, f.storeService.Draw())
	f.load.StoreOp(begin)
	return f.store.Take(key, begin, cost), end, true
}
