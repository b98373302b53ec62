package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// SidecarField declares the option of limiters with Sidecar set.
func SidecarField() catalog.Field {
	f := catalog.Sidecar()
	f.Doc += ": the request reaches the sidecar, which runs the limiter, after half of it, and the gateway has the decision after the other half"
	return f
}

// SidecarLatency returns the latency of the hop between a gateway and its sidecar.
// It reports false if the gateway decides by itself.
func SidecarLatency(a *scenarios.Algorithm) (latency random.Latency, has bool, err error) {
	c := a.Options.Choice("sidecar")
	if c.Name == "" || c.Name == "none" {
		return latency, false, nil
	}
	latency, err = LatencyOf(c)
	return latency, true, err
}

// sidecar is a limiter that runs beside the gateway. A request takes half of a hop
// to the limiter, and the decision takes the other half back. The limiter sees the
// requests in the order in which they reach it. The hop has no timeout, and faults
// do not affect it.
type sidecar struct {
	Handler
	executor *EventExecutor
	latency  random.Latency // of the hop, there and back
	stream   random.Stream
	trips    []trip // by slot
}

// trip is a request's way to the sidecar and back.
type trip struct {
	reached int64 // when the request reaches the sidecar
	back    int64 // ns
	verdict counting.Verdict
}

// Kinds of a sidecar's events. They run after the limiter's own, as arrivals do.
const (
	decisionIsBack uint32 = 1<<31 + iota
	reachesSidecar
)

// ThroughSidecar returns an executor of the same limiter that gateways ask through a
// sidecar with this latency. limiter is an executor of the trial that has not run: a
// BlockExecutor or an EventExecutor.
func ThroughSidecar(t *Trial, limiter Executor, latency random.Latency) Executor {
	l, waits := limiter.(*EventExecutor)
	if !waits {
		l = NewEventExecutor(t.Sinks, t.Start)
		l.Run(newOneByOne(l, limiter.(*BlockExecutor).decider))
	}
	l.sidecar = &sidecar{Handler: l.limiter, executor: l, latency: latency, stream: t.Stream("sidecar")}
	l.limiter = l.sidecar
	return l
}

func (s *sidecar) Arrive(now int64, slot int32) {
	ns := s.latency.Draw(&s.stream)
	for int(slot) >= len(s.trips) {
		s.trips = append(s.trips, trip{})
	}
	s.trips[slot].reached, s.trips[slot].back = now+ns/2, ns-ns/2
	s.executor.Attempt(slot).state = onTheWay
	s.executor.Schedule(now+ns/2, reachesSidecar, slot)
}

func (s *sidecar) Fire(e Event) {
	switch e.Kind {
	case reachesSidecar:
		s.executor.ask(s.Handler, e.Time, e.Ref)
	case decisionIsBack:
		s.executor.settle(e.Ref, s.trips[e.Ref].verdict)
	default:
		s.Handler.Fire(e)
	}
}

// Reached returns when the attempt in slot has reached the limiter: at its arrival,
// or half of a hop later through a sidecar.
func (l *EventExecutor) Reached(slot int32) int64 {
	if l.sidecar != nil {
		return l.sidecar.trips[slot].reached
	}
	return l.Attempt(slot).Arrival
}

// decided sends the limiter's decision about the attempt in slot to the gateway.
func (s *sidecar) decided(slot int32, v counting.Verdict) {
	l := s.executor
	a := l.Attempt(slot)
	l.leave(a)
	a.state = onTheWay
	s.trips[slot].verdict = v
	l.Schedule(l.now+s.trips[slot].back, decisionIsBack, slot)
}
