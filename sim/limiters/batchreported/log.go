package batchreported

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// Every method of this file does nothing if the trial does not log its reports. What is
// noted of a call then goes to reported.unlogged.

// logSent logs a report that a client sends.
func (r *reported) logSent(now int64, c *call) {
	if r.log != nil {
		c.logged = r.newLogged(now, c.report)
		r.log.Send(c.logged)
	}
}

// logPart logs a copy of a call, with some or all of its rows, and an end of its own.
func (r *reported) logPart(of, part *call) {
	if r.log == nil {
		return
	}
	part.logged = r.newLogged(of.logged.Sent, part.report)
	part.logged.Arrived, part.logged.Duplicate = of.logged.Arrived, part.duplicate
	r.log.Split(of.logged, part.logged)
}

// logRefused logs rows of a call that are refused without a call of their own.
func (r *reported) logRefused(c *call, foreign func(batchreported.ReportRow) bool) {
	if r.log == nil {
		return
	}
	part := *c.logged
	part.Outcome = engine.ReportRefused
	part.Rows = slices.DeleteFunc(slices.Clone(part.Rows), func(row engine.ReportedRow) bool {
		return !foreign(batchreported.ReportRow{Key: row.Key})
	})
	r.log.Split(c.logged, &part)
	r.log.End(&part)
}

// logWithout removes the rows of a part.
func (c *call) logWithout(foreign func(batchreported.ReportRow) bool) {
	c.logged.Rows = slices.DeleteFunc(c.logged.Rows, func(row engine.ReportedRow) bool {
		return foreign(batchreported.ReportRow{Key: row.Key})
	})
}

func (r *reported) newLogged(sent int64, report *batchreported.Report) *engine.Report {
	l := &engine.Report{
		Client: r.gateway(report.Client), Server: r.firstServer + report.Server, Sent: sent, ClientClock: report.SentAt,
		Arrived: engine.NotYet, Applied: engine.NotYet, Rows: make([]engine.ReportedRow, len(report.Rows)),
	}
	for i, row := range report.Rows {
		l.Rows[i] = engine.ReportedRow{
			Key: row.Key, Hits: row.Hits, Rejected: row.Rejected,
			Computed: engine.NotYet, RejectTil: engine.NotYet, RejectFor: engine.NotYet, RejectionRate: engine.NotYet,
		}
	}
	return l
}

// logAnswers logs the answers to rows from the given one on, up to the last one
// that is answered.
func (r *reported) logAnswers(now int64, c *call, from int) {
	if r.log == nil {
		return
	}
	for i := from; i < len(c.answer.Rows); i++ {
		row, a := &c.logged.Rows[i], &c.answer.Rows[i]
		row.Computed = now
		switch {
		case a.Reject == 0:
		case r.config.AsDuration:
			row.RejectFor = a.Reject
		default:
			row.RejectTil = a.Reject
		}
		if r.config.RejectionRate {
			row.RejectionRate = int64(a.RejectionRate)
		}
	}
}
