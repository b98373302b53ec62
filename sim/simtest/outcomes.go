package simtest

import "github.com/limitgauge/limitgauge/sim"

// Outcome is how one attempt ended, as the decision log reports it. Times are in
// ns; -1 means that it has not happened.
type Outcome struct {
	Decided, Dispatched int64
	Verdict, Cause      string
}

// Waiting is the outcome of an attempt that still waits at the end.
var Waiting = Outcome{Decided: -1, Dispatched: -1, Verdict: "waiting"}

// Admitted returns the outcome of an attempt that is admitted and dispatched at
// now.
func Admitted(now int64, cause string) Outcome {
	return Outcome{Decided: now, Dispatched: now, Verdict: "admitted", Cause: cause}
}

// Rejected returns the outcome of an attempt that is rejected at now.
func Rejected(now int64, cause string) Outcome {
	return Outcome{Decided: now, Dispatched: -1, Verdict: "rejected", Cause: cause}
}

// Outcomes runs a scenario file of one scenario and replication, and returns the
// outcomes of the attempts under an algorithm, by the number of the attempt.
func Outcomes(t T, text, algorithm string) []Outcome {
	t.Helper()
	rows := Decisions(t, text)[algorithm]
	out := make([]Outcome, len(rows))
	for _, d := range rows {
		out[d.Attempt] = Outcome{Decided: d.DecidedNs, Dispatched: d.DispatchedNs, Verdict: d.Verdict, Cause: d.Cause}
	}
	return out
}

// Decisions runs a scenario file and returns the decision log of each algorithm,
// in the order in which the run writes it.
func Decisions(t T, text string) map[string][]sim.Decision {
	t.Helper()
	rows := map[string][]sim.Decision{}
	RunWith(t, text, sim.Options{Workers: 1, Details: sim.Details{Decisions: func(d *sim.Decision) error {
		rows[d.Algorithm] = append(rows[d.Algorithm], *d)
		return nil
	}}})
	return rows
}
