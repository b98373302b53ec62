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
	if id := c.report.Client; r.active(id) && !c.duplicate {
		r.clients[id].Unanswered(c.report)
	}
	r.fail(now, ref)
}

// lose ends a lost call. Its client notices at once: it gets its counts back for its
// next tick, if it resends them.
func (r *reported) lose(now int64, ref int32) {
	c := r.calls.At(ref)
	if id := c.report.Client; !c.duplicate && r.codeOf(id).Resend && r.active(id) {
		r.clients[id].Resend(c.report)
		c.logged.Resent = true
		r.tick(now, id)
		r.oldest[id] = min(r.oldest[id], c.oldest)
	}
	r.release(ref)
}

func (r *reported) release(ref int32) {
	c := r.calls.At(ref)
	if r.log != nil {
		r.log.End(c.logged)
	}
	r.calls.Release(ref)
}
