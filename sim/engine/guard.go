package engine

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// Guard simulates the backend that a limiter protects: a first-in, first-out
// queue in front of a number of servers. It does not affect the limiter unless
// that registers with OnCompletion.
type Guard struct {
	concurrency int64
	service     ServiceTime
	slow        []scenarios.SlowPeriod
	meter       *measure.GuardMeter
	completed   [stages]func(now int64, key, client int32, cost int64)
	stage       uint8    // of the limiter that admits requests now
	workers     *Workers // those that wait for answers; nil without any

	busy    int64
	waiting FIFO[guarded]
	running EventHeap // completions; Ref is an index into slots
	slots   Pool[guarded]
	served  int64
}

// guarded is a request inside the backend.
type guarded struct {
	number  int64 // of the fresh request, which is equal for all rows
	entered int64
	key     int32
	client  int32
	cost    int64
	caller  int32 // the worker whose call it is, or noWorker
	stage   uint8
}

// NewGuard returns an empty backend. The service demand of a request is the draw of
// stream with its number, so that all rows of a scenario serve the same work.
func NewGuard(g *scenarios.Guard, meter *measure.GuardMeter, stream random.Stream) *Guard {
	return &Guard{concurrency: g.Concurrency, service: ServiceOf(g.ServiceTime, stream), slow: g.Slow, meter: meter}
}

// OnCompletion makes the backend call f for each request that it completes. In a
// fleet of two limiters these are the requests that the registering one admitted.
func (g *Guard) OnCompletion(f func(now int64, key, client int32, cost int64)) {
	g.completed[g.stage] = f
}

// enter adds an admitted request to the backend at now. number is that of the fresh
// request.
func (g *Guard) enter(now, number int64, key, client int32, cost int64, caller int32) {
	r := guarded{number: number, entered: now, key: key, client: client, cost: cost, caller: caller, stage: g.stage}
	if g.busy < g.concurrency {
		g.busy++
		g.start(now, r)
	} else {
		g.waiting.Push(r)
	}
	g.meter.Inflight(now, g.inflight())
}

func (g *Guard) inflight() int64 { return g.busy + int64(g.waiting.Len()) }

func (g *Guard) start(now int64, r guarded) {
	d := g.service.Of(r.number)
	for _, s := range g.slow {
		if now >= s.From && now < s.To {
			d *= s.Factor
		}
	}
	g.served++
	g.running.Push(Event{Time: now + d, Seq: g.served, Ref: g.slots.Add(r)})
}

// next returns the time of the next completion, or Never.
func (g *Guard) next() int64 {
	if len(g.running) == 0 {
		return Never
	}
	return g.running[0].Time
}

// advance completes all requests that are due at or before now.
func (g *Guard) advance(now int64) {
	for g.next() <= now {
		g.complete()
	}
}

// complete ends the next request and starts the one that waits behind it.
func (g *Guard) complete() {
	e := g.running.Pop()
	r := *g.slots.At(e.Ref)
	g.slots.Release(e.Ref)
	if g.waiting.Len() > 0 {
		g.start(e.Time, g.waiting.Pop())
	} else {
		g.busy--
	}
	g.meter.Latency(e.Time, e.Time-r.entered)
	g.meter.Inflight(e.Time, g.inflight())
	if r.caller != noWorker {
		g.workers.admitted(e.Time, r.caller, true)
	}
	if f := g.completed[r.stage]; f != nil {
		f(e.Time, r.key, r.client, r.cost)
	}
}
