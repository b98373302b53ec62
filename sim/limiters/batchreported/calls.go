package batchreported

import (
	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// call is one report on its way to a server, and the answer on its way back.
type call struct {
	report *batchreported.Report
	answer batchreported.Answer
	sent   int64
	alarm  int64 // Seq of the event at which its client gives it up
	came   int64 // into the latest queue
	back   int64 // ns the answer takes from the server to the client
	hop    int64 // ns the store's answer takes to the server
	cycle  int32
	row    int32 // written one by one: the row that is with the store
	state  callState
	twin   bool // a duplicate, for which nobody waits
}

type callState uint8

const (
	idle     callState = iota
	underWay           // an answer may come
	lost               // none will come, but the client does not know
	overdue            // the client has given up, but an answer may come
)

// cycle is all the calls of one client's tick.
type cycle struct {
	sent int64
	last int64 // when the latest answer came; 0 before
	open int32
}

// send flushes a client: one call for each server that owns a key with counts,
// or one for each key.
func (r *reported) send(now int64, id int32) {
	r.ticking[id] = false
	r.idle++
	r.readClock(now, id)
	number := engine.Take(&r.cycles, &r.spare)
	r.cycles[number] = cycle{sent: now}
	r.sent = r.sent[:0]
	r.clients[id].Flush(now, r.ask(now, id), r.blank)
	for _, ref := range r.sent {
		r.dispatch(now, id, ref, number)
	}
	if len(r.sent) > 0 {
		r.load.Fanout(now, len(r.sent))
	}
	if r.cycles[number].open == 0 {
		r.spare = append(r.spare, number)
	}
}

// blank is an empty report for a client to fill in.
func (r *reported) blank(int32) *batchreported.Report {
	ref := r.newCall()
	r.sent = append(r.sent, ref)
	return r.calls[ref].report
}

// newCall is a call to fill in. Its report stays where it is when the pool
// grows, because a client writes to several of them at a time.
func (r *reported) newCall() int32 {
	ref := engine.Take(&r.calls, &r.free)
	c := &r.calls[ref]
	if c.report == nil {
		c.report = &batchreported.Report{}
	}
	c.state, c.twin = underWay, false
	return ref
}

// dispatch puts a report on the wire, which may lose or duplicate it.
func (r *reported) dispatch(now int64, id, ref, number int32) {
	c := &r.calls[ref]
	c.sent, c.cycle = now, number
	if r.config.Timeout > 0 {
		c.alarm = r.schedule(now+r.config.Timeout, gaveUp, ref)
	}
	if r.happens(r.config.ReportLoss.Num, r.config.ReportLoss.Den) {
		r.lose(now, ref)
		return
	}
	outcome := r.setting.Faults.Report(now, &r.outcome)
	if outcome.Lost || r.setting.Faults.Cut(now, id) {
		r.lose(now, ref)
		return
	}
	r.travel(now, ref, outcome.Delay)
	if r.happens(r.config.ReportDuplicate.Num, r.config.ReportDuplicate.Den) || outcome.Twice {
		twin := r.newCall()
		from, to := &r.calls[ref], &r.calls[twin]
		to.sent, to.cycle, to.twin = now, number, true
		rows := append(to.report.Rows[:0], from.report.Rows...)
		*to.report = *from.report
		to.report.Rows = rows
		r.travel(now, twin, outcome.Delay)
	}
}

func (r *reported) happens(num, den int64) bool {
	return num > 0 && r.outcome.Chance(uint64(num), uint64(den))
}

// travel draws the call's latency, split evenly over both ways.
func (r *reported) travel(now int64, ref int32, delay int64) {
	c := &r.calls[ref]
	latency := r.drawLatency(now)
	c.back = latency - latency/2
	r.cycles[c.cycle].open++
	r.schedule(now+latency/2+delay, reportDue, ref)
}

func (r *reported) drawLatency(now int64) int64 {
	if distribution, changed := r.setting.Faults.Latency(now); changed {
		return distribution.Draw(&r.wire)
	}
	return r.latency.Draw(&r.wire)
}

// arrive brings a call to its server.
func (r *reported) arrive(now int64, ref int32) {
	c := &r.calls[ref]
	server := c.report.Server
	if r.setting.Faults.ServerDown(now, server) {
		r.refuse(now, ref)
		return
	}
	r.load.Call(now, int(server), int64(len(c.report.Rows)))
	if r.serverTime > 0 {
		c.came = now
		_, end := r.queues[server].Serve(now, r.serverTime*r.setting.Faults.Slow(now))
		r.schedule(end, served, ref)
		return
	}
	r.handle(now, ref)
}

// serve ends a server's work on a call.
func (r *reported) serve(now int64, ref int32) {
	if c := &r.calls[ref]; r.queues[c.report.Server].lost > c.came {
		r.refuse(now, ref)
		return
	}
	r.handle(now, ref)
}

// handle counts a report, or passes it on to the store.
func (r *reported) handle(now int64, ref int32) {
	c := &r.calls[ref]
	switch {
	case r.store != nil:
		c.row, c.answer.Rows = 0, c.answer.Rows[:0]
		r.toStore(now, ref)
	case !r.takes(now, ref):
		r.refuse(now, ref)
	default:
		c = &r.calls[ref]
		r.servers[c.report.Server].Receive(now, c.report)
		r.owners.served(now, c.report)
		r.due = append(r.due, ref)
	}
}

// answer answers what was counted at this instant, when all of it is.
func (r *reported) answer(now int64) {
	for _, ref := range r.due {
		c := &r.calls[ref]
		if r.store != nil {
			r.store.answer(now, c)
			if int(c.row) < len(c.report.Rows) {
				r.toStore(now+c.hop, ref)
				continue
			}
			r.reply(now, ref, c.hop)
			continue
		}
		r.servers[c.report.Server].Answer(now, c.report, &c.answer)
		r.reply(now, ref, 0)
	}
	r.due = r.due[:0]
}

// reply sends the answer, which the server will have after so many ns.
func (r *reported) reply(now int64, ref int32, after int64) {
	c := &r.calls[ref]
	outcome := r.setting.Faults.Report(now, &r.outcome)
	if outcome.Lost || r.setting.Faults.Cut(now, c.report.Client) {
		r.fail(now, ref)
		return
	}
	r.schedule(now+after+c.back+outcome.Delay, answerDue, ref)
}

// receive applies an answer.
func (r *reported) receive(now int64, ref int32) {
	c := &r.calls[ref]
	if id := c.report.Client; r.world.alive(id) {
		r.readClock(now, id)
		r.clients[id].Apply(now, &c.answer)
	}
	r.load.ReportLatency(now, now-c.sent)
	r.cycles[c.cycle].last = now
	r.close(now, c.cycle)
	r.release(ref)
}

// close ends one call of a cycle.
func (r *reported) close(now int64, number int32) {
	cy := &r.cycles[number]
	if cy.open--; cy.open > 0 {
		return
	}
	if cy.last > 0 {
		r.load.CycleLatency(now, cy.last-cy.sent)
	}
	r.spare = append(r.spare, number)
}

// fail ends a call that was under way without an answer.
func (r *reported) fail(now int64, ref int32) {
	r.close(now, r.calls[ref].cycle)
	r.lose(now, ref)
}

// refuse ends a call that nobody takes.
func (r *reported) refuse(now int64, ref int32) {
	if c := &r.calls[ref]; r.config.Timeout == 0 && !c.twin && r.world.alive(c.report.Client) {
		r.clients[c.report.Client].Unanswered(c.report)
	}
	r.fail(now, ref)
}

// lose lets a call get lost. Its client notices at once, or when it has waited
// for its answer long enough.
func (r *reported) lose(now int64, ref int32) {
	c := &r.calls[ref]
	switch {
	case c.twin || c.state == overdue:
	case r.config.Timeout == 0:
		r.giveUp(now, c)
	default:
		c.state = lost
		return
	}
	r.release(ref)
}

// timeOut lets a client give up a call that it has waited for. One that has been
// answered is of no interest: it is idle, or another one that has its own alarm.
func (r *reported) timeOut(now int64, ref int32, alarm int64) {
	c := &r.calls[ref]
	if c.state == idle || c.twin || c.alarm != alarm {
		return
	}
	if r.world.alive(c.report.Client) {
		r.clients[c.report.Client].Unanswered(c.report)
	}
	r.giveUp(now-1, c) // before the ticks of this instant
	if c.state == lost {
		r.release(ref)
		return
	}
	c.state = overdue
}

// giveUp lets a client that waits no more for a call do with its counts as it
// is told to, for a tick after the given instant.
func (r *reported) giveUp(after int64, c *call) {
	if id := c.report.Client; r.config.Resend && r.world.alive(id) {
		r.clients[id].Resend(c.report)
		r.tick(after, id)
	}
}

func (r *reported) release(ref int32) {
	r.calls[ref].state = idle
	r.free = append(r.free, ref)
}
