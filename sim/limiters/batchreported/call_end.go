package batchreported

import "github.com/limitgauge/limitgauge/sim/engine"

// receive applies a response.
func (r *reported) receive(now int64, ref int32) {
	c := r.calls.At(ref)
	c.logged.Outcome = engine.ReportClientStopped
	if id := c.report.Client; r.active(id) {
		r.readClock(now, id)
		r.understood(id, &c.answer)
		r.clients[id].Apply(now, &c.answer)
		c.logged.Applied, c.logged.Outcome = now, engine.ReportApplied
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
	c.logged.Outcome = engine.ReportRefused
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
	if id := c.report.Client; r.codeOf(id).Resend && r.active(id) {
		r.clients[id].Resend(c.report)
		c.logged.Resent = true
		r.tick(after, id)
		r.oldest[id] = min(r.oldest[id], c.oldest)
	}
}

func (r *reported) release(ref int32) {
	c := r.calls.At(ref)
	c.state = idle
	if r.log != nil {
		r.log.End(c.logged)
	}
	r.calls.Release(ref)
}
