package prefetch

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/prefetch"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/network"
)

// fetch is a request for tokens and its response.
type fetch struct {
	key    int32
	tokens int64 // that it asks for
	answer prefetch.Answer
}

func (f fetch) clone() fetch { return f }

// send sends a request to the owner of its key.
func (p *prefetched) send(now int64, client int32, f fetch) {
	p.calls.Follow(now)
	call := network.Call[fetch]{Client: client, Server: p.calls.Asked(now, client, f.key), Body: f}
	p.calls.Send(now, p.calls.Add(call), fetch.clone)
}

func (p *prefetched) fire(e engine.Event) {
	p.calls.Follow(e.Time)
	switch e.Kind {
	case network.RequestArrives:
		p.serve(e.Time, e.Ref)
	case network.ResponseArrives:
		p.apply(e.Time, e.Ref)
	case network.CallFails:
		p.fail(e.Ref)
	}
}

// serve grants tokens at the key's server.
func (p *prefetched) serve(now int64, ref int32) {
	c := p.calls.At(ref)
	if !p.calls.Answers(now, c.Body.key, c.Server) {
		p.calls.Fail(ref)
		return
	}
	p.load.Call(now, int(c.Server), 1)
	c.Body.answer = p.at(c.Server).Grant(now, c.Body.key, c.Body.tokens)
	p.calls.Respond(now, ref)
}

// apply gives a response to its client, and the tokens to the requests that wait.
func (p *prefetched) apply(now int64, ref int32) {
	c := *p.calls.At(ref)
	p.calls.Release(ref)
	f := &c.Body
	p.load.ReportLatency(now, now-c.Sent)
	client := &p.clients[c.Client]
	client.Apply(now, &f.answer)
	if p.executor == nil {
		return
	}
	room := client.waiting.At(f.key)
	for room.slots.Len() > 0 {
		slot := *room.slots.Front()
		if !client.Spend(now, f.key, p.executor.Attempt(slot).Cost) {
			break
		}
		p.executor.Settle(p.leave(room), counting.MakeVerdict(true, counting.ByLocal))
	}
	if room.slots.Len() == 0 {
		return
	}
	if f.answer.Granted < f.answer.Asked {
		p.dismiss(room, counting.MakeVerdict(false, counting.ByLimiter))
		return
	}
	p.fetch(now, c.Client, f.key, room.cost)
}

// fail ends the wait for a response that does not arrive in time.
func (p *prefetched) fail(ref int32) {
	c := *p.calls.At(ref)
	p.calls.Release(ref)
	verdict := counting.Unanswered(p.config.FailOpen)
	client := &p.clients[c.Client]
	client.Failed(c.Body.key)
	if p.executor == nil {
		return
	}
	room := client.waiting.At(c.Body.key)
	for i := room.slots.Len(); i > 0; i-- {
		slot := p.leave(room)
		p.executor.TimedOut(slot)
		p.executor.Settle(slot, verdict)
	}
}

// leave removes the first request that waits.
func (p *prefetched) leave(room *waitingRoom) int32 {
	slot := room.slots.Pop()
	room.cost -= p.executor.Attempt(slot).Cost
	return slot
}

// dismiss ends the wait of all requests with one verdict.
func (p *prefetched) dismiss(room *waitingRoom, v counting.Verdict) {
	for room.slots.Len() > 0 {
		p.executor.Settle(p.leave(room), v)
	}
}
