package sim

import (
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/random"
)

// guard is the backend that a limiter protects: a queue, first in, first out,
// before a number of servers. It only watches unless completed is set, by a
// limiter that waits for completions.
type guard struct {
	concurrency int64
	service     serviceTime
	slow        []scenarios.SlowPeriod
	meter       *measure.GuardMeter
	completed   func(now int64, key int32, cost int64)

	busy    int64
	waiting fifo[guarded]
	running eventHeap // completions; ref indexes slots
	slots   []guarded
	free    []int32
	served  int64
}

// guarded is a request inside the backend.
type guarded struct {
	entered int64
	key     int32
	cost    int64
}

// serviceTime is a constant or an exponential with a mean.
type serviceTime struct {
	constant int64
	mean     int64 // 0: constant
	stream   random.Stream
	scale    random.Scale
}

func (s *serviceTime) draw() int64 {
	if s.mean == 0 {
		return s.constant
	}
	ns, _ := s.scale.Gap(s.stream.Exponential())
	return ns
}

func newGuard(g *scenarios.Guard, meter *measure.GuardMeter, stream random.Stream) *guard {
	service := serviceTime{stream: stream}
	switch v := g.ServiceTime.Values; g.ServiceTime.Name {
	case "constant":
		service.constant = v.Duration("time")
	case "exponential":
		service.mean = v.Duration("mean")
		service.scale = random.NewScale(service.mean, 1)
	}
	return &guard{concurrency: g.Concurrency, service: service, slow: g.Slow, meter: meter}
}

// enter admits a request to the backend at now.
func (g *guard) enter(now int64, key int32, cost int64) {
	r := guarded{entered: now, key: key, cost: cost}
	if g.busy < g.concurrency {
		g.busy++
		g.start(now, r)
	} else {
		g.waiting.push(r)
	}
	g.meter.Inflight(now, g.inflight())
}

func (g *guard) inflight() int64 { return g.busy + int64(g.waiting.len()) }

func (g *guard) start(now int64, r guarded) {
	var slot int32
	if n := len(g.free); n > 0 {
		slot, g.free = g.free[n-1], g.free[:n-1]
		g.slots[slot] = r
	} else {
		slot = int32(len(g.slots))
		g.slots = append(g.slots, r)
	}
	d := g.service.draw()
	for _, s := range g.slow {
		if now >= s.From && now < s.To {
			d *= s.Factor
		}
	}
	g.served++
	g.running.push(event{time: now + d, seq: g.served, ref: slot})
}

// next is the instant of the next completion, or never.
func (g *guard) next() int64 {
	if len(g.running) == 0 {
		return never
	}
	return g.running[0].time
}

// advance completes everything due at or before now.
func (g *guard) advance(now int64) {
	for g.next() <= now {
		g.complete()
	}
}

// complete ends the next request, and starts the one behind it.
func (g *guard) complete() {
	e := g.running.pop()
	r := g.slots[e.ref]
	g.free = append(g.free, e.ref)
	if g.waiting.len() > 0 {
		g.start(e.time, g.waiting.pop())
	} else {
		g.busy--
	}
	g.meter.Latency(e.time, e.time-r.entered)
	g.meter.Inflight(e.time, g.inflight())
	if g.completed != nil {
		g.completed(e.time, r.key, r.cost)
	}
}
