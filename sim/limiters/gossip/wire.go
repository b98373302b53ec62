package gossip

import (
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/random"
)

// wire carries messages of one kind between numbered nodes: what is under way,
// how long it takes, what befalls it. It also keeps the instants at which nodes
// tick and at which faults begin and end, so that all of an enforcement's control
// instants are in one heap: the owner's kinds come after worldChanges, in the
// order in which they happen at one instant.
type wire[P any] struct {
	latency      random.Latency // of a call, there and back
	draws        random.Stream  // latencies
	outcomeDraws random.Stream  // what befalls messages
	faults       *faults.Timeline
	events       engine.EventHeap
	seq          int64
	deliveries   []delivery
	free         []int32
	messages     []*message[P]
	spare        []int32
}

// worldChanges is the kind of an instant at which faults begin or end.
const worldChanges uint32 = 0

// server is the number of a node that is no client: a partition of clients does
// not concern it.
const server = int32(-1)

// letter is what one node says to any number of others at once.
type message[P any] struct {
	payload P
	copies  int32 // under way
}

// parcel is one copy of a letter under way.
type delivery struct {
	message  int32
	from, to int32
	sent     int64
	back     int64 // ns that an answer takes
	again    bool  // a second copy of the same message
}

func newWire[P any](t *engine.Trial) (*wire[P], error) {
	latency, err := t.Latency()
	if err != nil {
		return nil, err
	}
	w := &wire[P]{latency: latency, draws: t.Stream("network"), outcomeDraws: t.Stream("messages"), faults: t.Faults}
	w.follow(t.Origin - 1)
	return w, nil
}

// follow makes the next instant after now at which faults change one of the
// wire's own.
func (w *wire[P]) follow(now int64) {
	if next := w.faults.Next(now); next != engine.Never {
		w.schedule(next, worldChanges, 0)
	}
}

func (w *wire[P]) schedule(at int64, kind uint32, ref int32) {
	w.seq++
	w.events.Push(engine.Event{Time: at, Seq: w.seq, Kind: kind, Ref: ref})
}

// Next is the next control instant, or engine.Never.
func (w *wire[P]) Next() int64 {
	if len(w.events) == 0 {
		return engine.Never
	}
	return w.events[0].Time
}

// due takes the next thing of a kind that happens at now.
func (w *wire[P]) due(now int64, kind uint32) (ref int32, ok bool) {
	if len(w.events) == 0 || w.events[0].Time != now || w.events[0].Kind != kind {
		return 0, false
	}
	return w.events.Pop().Ref, true
}

// blank is a letter for a node to fill in. It stays where it is until its last
// copy has been opened and read, or until it is discarded unsent.
func (w *wire[P]) blank() (number int32, payload *P) {
	number = engine.Take(&w.messages, &w.spare)
	if w.messages[number] == nil {
		w.messages[number] = new(message[P])
	}
	w.messages[number].copies = 0
	return number, &w.messages[number].payload
}

func (w *wire[P]) payload(number int32) *P { return &w.messages[number].payload }

// discard gives a letter back of which no copy is under way; it does nothing for
// one that has copies.
func (w *wire[P]) discard(number int32) {
	if w.messages[number].copies == 0 {
		w.spare = append(w.spare, number)
	}
}

// send sends a copy of a letter, to arrive as an event of that kind after half a
// call's latency. It draws a latency for each copy, lost ones too. It tells how
// long the call takes there and back, and whether the copy will arrive at all.
func (w *wire[P]) send(now int64, kind uint32, from, to, number int32) (call int64, arrives bool) {
	distribution := w.latency
	if other, changed := w.faults.Latency(now); changed {
		distribution = other
	}
	call = distribution.Draw(&w.draws)
	outcome := w.outcomeOf(now, from, to)
	if outcome.Lost {
		return call, false
	}
	p := delivery{message: number, from: from, to: to, sent: now, back: call - call/2}
	w.post(now+call/2+outcome.Delay, kind, p)
	if outcome.Twice {
		p.again = true
		w.post(now+call/2+outcome.Delay, kind, p)
	}
	return call, true
}

// befalls is what happens to a message that is sent now.
func (w *wire[P]) outcomeOf(now int64, from, to int32) faults.Outcome {
	outcome := w.faults.Report(now, &w.outcomeDraws)
	outcome.Lost = outcome.Lost || w.cut(now, from) || w.cut(now, to)
	return outcome
}

// cut reports whether a node can neither send nor be sent to.
func (w *wire[P]) cut(now int64, node int32) bool {
	return node != server && w.faults.Cut(now, node)
}

func (w *wire[P]) post(at int64, kind uint32, p delivery) {
	ref := engine.Take(&w.deliveries, &w.free)
	w.deliveries[ref] = p
	w.messages[p.message].copies++
	w.schedule(at, kind, ref)
}

// open takes a copy off the wire. The letter can be read until done.
func (w *wire[P]) open(ref int32) delivery {
	w.free = append(w.free, ref)
	return w.deliveries[ref]
}

// done says that a copy that was opened has been read.
func (w *wire[P]) done(p delivery) {
	w.messages[p.message].copies--
	w.discard(p.message)
}

// clock is what a client's clock shows.
func (w *wire[P]) clock(client int32, now int64) int64 {
	if w.faults == nil {
		return now
	}
	return max(w.faults.Clock(client, now), 0)
}

// drawsLatency reports whether the calls of a setting take random times.
func drawsLatency(s *engine.Setting) bool {
	latency, err := s.Latency()
	return err == nil && latency.Random()
}
