package network

import "github.com/limitgauge/limitgauge/sim/engine"

// Scheduler runs events at their time: an Agenda, or an event executor.
type Scheduler interface {
	Schedule(at int64, kind uint32, ref int32)
}

// Agenda holds the events of a limiter that a block executor runs. The zero
// Agenda is empty.
type Agenda struct {
	Fire   func(engine.Event) // runs an event for Step
	Seq    int64              // of the event scheduled last
	events engine.EventHeap
}

// Schedule adds an event.
func (a *Agenda) Schedule(at int64, kind uint32, ref int32) {
	a.Seq++
	a.events.Push(engine.Event{Time: at, Seq: a.Seq, Kind: kind, Ref: ref})
}

// Next returns the time of the next event, or engine.Never.
func (a *Agenda) Next() int64 {
	if len(a.events) == 0 {
		return engine.Never
	}
	return a.events[0].Time
}

// IsDue reports whether the next event is of that kind and due at now.
func (a *Agenda) IsDue(now int64, kind uint32) bool {
	return len(a.events) > 0 && a.events[0].Time == now && a.events[0].Kind == kind
}

// Pop removes the next event, which must exist.
func (a *Agenda) Pop() engine.Event { return a.events.Pop() }

// Step runs the events that are due at now.
func (a *Agenda) Step(now int64) {
	for a.Next() == now {
		a.Fire(a.Pop())
	}
}
