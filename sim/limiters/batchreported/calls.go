package batchreported

import (
	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/network"
)

// call is a report to a server and the response to it.
type call struct {
	report    *batchreported.Report
	answer    batchreported.Answer
	sent      int64
	alarm     int64 // Seq of the event at which its client stops waiting
	queued    int64 // when it came into the latest queue
	back      int64 // ns from the server to the client
	storeBack int64 // ns from the store to the server
	cycle     int32
	row       int32 // that is at the store, if the store takes one row at a time
	state     callState
	duplicate bool // no client waits for it

	logged *engine.Report // nil unless reports are logged
}

type callState uint8

const (
	idle     callState = iota
	inFlight           // a response may come
	lost               // no response will come, but the client does not know
	overdue            // the client has stopped waiting, but a response may come
)

// cycle describes the calls of one client's tick.
type cycle struct {
	sent int64
	last int64 // when the latest response arrived; 0 before
	open int32 // calls
}

// send flushes a client: one call to each server that owns a key with counts,
// or one for each key.
func (r *reported) send(now int64, id int32) {
	r.ticking[id] = false
	r.idle++
	r.readClock(now, id)
	number := r.cycles.Add(cycle{sent: now})
	r.sent = r.sent[:0]
	r.clients[id].Flush(now, r.asked(now, id), r.newReport)
	for _, ref := range r.sent {
		r.dispatch(now, id, ref, number)
	}
	if len(r.sent) > 0 {
		r.load.Fanout(now, len(r.sent))
	}
	if r.cycles.At(number).open == 0 {
		r.cycles.Release(number)
	}
}

// newReport returns an empty report for a client to fill in.
func (r *reported) newReport(int32) *batchreported.Report {
	ref := r.newCall()
	r.sent = append(r.sent, ref)
	return r.calls.At(ref).report
}

// newCall returns a call to fill in. Its report stays in its place when the pool
// grows, because a client fills several reports at a time.
func (r *reported) newCall() int32 {
	ref := r.calls.Take()
	c := r.calls.At(ref)
	if c.report == nil {
		c.report = &batchreported.Report{}
	}
	c.state, c.duplicate = inFlight, false
	return ref
}

// copyCall returns a copy of a call with the rows for which keep is true.
func (r *reported) copyCall(ref int32, keep func(batchreported.ReportRow) bool) int32 {
	other := r.newCall()
	from, to := r.calls.At(ref), r.calls.At(other)
	to.sent, to.cycle = from.sent, from.cycle
	rows := to.report.Rows[:0]
	for _, row := range from.report.Rows {
		if keep(row) {
			rows = append(rows, row)
		}
	}
	*to.report = *from.report
	to.report.Rows = rows
	return other
}

// dispatch sends a report, which can be lost or duplicated.
func (r *reported) dispatch(now int64, id, ref, number int32) {
	c := r.calls.At(ref)
	code := r.codeOf(id)
	config := &code.config
	c.sent, c.cycle = now, number
	r.logSent(now, c)
	r.startTimeout(ref)
	if code.happens(config.ReportLoss) {
		c.logOutcome(engine.ReportLost)
		r.lose(now, ref)
		return
	}
	outcome := code.link.Outcome(now, r.gateway(id), network.Server)
	if outcome.Lost {
		c.logOutcome(engine.ReportLost)
		r.lose(now, ref)
		return
	}
	r.travel(now, ref, outcome.Delay)
	if code.happens(config.ReportDuplicate) || outcome.Twice {
		duplicate := r.copyCall(ref, func(batchreported.ReportRow) bool { return true })
		r.calls.At(duplicate).duplicate = true
		r.logPart(r.calls.At(ref), r.calls.At(duplicate))
		r.travel(now, duplicate, outcome.Delay)
	}
}

// startTimeout schedules the timeout of a call, if there is one.
func (r *reported) startTimeout(ref int32) {
	c := r.calls.At(ref)
	if timeout := r.timeout(c); timeout > 0 {
		r.agenda.Schedule(c.sent+timeout, timedOut, ref)
		c.alarm = r.agenda.Seq
	}
}

// timeout returns after which time in ns the client of a call gives it up, 0 for
// never.
func (r *reported) timeout(c *call) int64 { return r.codeOf(c.report.Client).config.Timeout }

func (c *code) happens(share units.Fraction) bool {
	return share.Num > 0 && c.link.Outcomes.Chance(uint64(share.Num), uint64(share.Den))
}

// travel draws a call's latency and schedules its arrival.
func (r *reported) travel(now int64, ref int32, delay int64) {
	c := r.calls.At(ref)
	there, back := r.codeOf(c.report.Client).link.RoundTrip(now)
	c.back = back
	r.cycles.At(c.cycle).open++
	r.agenda.Schedule(now+there+delay, reportArrives, ref)
}

// arrive queues a call at its server.
func (r *reported) arrive(now int64, ref int32) {
	c := r.calls.At(ref)
	server := c.report.Server
	if r.setting.Faults.ServerFails(now, server) {
		r.refuse(now, ref)
		return
	}
	c.logArrival(now)
	r.load.Call(now, int(server), int64(len(c.report.Rows)))
	if r.serverTime > 0 {
		c.queued = now
		_, end := r.queues[server].Serve(now, r.setting.Faults.Slow(now, r.serverTime))
		r.agenda.Schedule(end, served, ref)
		return
	}
	r.handle(now, ref)
}

// serve ends a server's work on a call.
func (r *reported) serve(now int64, ref int32) {
	if c := r.calls.At(ref); r.queues[c.report.Server].lost > c.queued {
		r.setting.Faults.ServerFails(r.queues[c.report.Server].lost, c.report.Server)
		r.refuse(now, ref)
		return
	}
	r.handle(now, ref)
}

// handle counts a report, or passes it on to the store.
func (r *reported) handle(now int64, ref int32) {
	switch {
	case r.store != nil:
		c := r.calls.At(ref)
		c.row, c.answer.Rows = 0, c.answer.Rows[:0]
		r.toStore(now, ref)
	case !r.takes(now, ref):
		r.refuse(now, ref)
	default:
		report := r.calls.At(ref).report
		r.servers[report.Server].Receive(now, report)
		for i := range report.Rows {
			row := &report.Rows[i]
			r.owners.Served(now, row.Key, row.Hits+row.Rejected)
			r.setting.Faults.Holds(report.Server, row.Key)
		}
		r.due = append(r.due, ref)
	}
}

// answer responds to the reports of this instant after all of them are counted.
func (r *reported) answer(now int64) {
	for _, ref := range r.due {
		c := r.calls.At(ref)
		if r.store != nil {
			answered := len(c.answer.Rows)
			r.store.answer(now, c)
			r.logAnswers(now, c, answered)
			if int(c.row) < len(c.report.Rows) {
				r.toStore(now+c.storeBack, ref)
				continue
			}
			r.respond(now, ref, c.storeBack)
			continue
		}
		r.servers[c.report.Server].Answer(now, c.report, &c.answer)
		r.logAnswers(now, c, 0)
		r.respond(now, ref, 0)
	}
	r.due = r.due[:0]
}

// respond sends the response, which is ready at the server after the given time
// in ns.
func (r *reported) respond(now int64, ref int32, after int64) {
	c := r.calls.At(ref)
	client := c.report.Client
	outcome := r.codeOf(client).link.ResponseOutcome(now, r.gateway(client), network.Server)
	if outcome.Lost {
		c.logOutcome(engine.ReportAnswerLost)
		r.fail(now, ref)
		return
	}
	r.agenda.Schedule(now+after+c.back+outcome.Delay, responseArrives, ref)
}

// receive applies a response.
func (r *reported) receive(now int64, ref int32) {
	c := r.calls.At(ref)
	c.logOutcome(engine.ReportClientStopped)
	if id := c.report.Client; r.active(id) {
		r.readClock(now, id)
		r.understood(id, &c.answer)
		r.clients[id].Apply(now, &c.answer)
		c.logApplied(now)
	}
	r.load.ReportLatency(now, now-c.sent)
	r.cycles.At(c.cycle).last = now
	r.close(now, c.cycle)
	r.release(ref)
}

// close ends one call of a cycle.
func (r *reported) close(now int64, number int32) {
	cy := r.cycles.At(number)
	if cy.open--; cy.open > 0 {
		return
	}
	if cy.last > 0 {
		r.load.CycleLatency(now, cy.last-cy.sent)
	}
	r.cycles.Release(number)
}

// fail ends a call without a response.
func (r *reported) fail(now int64, ref int32) {
	r.close(now, r.calls.At(ref).cycle)
	r.lose(now, ref)
}

// refuse ends a call that no server takes.
func (r *reported) refuse(now int64, ref int32) {
	c := r.calls.At(ref)
	c.logOutcome(engine.ReportRefused)
	if r.timeout(c) == 0 && !c.duplicate {
		r.unanswered(c)
	}
	r.fail(now, ref)
}

// unanswered tells the client of a call that it gets no response.
func (r *reported) unanswered(c *call) {
	if id := c.report.Client; r.active(id) {
		r.clients[id].Unanswered(c.report)
	}
}

// lose ends a lost call. Its client notices at once, or at its timeout.
func (r *reported) lose(now int64, ref int32) {
	c := r.calls.At(ref)
	switch {
	case c.duplicate || c.state == overdue:
	case r.timeout(c) == 0:
		r.resend(now, c)
	default:
		c.state = lost
		return
	}
	r.release(ref)
}

// timeOut ends a client's wait for a response. A call that has ended before is
// idle, or in use again with another alarm.
func (r *reported) timeOut(now int64, ref int32, alarm int64) {
	c := r.calls.At(ref)
	if c.state == idle || c.duplicate || c.alarm != alarm {
		return
	}
	r.unanswered(c)
	r.resend(now-1, c) // before the ticks of this instant
	if c.state == lost {
		r.release(ref)
		return
	}
	c.state = overdue
}

// resend gives a client its unanswered counts back for its first tick after an
// instant, if it resends them.
func (r *reported) resend(after int64, c *call) {
	if id := c.report.Client; r.codeOf(id).config.Resend && r.active(id) {
		r.clients[id].Resend(c.report)
		c.logResent()
		r.tick(after, id)
	}
}

func (r *reported) release(ref int32) {
	c := r.calls.At(ref)
	c.state = idle
	r.logEnd(c)
	r.calls.Release(ref)
}
