package batchreported

import (
	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/network"
)

// arrive queues a call at its server.
func (r *reported) arrive(now int64, ref int32) {
	c := r.calls.At(ref)
	server := c.report.Server
	if r.setting.Faults.ServerFails(now, server) {
		r.refuse(now, ref)
		return
	}
	c.logged.Arrived = now
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
		if r.owners.Map != nil || r.setting.Faults.LosesState() {
			r.tell(now, report)
		}
		r.load.CountLag(now, now-r.calls.At(ref).oldest)
		r.due = append(r.due, ref)
	}
}

// tell tells the assignment of keys and the faults what a server has counted.
func (r *reported) tell(now int64, report *batchreported.Report) {
	for i := range report.Rows {
		row := &report.Rows[i]
		r.owners.Served(now, row.Key, row.Hits+row.Rejected)
		if r.setting.Faults.Holds(report.Server, row.Key) {
			r.setting.Faults.FailsAfterRestart(now, report.Server) // its refills count from the restart
		}
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
		c.logged.Outcome = engine.ReportAnswerLost
		r.fail(now, ref)
		return
	}
	r.agenda.Schedule(now+after+c.back+outcome.Delay, responseArrives, ref)
}
