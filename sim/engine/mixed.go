package engine

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
)

// stages is the number of limiters of a mixed fleet: the old and the new one.
const stages = 2

// Conversion holds when each client of a mixed fleet is converted from the old
// limiter to the new one, in ns; Never for clients that are not.
type Conversion []int64

// NewConversion returns the conversion of a scenario's clients by a rollout.
// Client i of n is converted when i+1 of n parts of the time have passed.
func NewConversion(s *Setting, r *scenarios.Rollout) Conversion {
	at := make(Conversion, s.Clients())
	n := int64(r.Clients)
	for i := range at {
		at[i] = Never
		if done := int64(i) + 1; done <= n {
			at[i] = s.Origin + r.From + (r.Until-r.From)/n*done + (r.Until-r.From)%n*done/n
		}
	}
	return at
}

// Stage returns 1 if a client is converted at now, otherwise 0.
func (c Conversion) Stage(client int32, now int64) int {
	if now < c[client] {
		return 0
	}
	return 1
}

// Run returns the stage of the first of some arrivals, and how many of them from
// that on have the same stage.
func (c Conversion) Run(times []int64, clients []int32) (stage, n int) {
	stage = c.Stage(clients[0], times[0])
	for n = 1; n < len(clients) && c.Stage(clients[n], times[n]) == stage; n++ {
	}
	return stage, n
}

// Part is one limiter of a mixed fleet.
type Part struct {
	Algorithm *scenarios.Algorithm
	Executor  func(t *Trial) (Executor, error)
	Servers   int
}

// NewMixedExecutor returns an executor for a fleet of two limiters that share
// nothing but the backend and the callers. Each of them is built for all clients
// and receives the requests of those that it decides on.
//
// If both are Deciders, so is the fleet. Otherwise an EventExecutor runs both: it
// calls a Decider for one attempt at a time.
func NewMixedExecutor(t *Trial, at Conversion, parts [stages]Part) (Executor, error) {
	h := &host{sinks: t.Sinks}
	var deciders [stages]Decider
	var handlers [stages]Handler
	first := t.FirstServer
	for i, part := range parts {
		setting, own := *t.Setting, *t.Part(i, part.Algorithm)
		setting.Faults = t.Faults.Part()
		own.Setting, own.FirstServer, own.host = &setting, first, h
		first += part.Servers
		h.enter(i)
		built, err := part.Executor(&own)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.Algorithm.Name, err)
		}
		switch e := built.(type) {
		case *BlockExecutor:
			deciders[i] = e.decider
		case *EventExecutor:
			handlers[i], h.sidecars[i] = e.limiter, e.sidecar
		default:
			panic(fmt.Sprintf("engine: a mixed fleet cannot run %T", e))
		}
	}
	if h.events == nil {
		return NewBlockExecutor(t.Sinks, &mixedDecider{at: at, deciders: deciders}), nil
	}
	m := &mixedHandler{host: h, at: at, handlers: handlers}
	for i, d := range deciders {
		if d != nil {
			h.enter(i)
			m.handlers[i] = newOneByOne(h.events, d)
		}
	}
	if g := t.Guard; g != nil {
		for i, f := range g.completed {
			if f != nil {
				g.completed[i] = func(now int64, key, client int32, cost int64) {
					h.enter(i)
					f(now, key, client, cost)
				}
			}
			if f := g.answered[i]; f != nil {
				g.answered[i] = func(now int64, a Answered) {
					h.enter(i)
					f(now, a)
				}
			}
		}
	}
	h.events.Run(m)
	return h.events, nil
}

// host holds what the limiters of a mixed fleet share while they are built and
// while they run.
type host struct {
	sinks  Sinks
	events *EventExecutor // nil while both limiters are Deciders
	stage  int            // of the limiter that runs

	sidecars [stages]*sidecar // nil where gateways decide by themselves
}

// executor returns the one EventExecutor of the fleet.
func (h *host) executor(start int64) *EventExecutor {
	if h.events == nil {
		h.events = NewEventExecutor(h.sinks, start)
		h.enter(h.stage)
	}
	return h.events
}

// stageBit is the place of the stage in the kind of an event, below that of a
// sidecar's events. Events of the old limiter come first if they share a timestamp.
const stageBit = 30

// enter notes which limiter runs from now on.
func (h *host) enter(stage int) {
	h.stage = stage
	if h.events != nil {
		h.events.stage = uint32(stage) << stageBit
		h.events.sidecar = h.sidecars[stage]
	}
	if h.sinks.Guard != nil {
		h.sinks.Guard.stage = uint8(stage)
	}
}

// mixedDecider decides with one of two Deciders.
type mixedDecider struct {
	at       Conversion
	deciders [stages]Decider
}

func (m *mixedDecider) Decide(a *Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	stage, n := m.at.Run(a.Time[lo:hi], a.Client[lo:hi])
	return m.deciders[stage].Decide(a, lo, lo+n, verdicts[:n])
}

func (m *mixedDecider) Next() int64 { return min(m.deciders[0].Next(), m.deciders[1].Next()) }

func (m *mixedDecider) Step(now int64) {
	for _, d := range m.deciders {
		if d.Next() <= now {
			d.Step(now)
		}
	}
}

func (m *mixedDecider) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	return m.deciders[m.at.Stage(client, now)].Inspect(key, client, now, cost)
}

// mixedHandler passes each attempt to one of two Handlers, and each event to the
// Handler that scheduled it.
type mixedHandler struct {
	*host
	at       Conversion
	handlers [stages]Handler
}

func (m *mixedHandler) Arrive(now int64, slot int32) {
	stage := m.at.Stage(m.events.Attempt(slot).Client, now)
	m.enter(stage)
	m.handlers[stage].Arrive(now, slot)
}

func (m *mixedHandler) Fire(e Event) {
	m.enter(int(e.Kind >> stageBit & 1))
	e.Kind &^= 1 << stageBit
	m.handlers[m.stage].Fire(e)
}

// Inspect asks the limiter that has just decided.
func (m *mixedHandler) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	return m.handlers[m.stage].Inspect(key, client, now, cost)
}
