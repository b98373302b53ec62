package sim

import (
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/limiters"
)

// Report is one row of a client's report to a server, with the answer about its
// key. Times are in ns; they and the members of the answer are -1 without a value.
type Report struct {
	Scenario, Algorithm, Key      string
	Replication                   int   // counts from 1
	Report                        int64 // number of the report, in the order of sending, from 1
	Client, Server                int32
	OutstandingHits, RejectedHits int64 // cost admitted and rejected since the last report
	SentNs, ArrivedNs             int64
	ComputedNs, AppliedNs         int64
	ClientClockNs                 int64 // what the client's clock showed at SentNs
	RejectTilNs, RejectForNs      int64
	RejectionRate                 int64 // in units of 2^-32
	Outcome                       string
	Duplicate                     bool // a second copy of the report
	Resent                        bool // the client gave the report up and added its counts to its next one
}

// reports returns the report log of the trial, or nil if reports are not logged.
func (t *detailWriter) reports() *engine.ReportLog {
	if t.details.Reports == nil {
		return nil
	}
	t.reportLog = engine.NewReportLog(t.report)
	return t.reportLog
}

// report writes the rows of one report.
func (t *detailWriter) report(r *engine.Report) {
	for i := range r.Rows {
		if t.err != nil {
			return
		}
		row := &r.Rows[i]
		t.err = t.details.Reports(&Report{
			Scenario: t.plan.scenario.Name, Algorithm: t.algorithm, Key: t.plan.traffic.KeyName(int(row.Key)),
			Replication: t.replication, Report: r.Number, Client: r.Client, Server: r.Server,
			OutstandingHits: row.Hits, RejectedHits: row.Rejected,
			SentNs: r.Sent, ClientClockNs: r.ClientClock, ArrivedNs: r.Arrived, ComputedNs: row.Computed, AppliedNs: r.Applied,
			RejectTilNs: row.RejectTil, RejectForNs: row.RejectFor, RejectionRate: row.RejectionRate,
			Outcome: r.Outcome.String(), Duplicate: r.Duplicate, Resent: r.Resent,
		})
	}
}

// ReportingEnforcements returns the names of the enforcements whose clients report.
func ReportingEnforcements() []string {
	return limiters.Names(func(l *engine.Limiter) bool { return l.Reports })
}

// Reporting reports whether any algorithm of a file has clients that report, whose
// reports Details.Reports receives.
func Reporting(f *scenarios.File) bool {
	for i := range f.Scenarios {
		for j := range f.Scenarios[i].Algorithms {
			if limiters.Of(&f.Scenarios[i].Algorithms[j]).Reports {
				return true
			}
		}
	}
	return false
}
