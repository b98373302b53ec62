package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// cautionNotes returns notes on comparisons that say less than they seem to: of traffic that
// no exact limiter refuses, or that is none, of counters that do not know the policy's burst
// if columns show an excess of theirs, and of requests that are only late.
func cautionNotes(rows []results.Result, labels, columns []string) (notes []string) {
	var counted groups.Groups[string, string]
	for i, r := range rows {
		if x := r.Summary("burst_excess").Mean; r.Counts != "" && x != nil && *x > 0 && slices.Contains(columns, "burst_excess") {
			counted.Add(r.Counts, labels[i])
		}
	}
	for _, name := range counted.Keys {
		notes = append(notes, fmt.Sprintf("%s counts in %s: it does not know the policy's burst, so burst excess may be the counter's alone",
			name, subset(counted.Of[name], labels)))
	}
	switch {
	case len(rows) > 0 && lists.Count(rows, arrivesNothing) == len(rows):
		return append(notes, "no request arrived in the measured span")
	case !untested(rows):
		return notes
	}
	notes = append(notes, "no limiter had to refuse: the reference admits every request, so rows can differ only in what they refuse wrongly")
	var late []string
	for i, r := range rows {
		if isLate(r) {
			late = append(late, labels[i])
		}
	}
	if late != nil {
		notes = append(notes, fmt.Sprintf("over- and under-admission of %s: requests that are admitted later than in the reference and so in another window; none is refused", strings.Join(late, ", ")))
	}
	return notes
}

// untested reports whether every reference of the rows admits every request.
func untested(rows []results.Result) bool {
	references := lists.Where(rows, func(r results.Result) bool { return r.Reference })
	return lists.Count(references, admitsAll) == len(references) && len(references) > 0
}

// arrivesNothing reports whether a row has no request in any replication.
func arrivesNothing(r results.Result) bool {
	offered := r.Summary("offered_requests").Mean
	return offered != nil && *offered == 0
}

// admitsAll reports whether a row refuses no request in any replication, and lets none wait.
func admitsAll(r results.Result) bool {
	rejected, delayed := r.Summary("rejected_requests").Mean, r.Summary("delayed_requests").Mean
	return rejected != nil && *rejected == 0 && (delayed == nil || *delayed == 0)
}

// isLate reports whether a row admits every request, some of them in another window than the
// reference.
func isLate(r results.Result) bool {
	over := r.Summary("over_admission_pct").Mean
	return !r.Reference && r.Live == nil && over != nil && *over > 0 && admitsAll(r)
}
