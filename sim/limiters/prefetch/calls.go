package prefetch

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/prefetch"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/network"
)

// noSlot refers to no attempt.
const noSlot = int32(-1)

// fetch is a request for tokens and its response, or the return of a lease.
type fetch struct {
	key     int32
	slot    int32 // of the attempt that is decided by this call alone, or noSlot
	tokens  int64 // that it asks for
	answer  prefetch.Answer
	verdict counting.Verdict
	lease   prefetch.Lease // that ends or returns
}

func (f fetch) clone() fetch { return f }

// Event kinds besides those of calls, which they precede at the same timestamp.
const (
	leaseEnds uint32 = iota
	leaseReturns
)

// send sends a request to the owner of its key.
func (p *prefetched) send(now int64, client int32, f fetch) {
	p.calls.Follow(now)
	call := network.Call[fetch]{Client: client, Server: p.calls.Asked(now, client, f.key), Body: f}
	p.calls.Send(now, p.calls.Add(call), fetch.clone)
}

func (p *prefetched) fire(e engine.Event) {
	p.calls.Follow(e.Time)
	switch e.Kind {
	case leaseEnds:
		p.giveBack(e.Time, e.Ref)
	case leaseReturns:
		c := p.calls.At(e.Ref)
		if p.calls.Answers(e.Time, c.Body.key, c.Server) {
			p.load.Call(e.Time, int(c.Server), 1)
			p.at(c.Server).Return(e.Time, c.Body.key, c.Body.lease)
		}
		p.calls.Release(e.Ref)
	case network.RequestArrives:
		p.serve(e.Time, e.Ref)
	case network.ResponseArrives:
		p.apply(e.Time, e.Ref)
	case network.CallFails:
		p.fail(e.Ref)
	}
}

// serve decides about a request at its server.
func (p *prefetched) serve(now int64, ref int32) {
	c := p.calls.At(ref)
	if !p.calls.Answers(now, c.Body.key, c.Server) {
		p.calls.Fail(ref)
		return
	}
	p.load.Call(now, int(c.Server), 1)
	if f := &c.Body; f.slot != noSlot {
		f.verdict = p.at(c.Server).Decide(now, f.key, f.tokens)
	} else {
		f.answer = p.at(c.Server).Grant(now, f.key, f.tokens)
	}
	p.calls.Respond(now, ref)
}

// apply gives a response to its client, and the tokens to the requests that wait.
func (p *prefetched) apply(now int64, ref int32) {
	c := *p.calls.At(ref)
	p.calls.Release(ref)
	f := &c.Body
	if f.slot != noSlot {
		p.executor.Settle(f.slot, f.verdict)
		return
	}
	p.load.ReportLatency(now, now-c.Sent)
	client := &p.clients[c.Client]
	lease := client.Apply(now, &f.answer)
	if p.config.Returned && lease.Tokens > 0 && lease.Until < engine.Never {
		p.calls.Schedule(lease.Until, leaseEnds, p.calls.Add(network.Call[fetch]{Client: c.Client, Body: fetch{key: f.key}}))
	}
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
	if c.Body.slot != noSlot {
		p.executor.TimedOut(c.Body.slot)
		p.executor.Settle(c.Body.slot, verdict)
		return
	}
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

// giveBack returns the unused tokens of ended leases to the server. Tokens are lost
// with the message that returns them.
func (p *prefetched) giveBack(now int64, ref int32) {
	client, key := p.calls.At(ref).Client, p.calls.At(ref).Body.key
	p.calls.Release(ref)
	p.unused = p.clients[client].Unused(now, key, p.unused[:0])
	for _, l := range p.unused {
		if outcome := p.calls.ResponseOutcome(now, client, network.Server); !outcome.Lost {
			there, _ := p.calls.RoundTrip(now)
			call := network.Call[fetch]{Client: client, Server: p.calls.Asked(now, client, key), Body: fetch{key: key, lease: l}}
			p.calls.Schedule(now+there+outcome.Delay, leaseReturns, p.calls.Add(call))
		}
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
