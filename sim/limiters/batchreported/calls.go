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
	oldest    int64 // the first request that it can be about
	queued    int64 // when it came into the latest queue
	back      int64 // ns from the server to the client
	storeBack int64 // ns from the store to the server
	cycle     int32
	row       int32 // that is at the store, if the store takes one row at a time
	duplicate bool  // no client waits for it

	logged *engine.Report
}

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
	c.duplicate, c.logged = false, &r.unlogged
	return ref
}

// copyCall returns a copy of a call with the rows for which keep is true.
func (r *reported) copyCall(ref int32, keep func(batchreported.ReportRow) bool) int32 {
	other := r.newCall()
	from, to := r.calls.At(ref), r.calls.At(other)
	to.sent, to.oldest, to.cycle = from.sent, from.oldest, from.cycle
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
	c.sent, c.oldest, c.cycle = now, r.oldest[id], number
	r.logSent(now, c)
	if code.happens(code.ReportLoss) {
		c.logged.Outcome = engine.ReportLost
		r.lose(now, ref)
		return
	}
	outcome := code.link.Outcome(now, r.gateway(id), network.Server)
	if outcome.Lost {
		c.logged.Outcome = engine.ReportLost
		r.lose(now, ref)
		return
	}
	r.travel(now, ref, outcome.Delay)
	if outcome.Twice {
		duplicate := r.copyCall(ref, func(batchreported.ReportRow) bool { return true })
		r.calls.At(duplicate).duplicate = true
		r.logPart(r.calls.At(ref), r.calls.At(duplicate))
		r.travel(now, duplicate, outcome.Delay)
	}
}

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
