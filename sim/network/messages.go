// Package network simulates what limiters send over a network: latency, loss,
// duplication, reordering and partitions of messages, and the faults that change
// the nodes at either end.
package network

import (
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/random"
)

// wire carries messages of one kind between numbered nodes: what is under way,
// how long it takes, what befalls it. It also keeps the instants at which nodes
// tick and at which faults begin and end, so that all of an enforcement's control
// instants are in one heap: the owner's kinds come after FaultsChange, in the
// order in which they happen at one instant.
type Messages[P any] struct {
	latency      random.Latency // of a call, there and back
	draws        random.Stream  // latencies
	outcomeDraws random.Stream  // what befalls messages
	Faults       *faults.Timeline
	events       engine.EventHeap
	seq          int64
	deliveries   []Delivery
	free         []int32
	messages     []*message[P]
	spare        []int32
}

// FaultsChange is the kind of an instant at which faults begin or end.
const FaultsChange uint32 = 0

// server is the number of a node that is no client: a partition of clients does
// not concern it.
const Server = int32(-1)

// letter is what one node says to any number of others at once.
type message[P any] struct {
	payload P
	copies  int32 // under way
}

// parcel is one copy of a letter under way.
type Delivery struct {
	Message   int32
	From, To  int32
	Sent      int64
	Back      int64 // ns that an answer takes
	Duplicate bool  // a second copy of the same message
}

func NewMessages[P any](t *engine.Trial) (*Messages[P], error) {
	latency, err := t.Latency()
	if err != nil {
		return nil, err
	}
	w := &Messages[P]{latency: latency, draws: t.Stream("network"), outcomeDraws: t.Stream("messages"), Faults: t.Faults}
	w.Follow(t.Origin - 1)
	return w, nil
}

// Follow makes the next instant after now at which faults change one of the
// wire's own.
func (w *Messages[P]) Follow(now int64) {
	if next := w.Faults.Next(now); next != engine.Never {
		w.Schedule(next, FaultsChange, 0)
	}
}

func (w *Messages[P]) Schedule(at int64, kind uint32, ref int32) {
	w.seq++
	w.events.Push(engine.Event{Time: at, Seq: w.seq, Kind: kind, Ref: ref})
}

// Next is the next control instant, or engine.Never.
func (w *Messages[P]) Next() int64 {
	if len(w.events) == 0 {
		return engine.Never
	}
	return w.events[0].Time
}

// Due takes the next thing of a kind that happens at now.
func (w *Messages[P]) Due(now int64, kind uint32) (ref int32, ok bool) {
	if len(w.events) == 0 || w.events[0].Time != now || w.events[0].Kind != kind {
		return 0, false
	}
	return w.events.Pop().Ref, true
}

// Blank is a letter for a node to fill in. It stays where it is until its last
// copy has been opened and read, or until it is discarded unsent.
func (w *Messages[P]) Blank() (number int32, payload *P) {
	number = engine.Take(&w.messages, &w.spare)
	if w.messages[number] == nil {
		w.messages[number] = new(message[P])
	}
	w.messages[number].copies = 0
	return number, &w.messages[number].payload
}

func (w *Messages[P]) Payload(number int32) *P { return &w.messages[number].payload }

// Discard gives a letter back of which no copy is under way; it does nothing for
// one that has copies.
func (w *Messages[P]) Discard(number int32) {
	if w.messages[number].copies == 0 {
		w.spare = append(w.spare, number)
	}
}

// Send sends a copy of a letter, to arrive as an event of that kind after half a
// call's latency. It draws a latency for each copy, lost ones too. It tells how
// long the call takes there and back, and whether the copy will arrive at all.
func (w *Messages[P]) Send(now int64, kind uint32, from, to, number int32) (call int64, arrives bool) {
	distribution := w.latency
	if other, changed := w.Faults.Latency(now); changed {
		distribution = other
	}
	call = distribution.Draw(&w.draws)
	outcome := w.OutcomeOf(now, from, to)
	if outcome.Lost {
		return call, false
	}
	p := Delivery{Message: number, From: from, To: to, Sent: now, Back: call - call/2}
	w.Post(now+call/2+outcome.Delay, kind, p)
	if outcome.Twice {
		p.Duplicate = true
		w.Post(now+call/2+outcome.Delay, kind, p)
	}
	return call, true
}

// befalls is what happens to a message that is sent now.
func (w *Messages[P]) OutcomeOf(now int64, from, to int32) faults.Outcome {
	outcome := w.Faults.Report(now, &w.outcomeDraws)
	outcome.Lost = outcome.Lost || w.Cut(now, from) || w.Cut(now, to)
	return outcome
}

// Cut reports whether a node can neither send nor be sent to.
func (w *Messages[P]) Cut(now int64, node int32) bool {
	return node != Server && w.Faults.Cut(now, node)
}

func (w *Messages[P]) Post(at int64, kind uint32, p Delivery) {
	ref := engine.Take(&w.deliveries, &w.free)
	w.deliveries[ref] = p
	w.messages[p.Message].copies++
	w.Schedule(at, kind, ref)
}

// Open takes a copy off the wire. The letter can be read until done.
func (w *Messages[P]) Open(ref int32) Delivery {
	w.free = append(w.free, ref)
	return w.deliveries[ref]
}

// Done says that a copy that was opened has been read.
func (w *Messages[P]) Done(p Delivery) {
	w.messages[p.Message].copies--
	w.Discard(p.Message)
}

// Clock is what a client's clock shows.
func (w *Messages[P]) Clock(client int32, now int64) int64 {
	if w.Faults == nil {
		return now
	}
	return max(w.Faults.Clock(client, now), 0)
}

// DrawsLatency reports whether the calls of a setting take random times.
func DrawsLatency(s *engine.Setting) bool {
	latency, err := s.Latency()
	return err == nil && latency.Random()
}
