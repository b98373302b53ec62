package prefetch

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/prefetch"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// noSlot refers to no attempt.
const noSlot = int32(-1)

// fetchCall is one message to a server and its answer: a fetch, a request that
// is asked about by itself, or tokens on their way back.
type fetchCall struct {
	client, key, server int32
	slot                int32 // of the request that asks by itself, or noSlot
	sent                int64
	back                int64 // ns of the answer's way
	tokens              int64 // asked for
	answer              prefetch.Answer
	verdict             counter.Verdict
	lease               prefetch.Lease // that ends, or goes back
	twin                bool           // a copy of a message that came twice
}

// send puts a message to a key's server on its way.
func (p *prefetched) send(now int64, c fetchCall) {
	p.wire.Follow(now)
	c.sent, c.server = now, p.wire.Asked(now, c.key)
	there, back := p.wire.Trip(now)
	c.back = back
	outcome := p.wire.Outcome(now, c.client)
	switch ref := p.keep(c); {
	case outcome.Lost:
		p.fail(ref)
	default:
		p.clock.Schedule(now+there+outcome.Delay, fetchAtServer, ref)
		if outcome.Twice {
			c.twin = true
			p.clock.Schedule(now+there+outcome.Delay, fetchAtServer, p.keep(c))
		}
	}
}

// keep finds room for a call.
func (p *prefetched) keep(c fetchCall) int32 {
	ref := engine.Take(&p.calls, &p.free)
	p.calls[ref] = c
	return ref
}

// fail lets a call time out that no answer will come to.
func (p *prefetched) fail(ref int32) {
	if p.calls[ref].twin {
		p.free = append(p.free, ref)
		return
	}
	p.clock.Schedule(p.calls[ref].sent+p.config.Timeout, fetchHasFailed, ref)
}

func (p *prefetched) fire(e engine.Event) {
	p.wire.Follow(e.Time)
	c := &p.calls[e.Ref]
	switch e.Kind {
	case leaseIsOver:
		p.giveBack(e.Time, e.Ref)
	case tokensAreBack:
		if p.wire.Answers(e.Time, c.key, c.server) {
			p.load.Call(e.Time, int(c.server), 1)
			p.server.Return(e.Time, c.key, c.lease)
		}
		p.free = append(p.free, e.Ref)
	case fetchAtServer:
		p.serve(e.Time, e.Ref)
	case fetchIsAnswered:
		p.answer(e.Time, e.Ref)
	case fetchHasFailed:
		p.failed(e.Time, e.Ref)
	}
}

// serve answers a call. The answer to one that came twice gets lost.
func (p *prefetched) serve(now int64, ref int32) {
	c := &p.calls[ref]
	if !p.wire.Answers(now, c.key, c.server) {
		p.fail(ref)
		return
	}
	p.load.Call(now, int(c.server), 1)
	if c.slot != noSlot {
		c.verdict = p.server.Decide(now, c.key, c.tokens)
	} else {
		c.answer = p.server.Grant(now, c.key, c.tokens)
	}
	outcome := p.wire.Outcome(now, c.client)
	at := now + c.back + outcome.Delay
	if outcome.Lost || c.twin || at > c.sent+p.config.Timeout {
		p.fail(ref)
		return
	}
	p.clock.Schedule(at, fetchIsAnswered, ref)
}

// answer hands an answer to its client, and the tokens to those who wait.
func (p *prefetched) answer(now int64, ref int32) {
	c := p.calls[ref]
	p.free = append(p.free, ref)
	if c.slot != noSlot {
		p.settle(c.slot, c.verdict)
		return
	}
	p.load.ReportLatency(now, now-c.sent)
	client := &p.clients[c.client]
	lease := client.Apply(now, &c.answer)
	if p.config.Returned && lease.Tokens > 0 && lease.Until < engine.Never {
		p.clock.Schedule(lease.Until, leaseIsOver, p.keep(fetchCall{client: c.client, key: c.key}))
	}
	if p.executor == nil {
		return
	}
	room := client.waiting.At(c.key)
	for room.slots.Len() > 0 {
		slot := *room.slots.Front()
		if !client.Spend(now, c.key, p.executor.Attempt(slot).Cost) {
			break
		}
		p.settle(p.leave(room), counter.MakeVerdict(true, counter.ByLocal))
	}
	if room.slots.Len() == 0 {
		return
	}
	if c.answer.Granted < c.answer.Asked {
		p.dismiss(room, counter.MakeVerdict(false, counter.ByLimiter))
		return
	}
	p.fetch(now, c.client, c.key, room.cost)
}

// failed gives up a call.
func (p *prefetched) failed(_ int64, ref int32) {
	c := p.calls[ref]
	p.free = append(p.free, ref)
	verdict := counter.MakeVerdict(false, counter.ByFailClosed)
	if p.config.FailOpen {
		verdict = counter.MakeVerdict(true, counter.ByFailOpen)
	}
	if c.slot != noSlot {
		p.executor.TimedOut(c.slot)
		p.settle(c.slot, verdict)
		return
	}
	client := &p.clients[c.client]
	client.Failed(c.key)
	if p.executor == nil {
		return
	}
	room := client.waiting.At(c.key)
	for i := room.slots.Len(); i > 0; i-- {
		slot := p.leave(room)
		p.executor.TimedOut(slot)
		p.settle(slot, verdict)
	}
}

// giveBack sends what is left of leases that are over back to the server. What
// gets lost on the way is lost.
func (p *prefetched) giveBack(now int64, ref int32) {
	c := p.calls[ref]
	p.free = append(p.free, ref)
	p.unused = p.clients[c.client].Unused(now, c.key, p.unused[:0])
	for _, l := range p.unused {
		if outcome := p.wire.Outcome(now, c.client); !outcome.Lost {
			there, _ := p.wire.Trip(now)
			p.clock.Schedule(now+there+outcome.Delay, tokensAreBack,
				p.keep(fetchCall{client: c.client, key: c.key, server: p.wire.Asked(now, c.key), lease: l}))
		}
	}
}

// leave is the next of those who wait.
func (p *prefetched) leave(room *waitingRoom) int32 {
	slot := room.slots.Pop()
	room.cost -= p.executor.Attempt(slot).Cost
	return slot
}

// dismiss ends the wait of all who wait.
func (p *prefetched) dismiss(room *waitingRoom, v counter.Verdict) {
	for room.slots.Len() > 0 {
		p.settle(p.leave(room), v)
	}
}

func (p *prefetched) settle(slot int32, v counter.Verdict) {
	if v.Admitted() {
		p.executor.Admit(slot, v.Cause())
	} else {
		p.executor.Reject(slot, v.Cause())
	}
}
