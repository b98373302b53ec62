package leases

import (
	"github.com/limitgauge/limitgauge/algorithms/leases"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// noCall refers to no call.
const noCall = int32(-1)

// leaseCall is what a client says of some keys to their server, and the answer.
type leaseCall struct {
	client, server int32
	sent, back     int64
	questions      []leases.Question
	answers        []leases.Answer
	aside          bool // not of a round: about a key that is new
	twin           bool // a copy of a message that came twice
}

// askFirst asks about a key that is new to a client: as its first round where it
// has none.
func (l *limiter) askFirst(now int64, id, key int32) {
	c := &l.clients[id]
	l.ask(now, c.Ask(now, l.wire.Faults.Clock(id, now), key))
	aside := c.rounds
	if !c.rounds {
		c.rounds, c.began = true, now
	}
	l.dispatch(now, aside)
}

// round asks about all keys of a client.
func (l *limiter) round(now int64, id int32) {
	c := &l.clients[id]
	c.began = now
	c.Refresh(now, l.wire.Faults.Clock(id, now), func(q leases.Question) { l.ask(now, q) })
	if l.dispatch(now, false); c.awaited == 0 {
		c.rounds = false
	}
}

// ask puts a question into the call to the key's server.
func (l *limiter) ask(now int64, q leases.Question) {
	server := l.wire.Asked(now, q.Key)
	if l.open[server] == noCall {
		ref := engine.Take(&l.calls, &l.free)
		c := &l.calls[ref]
		*c = leaseCall{client: q.Client, server: server, sent: now, questions: c.questions[:0], answers: c.answers[:0]}
		l.open[server] = ref
		l.sent = append(l.sent, ref)
	}
	c := &l.calls[l.open[server]]
	c.questions = append(c.questions, q)
}

// dispatch puts the calls that have been filled on their way.
func (l *limiter) dispatch(now int64, aside bool) {
	if len(l.sent) > 0 {
		l.load.Fanout(now, len(l.sent))
	}
	for _, ref := range l.sent {
		c := &l.calls[ref]
		l.open[c.server] = noCall
		c.aside = aside
		if !aside {
			l.clients[c.client].awaited++
		}
		there, back := l.wire.Trip(now)
		c.back = back
		outcome := l.wire.Outcome(now, c.client)
		at := now + there + outcome.Delay
		if outcome.Lost {
			l.fail(ref)
			continue
		}
		l.clock.Schedule(at, questionsAtServer, ref)
		if outcome.Twice {
			questions := append([]leases.Question(nil), c.questions...)
			twin := leaseCall{client: c.client, server: c.server, sent: now, questions: questions, twin: true}
			again := engine.Take(&l.calls, &l.free)
			l.calls[again] = twin
			l.clock.Schedule(at, questionsAtServer, again)
		}
	}
	l.sent = l.sent[:0]
}

// fail lets a call time out that no answer will come to.
func (l *limiter) fail(ref int32) {
	if l.calls[ref].twin {
		l.free = append(l.free, ref)
		return
	}
	l.clock.Schedule(l.calls[ref].sent+l.config.Timeout, questionsFailed, ref)
}

// serve answers a call. The answer to one that came twice gets lost.
func (l *limiter) serve(now int64, ref int32) {
	c := &l.calls[ref]
	if l.wire.Faults.ServerDown(now, c.server) {
		l.fail(ref)
		return
	}
	l.load.Call(now, int(c.server), int64(len(c.questions)))
	for i := range c.questions {
		if q := &c.questions[i]; l.wire.Answers(now, q.Key, c.server) {
			c.answers = append(c.answers, l.servers[c.server].Decide(now, q))
		}
	}
	outcome := l.wire.Outcome(now, c.client)
	at := now + c.back + outcome.Delay
	if outcome.Lost || c.twin || at > c.sent+l.config.Timeout {
		l.fail(ref)
		return
	}
	l.clock.Schedule(at, questionsAnswered, ref)
}

// answer hands leases to their client.
func (l *limiter) answer(now int64, ref int32) {
	c := &l.calls[ref]
	l.load.ReportLatency(now, now-c.sent)
	for i := range c.answers {
		l.clients[c.client].Apply(now, &c.answers[i])
	}
	l.end(now, ref, false)
}

// end closes a call, and its round with the last of them.
func (l *limiter) end(now int64, ref int32, failed bool) {
	id, aside := l.calls[ref].client, l.calls[ref].aside
	l.free = append(l.free, ref)
	if aside {
		return
	}
	c := &l.clients[id]
	c.failed = c.failed || failed
	if c.awaited--; c.awaited > 0 {
		return
	}
	wait := l.config.Refresh
	if c.failed {
		wait = l.config.Backoff(c.failures)
		c.failures++
	} else {
		c.failures = 0
		l.load.CycleLatency(now, now-c.began)
	}
	c.failed = false
	l.clock.Schedule(now+wait, roundBegins, id)
}
