package network

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// Hop draws the latencies of one network hop.
type Hop struct {
	Faults  *faults.Timeline // of the latency; may be nil
	To      faults.Responder // who answers over this hop
	latency random.Latency   // of a round trip
	stream  random.Stream
}

// NewHop returns a hop with a distribution of round-trip latencies and with who
// answers over it. Its random numbers come from the trial's stream of that name.
func NewHop(t *engine.Trial, to faults.Responder, latency random.Latency, stream string) Hop {
	return Hop{Faults: t.Faults, To: to, latency: latency, stream: t.Stream(stream)}
}

// Latency draws the latency of a round trip that starts at now, in ns.
func (h *Hop) Latency(now int64) int64 {
	if h.Faults != nil {
		latency := h.Faults.Latency(now, h.latency)
		return h.Faults.RoundTrip(now, h.To, latency.Draw(&h.stream))
	}
	return h.latency.Draw(&h.stream)
}

// RoundTrip draws the latencies of a request sent at now and of its response,
// in ns. Each takes half of the round trip.
func (h *Hop) RoundTrip(now int64) (there, back int64) {
	ns := h.Latency(now)
	return ns / 2, ns - ns/2
}

// Link is a hop whose messages can be lost, duplicated and delayed by faults.
type Link struct {
	Hop
	Outcomes random.Stream
}

// NewLink returns the link of the scenario's network to who answers. The outcomes of
// messages come from the trial's stream of that name.
func NewLink(t *engine.Trial, to faults.Responder, outcomes string) Link {
	return Link{Hop: NewHop(t, to, t.Latency(), "network"), Outcomes: t.Stream(outcomes)}
}

// Outcome draws what happens to a background message sent at now. A message
// from or to a client without connectivity is lost.
func (l *Link) Outcome(now int64, from, to int32) faults.Outcome {
	return l.outcome(now, from, to, true)
}

// ResponseOutcome is Outcome for a message that is never duplicated.
func (l *Link) ResponseOutcome(now int64, from, to int32) faults.Outcome {
	return l.outcome(now, from, to, false)
}

func (l *Link) outcome(now int64, from, to int32, duplicates bool) faults.Outcome {
	outcome := l.Faults.Message(now, &l.Outcomes, duplicates)
	outcome.Lost = outcome.Lost || l.Cut(now, from) || l.Cut(now, to)
	return outcome
}

// Cut reports whether a node has no connectivity at now.
func (l *Link) Cut(now int64, node int32) bool { return node != Server && l.Faults.Cut(now, node) }

// Clock returns the time that a client's clock shows, 0 at least.
func (l *Link) Clock(client int32, now int64) int64 {
	if l.Faults == nil {
		return now
	}
	return max(l.Faults.Clock(client, now), 0)
}
