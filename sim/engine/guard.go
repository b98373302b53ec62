package engine

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// Guard simulates the backend that a limiter protects: a first-in, first-out queue in front
// of a number of servers, or cores that all requests share. It does not affect the limiter
// unless that registers with OnCompletion.
type Guard struct {
	concurrency int64
	service     ServiceTime
	slow        []scenarios.SlowPeriod
	slowness    slowness
	shared      *sharing // nil for servers with a queue
	meter       *measure.GuardMeter
	completed   [stages]func(now int64, key, client int32, cost int64)
	stage       uint8 // of the limiter that admits requests now
	answered    [stages]func(now int64, a Answered)
	carried     int64                      // Answered.InFlight of the next request that enters
	workers     *Workers                   // those that wait for answers; nil without any
	onServed    func(now int64, r guarded) // of callers that retry without a good answer; nil without any
	deadline    int64                      // ns from arrival to a good answer; 0 for none
	places      int64                      // in the queue
	drains      bool                       // the run has ended: answers only count

	busy    int64
	waiting FIFO[guarded]
	running EventHeap // completions; Ref is an index into slots
	slots   Pool[guarded]
	served  int64
}

// guarded is a request inside the backend.
type guarded struct {
	number  int64 // of the fresh request, which is equal for all rows
	arrived int64
	entered int64
	carried int64
	failed  bool // it has found no place in the queue
	key     int32
	client  int32
	cost    int64
	caller  int32 // the worker whose call it is, or noWorker
	call    int32 // see EventExecutor.expect, or noCall
	try     int32
	tenant  int32
	stage   uint8
}

// NewGuard returns an empty backend. The service demand of a request is the draw of
// stream with its number, so that all rows of a scenario serve the same work.
func NewGuard(g *scenarios.Guard, meter *measure.GuardMeter, stream random.Stream) *Guard {
	guard := &Guard{
		concurrency: g.Concurrency, service: ServiceOf(g.ServiceTime, stream), slow: g.Slow, slowness: newSlowness(g.Load), meter: meter,
		deadline: g.Deadline, places: g.Queue,
	}
	if g.Sharing {
		guard.shared = &sharing{cores: g.Concurrency, slowness: guard.slowness, end: Never}
	}
	return guard
}

// OnCompletion makes the backend call f for each request that it completes. In a
// fleet of two limiters these are the requests that the registering one admitted.
func (g *Guard) OnCompletion(f func(now int64, key, client int32, cost int64)) {
	g.completed[g.stage] = f
}

// Answered is an answer of the backend to a request.
type Answered struct {
	Sent     int64 // to the backend, ns
	InFlight int64 // what Carry named when it was sent
	Client   int32
	Good     bool // within the deadline, if there is one, and not an error
}

// OnAnswer makes the backend call f for each answer, also for errors. See OnCompletion for
// fleets of two limiters.
func (g *Guard) OnAnswer(f func(now int64, a Answered)) { g.answered[g.stage] = f }

// Carry sets the number of requests in flight that the answer to the next request names.
func (g *Guard) Carry(inFlight int64) { g.carried = inFlight }

// enter adds an admitted request to the backend at now. r holds its number, its arrival,
// key, client, cost and caller. An error is answered at now, after what the caller does now.
func (g *Guard) enter(now int64, r guarded) {
	r.entered, r.stage, r.carried = now, g.stage, g.carried
	switch {
	case g.shared != nil:
		g.busy++
		g.served++
		g.shared.add(now, g.demand(now, r), g.served, g.slots.Add(r))
	case g.busy < g.concurrency:
		g.busy++
		g.start(now, r)
	case int64(g.waiting.Len()) < g.places:
		g.waiting.Push(r)
	default:
		r.failed = true
		g.served++
		g.running.Push(Event{Time: now, Seq: g.served, Ref: g.slots.Add(r)})
	}
	g.meter.Inflight(now, g.inflight())
}

func (g *Guard) inflight() int64 { return g.busy + int64(g.waiting.Len()) }

// demand returns the time in ns that a request which starts now takes by itself.
func (g *Guard) demand(now int64, r guarded) int64 {
	d := g.service.Of(r.number)
	for _, s := range g.slow {
		if now >= s.From && now < s.To {
			d *= s.Factor
		}
	}
	return d
}

// start gives a request to one of the busy servers.
func (g *Guard) start(now int64, r guarded) {
	g.served++
	g.running.Push(Event{Time: now + g.slowness.work(g.demand(now, r), g.busy), Seq: g.served, Ref: g.slots.Add(r)})
}

// next returns the time of the next completion, or Never.
func (g *Guard) next() int64 {
	switch {
	case g.shared != nil:
		return g.shared.end
	case len(g.running) == 0:
		return Never
	}
	return g.running[0].Time
}

// pop returns the next completion.
func (g *Guard) pop() Event {
	if g.shared != nil {
		return g.shared.pop()
	}
	return g.running.Pop()
}

// advance completes all requests that are due at or before now.
func (g *Guard) advance(now int64) {
	for g.next() <= now {
		g.complete()
	}
}

// finish completes what is due before end, and until the deadline after it, without
// telling anybody but the meter: nothing happens after the end but answers.
func (g *Guard) finish(end int64) {
	g.advance(end - 1)
	if g.deadline > 0 {
		g.drains = true
		g.advance(end - 1 + min(g.deadline, Never-end))
	}
}

// complete ends the next request and starts the one that waits behind it.
func (g *Guard) complete() {
	e := g.pop()
	r := *g.slots.At(e.Ref)
	g.slots.Release(e.Ref)
	if r.failed {
		g.meter.Failed(r.arrived)
	} else {
		if g.waiting.Len() > 0 {
			g.start(e.Time, g.waiting.Pop())
		} else {
			g.busy--
		}
		g.meter.Latency(e.Time, e.Time-r.entered)
		g.meter.Inflight(e.Time, g.inflight())
		if g.deadline > 0 {
			g.meter.Answer(r.arrived, e.Time)
		}
	}
	if g.drains {
		return
	}
	if f := g.answered[r.stage]; f != nil {
		late := g.deadline > 0 && e.Time-r.arrived > g.deadline
		f(e.Time, Answered{Sent: r.entered, InFlight: r.carried, Client: r.client, Good: !r.failed && !late})
	}
	switch {
	case r.caller != noWorker:
		g.workers.served(e.Time, r)
	case g.onServed != nil:
		g.onServed(e.Time, r)
	}
	if f := g.completed[r.stage]; f != nil {
		f(e.Time, r.key, r.client, r.cost)
	}
}
