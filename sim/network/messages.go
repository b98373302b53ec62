package network

import (
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// Messages sends messages of one type between numbered nodes, and follows the
// faults that change the nodes. A node sends one message to any number of
// others. Each copy arrives as an event, of which the receiver reads the
// delivery.
type Messages[P any] struct {
	Link
	Agenda
	Changes
	messages   engine.Pool[*message[P]]
	deliveries engine.Pool[Delivery]
}

type message[P any] struct {
	payload P
	copies  int32 // in flight, or being read
}

// Delivery is one copy of a message.
type Delivery struct {
	Message   int32 // number
	From, To  int32
	Sent      int64
	Back      int64 // ns that a response takes
	Duplicate bool
}

// NewMessages returns an empty network between clients and a number of servers,
// for a limiter that runs events by fire and changes of the nodes by apply.
func NewMessages[P any](t *engine.Trial, servers int, fire func(engine.Event), apply func(Change)) *Messages[P] {
	m := &Messages[P]{Link: NewLink(t, faults.Peers, "messages"), Changes: NewChanges(t, servers)}
	m.Fire, m.Apply = fire, apply
	return m
}

// Next returns when the next event is due or faults next change.
func (m *Messages[P]) Next() int64 { return min(m.Agenda.Next(), m.NextChange) }

// Step runs the changes up to now and the events that are due at now.
func (m *Messages[P]) Step(now int64) {
	m.Follow(now)
	m.Agenda.Step(now)
}

// Up reports whether a node that may stop and crash as a server can send and receive.
func (m *Messages[P]) Up(now int64, id int32) bool {
	return id < m.Active && !m.Faults.ServerFails(now, id)
}

// New returns an empty message for a node to fill in. The message stays in its
// place until its last copy has been read or it is discarded unsent.
func (m *Messages[P]) New() (number int32, payload *P) {
	number = m.messages.Take()
	p := m.messages.At(number)
	if *p == nil {
		*p = new(message[P])
	}
	(*p).copies = 0
	return number, &(*p).payload
}

// Payload returns the content of a message.
func (m *Messages[P]) Payload(number int32) *P { return &(*m.messages.At(number)).payload }

// Discard releases a message that has no copy in flight. Otherwise it does
// nothing.
func (m *Messages[P]) Discard(number int32) {
	if (*m.messages.At(number)).copies == 0 {
		m.messages.Release(number)
	}
}

// Send sends a copy of a message, which arrives as an event of that kind after
// half a round trip. Each copy draws a latency, even if it is lost. Send returns
// the round trip in ns and whether the copy will arrive.
func (m *Messages[P]) Send(now int64, kind uint32, from, to, number int32) (roundTrip int64, arrives bool) {
	there, back := m.RoundTrip(now)
	outcome := m.Outcome(now, from, to)
	if outcome.Lost {
		return there + back, false
	}
	d := Delivery{Message: number, From: from, To: to, Sent: now, Back: back}
	m.Deliver(now+there+outcome.Delay, kind, d)
	if outcome.Twice {
		d.Duplicate = true
		m.Deliver(now+there+outcome.Delay, kind, d)
	}
	return there + back, true
}

// Deliver schedules the arrival of a copy.
func (m *Messages[P]) Deliver(at int64, kind uint32, d Delivery) {
	(*m.messages.At(d.Message)).copies++
	m.Schedule(at, kind, m.deliveries.Add(d))
}

// Receive returns the delivery of an event. Its message can be read until Done.
func (m *Messages[P]) Receive(ref int32) Delivery {
	m.deliveries.Release(ref)
	return *m.deliveries.At(ref)
}

// Done ends the reading of a copy.
func (m *Messages[P]) Done(d Delivery) {
	(*m.messages.At(d.Message)).copies--
	m.Discard(d.Message)
}
