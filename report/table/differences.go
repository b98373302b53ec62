package table

import (
	"fmt"
	"time"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// differenceNotes states, for each row that is compared with an exact counter, how
// many requests it decides otherwise, and the first of them.
func differenceNotes(rows []results.Result) (notes []string) {
	for _, r := range rows {
		differing, tolerated := r.Summary("differing_verdicts").Mean, r.Summary("tolerated_verdicts").Mean
		if r.As == "" || differing == nil || tolerated == nil {
			continue
		}
		note := fmt.Sprintf("%s decides every request as %s does", r.Algorithm, r.As)
		if latency, delayed := r.Summary("decision_latency_max_ms").Mean, r.Summary("delayed_requests").Mean; latency != nil && *latency > 0 && (delayed == nil || *delayed == 0) {
			note += " at the start or the end of its call" // its figures count the time between
		}
		if *differing == 0 && r.FirstDifference != nil {
			note = fmt.Sprintf("%s decides as %s does in the measured time, and differs outside of it", r.Algorithm, r.As)
		} else if *differing > 0 {
			note = fmt.Sprintf("%s decides %s req otherwise than %s", r.Algorithm, format.Number(*differing), r.As)
		}
		if *tolerated > 0 {
			note += fmt.Sprintf(", but for %s within the tolerance, or the time of a call", format.Number(*tolerated))
		}
		if d := r.FirstDifference; d != nil {
			note += "; the first in " + describeDifference(d, r.As)
		}
		notes = append(notes, note)
	}
	return notes
}

// describeDifference names an attempt and both verdicts.
func describeDifference(d *results.Difference, as string) string {
	how := fmt.Sprintf("rejects and %s admits", as)
	switch {
	case d.Waits:
		how = fmt.Sprintf("lets wait to the end and %s %s", as, map[bool]string{true: "rejects", false: "admits"}[d.Admitted])
	case d.EarlyNs != 0 && d.Admitted:
		how = fmt.Sprintf("dispatches %s %s does", d.Apart(), as)
	case d.EarlyNs > 0:
		how = fmt.Sprintf("rejects as %s does, but with a time to retry after that is %v too early", as, time.Duration(d.EarlyNs))
	case d.Admitted:
		how = fmt.Sprintf("admits and %s rejects", as)
	}
	return fmt.Sprintf("replication %d: request %d at %s, client %d, key %s, cost %d, which it %s",
		d.Replication, d.Attempt+1, format.Instant(d.AtNs), d.Client, d.Key, d.Cost, how)
}
