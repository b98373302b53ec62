package sim

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Details are functions that receive what a run writes beside its document.
// Functions that are nil are not called. They receive the first replication of
// each scenario, one algorithm after another. An error ends the run.
type Details struct {
	Decisions func(*Decision) error
	Windows   func(*Window) error
	Keys      func(*Key) error
	Servers   func(*Server) error
	Reports   func(*Report) error
}

// Any reports whether any function is set.
func (t Details) Any() bool {
	return t.Decisions != nil || t.Windows != nil || t.Keys != nil || t.Servers != nil || t.Reports != nil
}

// Decision is one attempt and its outcome. Times are in ns.
type Decision struct {
	Scenario, Algorithm, Key, Tenant string
	Keys                             []string // all keys of the request; the first is Key
	Client                           int32
	Attempt, Cost                    int64
	ArrivalNs, DecidedNs             int64 // DecidedNs is -1 if the attempt still waits at the end
	DispatchedNs                     int64 // -1 if the attempt is not admitted
	Verdict                          string
	Cause                            string
	Level                            *int64 // requests of cost 1 that the scarcest key would admit right after the decision; nil if unknown
	RetryAfterNs                     int64  // time from the decision until all keys would admit the request; -1 if they never would
	Fresh                            int64  // number of the fresh request, equal for all algorithms
	Try                              int32  // 0 for the fresh request; retries count from 1
}

// Window is one calendar window of a key, which Key names.
type Window struct {
	Scenario, Algorithm, Key string
	measure.Window
}

// Key holds the totals of one key over the measured span.
type Key struct {
	Scenario, Algorithm string
	results.KeyTotals
}

// Server holds the load of one server of a limiter over the measured span.
type Server struct {
	Scenario, Algorithm string
	results.ServerLoad
}

// detailWriter writes the details of one trial.
type detailWriter struct {
	details   Details
	plan      *plan
	algorithm string
	reportLog *engine.ReportLog

	replication int   // counts from 1
	err         error // the first error; nothing is written after it
}

// decisions returns the decision log of the trial, or nil if decisions are not
// logged.
func (t *detailWriter) decisions() engine.DecisionLog {
	if t.details.Decisions == nil {
		return nil
	}
	return t
}

// Decision writes one decision.
func (t *detailWriter) Decision(o *measure.Outcome, keys []int32, level, retryAt int64) {
	if t.err != nil {
		return
	}
	row := Decision{
		Scenario: t.plan.scenario.Name, Algorithm: t.algorithm,
		Tenant: t.plan.traffic.TenantName(int(o.Tenant)),
		Client: o.Client, Attempt: o.Attempt, Fresh: o.Fresh, Try: o.Try, Cost: o.Cost, ArrivalNs: o.Arrival, DecidedNs: o.Decided,
		DispatchedNs: -1, RetryAfterNs: -1, Verdict: "rejected", Cause: o.Verdict.Cause().String(),
	}
	row.Keys = make([]string, len(keys))
	for i, key := range keys {
		row.Keys[i] = t.plan.traffic.KeyName(int(key))
	}
	if len(keys) > 0 {
		row.Key = row.Keys[0]
	}
	if level != engine.UnknownLevel {
		row.Level = &level
	}
	if retryAt != counting.Never {
		row.RetryAfterNs = max(0, retryAt-o.Decided)
	}
	switch {
	case o.Waiting:
		row.Verdict, row.Cause, row.DecidedNs = "waiting", "", -1
	case o.Verdict.Admitted():
		row.Verdict, row.DispatchedNs = "admitted", o.Dispatched
	}
	t.err = t.details.Decisions(&row)
}

// windows returns the recorder's callback for closed windows, or nil.
func (t *detailWriter) windows() func(measure.Window) {
	if t.details.Windows == nil {
		return nil
	}
	return func(w measure.Window) {
		if t.err != nil {
			return
		}
		t.err = t.details.Windows(&Window{t.plan.scenario.Name, t.algorithm, t.plan.traffic.KeyName(int(w.Key)), w})
	}
}

// close writes the reports without an end and the totals of the keys and servers,
// and returns the first error of the trial.
func (t *detailWriter) close(r *measure.Recorder) error {
	if t.reportLog != nil {
		t.reportLog.Close()
	}
	for key := 0; t.details.Keys != nil && key < t.plan.traffic.Keys() && t.err == nil; key++ {
		totals := r.KeyTotals(int32(key))
		if totals.Offered == 0 && totals.Admitted == 0 {
			continue
		}
		totals.Key = t.plan.traffic.KeyName(key)
		t.err = t.details.Keys(&Key{t.plan.scenario.Name, t.algorithm, totals})
	}
	for _, load := range r.ServerLoads() {
		if t.details.Servers == nil || t.err != nil {
			break
		}
		t.err = t.details.Servers(&Server{t.plan.scenario.Name, t.algorithm, load})
	}
	return t.err
}
