package leases

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/leases"
)

// noCall refers to no call.
const noCall = int32(-1)

// questions is what a client asks a server about some keys, and the answers.
type questions struct {
	questions []leases.Question
	answers   []leases.Answer
	aside     bool // about a new key, between two rounds
}

func (q questions) clone() questions { return questions{questions: slices.Clone(q.questions)} }

// askFirst asks about a key that is new to a client. If the client has no rounds
// yet, this is its first.
func (l *limiter) askFirst(now int64, id, key int32) {
	c := &l.clients[id]
	l.ask(now, c.Ask(now, l.calls.Faults.Clock(id, now), key))
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
	c.Refresh(now, l.calls.Faults.Clock(id, now), func(q leases.Question) { l.ask(now, q) })
	if l.dispatch(now, false); c.awaited == 0 {
		c.rounds = false
	}
}

// ask adds a question to the call to the key's server.
func (l *limiter) ask(now int64, q leases.Question) {
	server := l.calls.Asked(now, q.Client, q.Key)
	if l.open[server] == noCall {
		ref := l.calls.Take()
		c := l.calls.At(ref)
		c.Client, c.Server = q.Client, server
		c.Body.questions, c.Body.answers = c.Body.questions[:0], c.Body.answers[:0]
		l.open[server] = ref
		l.sent = append(l.sent, ref)
	}
	body := &l.calls.At(l.open[server]).Body
	body.questions = append(body.questions, q)
}

// dispatch sends the calls that ask has filled.
func (l *limiter) dispatch(now int64, aside bool) {
	if len(l.sent) > 0 {
		l.load.Fanout(now, len(l.sent))
	}
	for _, ref := range l.sent {
		c := l.calls.At(ref)
		l.open[c.Server] = noCall
		c.Body.aside = aside
		if !aside {
			l.clients[c.Client].awaited++
		}
		l.calls.Send(now, ref, questions.clone)
	}
	l.sent = l.sent[:0]
}

// serve answers the questions of a call.
func (l *limiter) serve(now int64, ref int32) {
	c := l.calls.At(ref)
	if l.calls.Faults.ServerFails(now, c.Server) {
		l.calls.Fail(ref)
		return
	}
	if now < l.learns[c.Server] {
		l.calls.Faults.FailsAfterRestart(now, c.Server)
	}
	l.load.Call(now, int(c.Server), int64(len(c.Body.questions)))
	for i := range c.Body.questions {
		if q := &c.Body.questions[i]; l.calls.Takes(now, q.Key, c.Server) {
			l.calls.Faults.Holds(c.Server, q.Key)
			c.Body.answers = append(c.Body.answers, l.servers[c.Server].Decide(now, q))
		}
	}
	l.calls.Respond(now, ref)
}

// apply gives a client the leases of a response.
func (l *limiter) apply(now int64, ref int32) {
	c := l.calls.At(ref)
	l.load.ReportLatency(now, now-c.Sent)
	for i := range c.Body.answers {
		l.clients[c.Client].Apply(now, &c.Body.answers[i])
	}
	l.end(now, ref, false)
}

// end closes a call, and its round with the last call of it.
func (l *limiter) end(now int64, ref int32, failed bool) {
	id, aside := l.calls.At(ref).Client, l.calls.At(ref).Body.aside
	l.calls.Release(ref)
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
	l.Schedule(now+wait, roundBegins, id)
}
