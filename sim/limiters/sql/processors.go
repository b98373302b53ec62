package sql

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// processors are those of one server, and the tries that wait for one. Nobody waits
// while a processor is idle.
type processors struct {
	idle    int64
	waiting engine.FIFO[int32]
}

// stage is what a try takes a processor for.
type stage uint8

const (
	opens    stage = iota // the part before its transaction
	commits               // the commit, after the flush
	rechecks              // a look at its row after another's commit
)

// work is what a processor does for a transaction besides the overhead, on one
// server whose transactions wait for rows.
type work struct {
	statement, response, recheck, abort engine.ServiceTime

	wakeup    int64
	headStart units.Fraction
	starts    random.Stream
}

func newWork(t *engine.Trial) work {
	o := t.Algorithm.Options
	return work{
		statement: engine.ServiceOf(o.Choice("statement"), t.Stream("statement")), response: engine.ServiceOf(o.Choice("response"), t.Stream("response")),
		recheck: engine.ServiceOf(o.Choice("recheck"), t.Stream("recheck")), abort: engine.ServiceOf(o.Choice("abort"), t.Stream("abort")),
		wakeup: o.Duration("wakeup"), headStart: o.Share("head_start"), starts: t.Stream("head start"),
	}
}

// many reports whether an algorithm's database has no such work: it has several
// servers, or no transaction waits.
func many(a *scenarios.Algorithm) bool {
	return hashed(a) || a.Options.String("on_conflict") == "fail"
}

// parts are the options of the work.
var parts = [...]string{"statement", "response", "recheck", "abort"}

// noWork reports whether the work takes no time.
func noWork(a *scenarios.Algorithm) bool {
	for _, name := range parts {
		if part := engine.ServiceOf(a.Options.Choice(name), random.Stream{}); !part.TakesNone() {
			return false
		}
	}
	return true
}

// randomWork reports whether the work takes a random time.
func randomWork(a *scenarios.Algorithm) bool {
	return slices.ContainsFunc(parts[:], func(name string) bool { return a.Options.Choice(name).Name == "exponential" })
}

// enter has a try that arrives at its caller's server take a processor. If the
// client's previous response left at this instant, the call may go on with that
// processor.
func (d *sqlDatabase) enter(now int64, slot int32) {
	c := &d.callers.calls[slot]
	c.reached, c.here = now, now
	if client := &d.callers.clients[c.client]; client.keeps > 0 {
		p := &d.processors[c.server]
		switch {
		case p.waiting.Len() == 0:
			client.keeps--
			p.idle++
		case d.goesOn():
			client.keeps--
			c.stage = opens
			d.process(now, slot)
			return
		}
	}
	d.queue(now, slot, opens)
}

// goesOn draws whether a call has a head start.
func (d *sqlDatabase) goesOn() bool {
	share := d.work.headStart
	return d.work.starts.Chance(uint64(share.Num), uint64(share.Den))
}

// queue has a try take a processor, now or when one is free.
func (d *sqlDatabase) queue(now int64, slot int32, what stage) {
	c := &d.callers.calls[slot]
	c.stage = what
	p := &d.processors[c.server]
	if p.idle == 0 {
		p.waiting.Push(slot)
		return
	}
	p.idle--
	wakeup := d.work.wakeup
	if d.late {
		wakeup = 0
	}
	d.process(now+wakeup, slot)
}

// process begins a try's stage on the processor that it has.
func (d *sqlDatabase) process(now int64, slot int32) {
	switch d.callers.calls[slot].stage {
	case opens:
		d.callers.executor.Schedule(now+d.callers.faults.Slow(now, d.overhead.Draw()), sqlBegins, slot)
	case commits:
		d.callers.executor.Schedule(now, sqlFlushed, slot)
	case rechecks:
		d.callers.executor.Schedule(now+d.callers.faults.Slow(now, d.work.recheck.Draw()), sqlRechecked, slot)
	}
}

// after schedules an event at the end of a part of a try's work.
func (d *sqlDatabase) after(now int64, part *engine.ServiceTime, kind uint32, slot int32) {
	d.callers.executor.Schedule(now+d.callers.faults.Slow(now, part.Draw()), kind, slot)
}

// free has a processor work on the try that waits longest for one.
func (d *sqlDatabase) free(now int64, server int32) {
	p := &d.processors[server]
	if p.waiting.Len() == 0 {
		p.idle++
		return
	}
	d.process(now, p.waiting.Pop())
}

// update has a statement whose processor has reached the row take it, wait for it
// or fail.
func (d *sqlDatabase) update(now int64, slot int32) {
	c := &d.callers.calls[slot]
	if state := d.locks.Stale(c.key, c.version); state != sql.Committed && !d.reads(now, c) {
		d.aborts(now, slot, state)
		return
	}
	d.send(now, slot)
	d.free(now, c.server)
}

// aborts ends a failed transaction on the processor that it has.
func (d *sqlDatabase) aborts(now int64, slot int32, state sql.SQLState) {
	d.callers.calls[slot].state = state
	d.after(now, &d.work.abort, sqlAborted, slot)
}

// aborted sends the response to a failed transaction.
func (d *sqlDatabase) aborted(now int64, slot int32) {
	d.callers.load.StoreOp(now, 1)
	d.keep(now, slot)
	d.failed(now, slot, d.callers.calls[slot].state)
}

// respond sends the response to a transaction that has committed.
func (d *sqlDatabase) respond(now int64, slot int32) {
	d.keep(now, slot)
	d.callers.answer(now, slot)
}

// keep keeps a try's processor for the next call of its client until the end of
// this instant.
func (d *sqlDatabase) keep(now int64, slot int32) {
	client := d.callers.calls[slot].client
	d.callers.clients[client].keeps++
	d.callers.executor.Schedule(now, sqlFrees, client)
}

// frees frees a kept processor unless a call has gone on with it.
func (d *sqlDatabase) frees(now int64, client int32) {
	if c := &d.callers.clients[client]; c.keeps > 0 {
		c.keeps--
		d.free(now, 0)
	}
}
