package network

import "github.com/limitgauge/limitgauge/sim/engine"

// Agenda holds the events of a limiter that runs in either executor.
type Agenda struct {
	Executor *engine.EventExecutor // nil in a block executor
	Events   engine.EventHeap      // in a block executor
	seq      int64
}

// Schedule adds an event.
func (a *Agenda) Schedule(t int64, kind uint32, ref int32) {
	if a.Executor != nil {
		a.Executor.Schedule(t, kind, ref)
		return
	}
	a.seq++
	a.Events.Push(engine.Event{Time: t, Seq: a.seq, Kind: kind, Ref: ref})
}

// Next returns the time of the next event of a block executor, or engine.Never.
func (a *Agenda) Next() int64 {
	if len(a.Events) == 0 {
		return engine.Never
	}
	return a.Events[0].Time
}
