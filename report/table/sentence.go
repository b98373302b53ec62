package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// claims are statements on the headline metrics: if all figures are 0, and for
// the algorithms with the largest figure.
var claims = []struct{ metric, none, some string }{
	{
		"over_limit_pct", "no algorithm goes over the limit in a saturated window",
		"furthest over the limit: %s, by %s %% in saturated windows",
	},
	{"burst_excess", "no burst goes beyond the policy's", "largest burst beyond the policy's: %s, %s"},
	{
		"over_admission_pct", "none admits more than the reference in any window",
		"furthest above what the reference admits: %s, by %s %%",
	},
	{
		"under_admission_pct", "none admits less than the reference in any window",
		"furthest below what the reference admits: %s, by %s %%",
	},
}

// Sentence summarizes the headline metrics of the simulated rows among the columns of a
// comparison. It names the algorithms with the largest figures. If the columns show over- and
// under-admission, it names those closest to the reference. It is "" if no column is a headline
// metric. Unit is what the limit counts.
func Sentence(rows []results.Result, columns []string, unit string) string {
	switch text := summary(rows, columns, unit); {
	case text == "":
		return ""
	case !slices.ContainsFunc(rows, func(r results.Result) bool { return r.Live != nil }):
		return format.Capital(text)
	default: // the figures of a real limiter may be larger than those that are called the largest
		return "In simulation, " + text
	}
}

// summary returns the part of Sentence on simulated rows, which begins in lower case.
func summary(rows []results.Result, columns []string, unit string) string {
	algorithms := simulated(rows)
	var reference *float64 // its over-limit
	if i := slices.IndexFunc(rows, func(r results.Result) bool { return r.Reference }); i >= 0 {
		reference = rows[i].Summary("over_limit_pct").Mean
	}
	shown := func(metric string) bool { return slices.Contains(columns, metric) }
	if len(algorithms) == 0 || !slices.ContainsFunc(catalog.Headline(), shown) {
		return ""
	}
	late := untested(rows)
	var parts []string
	for _, c := range claims {
		if !shown(c.metric) {
			continue
		}
		x, names, ok := largest(algorithms, func(r results.Result) *float64 {
			if late && isLate(r) && c.metric == "over_admission_pct" {
				return nil // it admits nothing that the reference does not
			}
			return r.Summary(c.metric).Mean
		})
		switch {
		case !ok:
			continue
		case x == 0:
			if c.metric != "over_admission_pct" || !late || !slices.ContainsFunc(algorithms, isLate) {
				parts = append(parts, c.none)
			}
			continue
		}
		number := format.Number(x)
		if c.metric == "burst_excess" {
			number = format.InUnits(x, unit)
		}
		text := fmt.Sprintf(c.some, list(names), number)
		switch {
		case c.metric == "over_limit_pct" && reference != nil:
			text += fmt.Sprintf(" (reference %s %%", format.Number(*reference))
			if *reference > 0 { // a bucket's burst, beside one window's refill
				text += ", its burst"
			}
			text += ")"
		case c.metric == "under_admission_pct" && refusesNothing(algorithms, names):
			// A request that is admitted in a later window than in the reference
			// is missing from the earlier one.
			text += ", late and not refused"
		}
		parts = append(parts, text)
	}
	if names, distance, near := closest(algorithms); shown("over_admission_pct") && shown("under_admission_pct") && len(algorithms) > 1 && names != nil {
		text := fmt.Sprintf("closest to the reference: %s, %s %% over and under it", list(names), format.Number(distance))
		if near != nil {
			text += ", and within chance of that " + list(lists.Map(near, func(r results.Result) string {
				return fmt.Sprintf("%s (%s %%)", r.Algorithm, format.Number(*r.Distance().Mean))
			}))
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 && !late {
		return "none of the headline figures has data here."
	}
	if len(parts) == 0 {
		return "" // what is only late is said in a note
	}
	return strings.Join(parts, "; ") + "."
}

// simulated returns the rows of algorithms that were simulated.
func simulated(rows []results.Result) []results.Result {
	return lists.Where(rows, func(r results.Result) bool { return !r.Reference && r.Live == nil })
}

// largest returns the largest figure and the algorithms that share it. It reports
// false if no row has a figure.
func largest(rows []results.Result, figure func(results.Result) *float64) (x float64, names []string, ok bool) {
	for _, r := range rows {
		switch y := figure(r); {
		case y == nil:
		case names == nil || *y > x:
			x, names = *y, []string{r.Algorithm}
		case *y == x:
			names = append(names, r.Algorithm)
		}
	}
	return x, names, names != nil
}

// refusesNothing reports whether all named algorithms admit every request.
func refusesNothing(rows []results.Result, names []string) bool {
	return !slices.ContainsFunc(rows, func(r results.Result) bool {
		rejected := r.Summary("rejected_pct").Mean
		return slices.Contains(names, r.Algorithm) && (rejected == nil || *rejected > 0)
	})
}

// list writes names as prose, with at most three of them.
func list(names []string) string {
	if n := len(names); n > 3 {
		return fmt.Sprintf("%s, %s and %d others", names[0], names[1], n-2)
	}
	return format.List(names, "and")
}
