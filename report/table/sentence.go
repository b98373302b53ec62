package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/results"
)

// Sentence summarizes the three headline metrics of a comparison. It names the
// algorithms with the largest over-limit, the largest burst excess and the
// largest under-admission, and the one closest to the reference.
func Sentence(s results.Scenario, rows []results.Result) string {
	var algorithms []results.Result
	var reference *results.Result
	for i, r := range rows {
		if !r.Reference {
			algorithms = append(algorithms, r)
		} else if reference == nil {
			reference = &rows[i]
		}
	}
	if len(algorithms) == 0 {
		return ""
	}
	parts := []string{
		furthestOver(algorithms, reference),
		largestBurst(algorithms),
		furthestBelow(algorithms),
	}
	if len(algorithms) > 1 {
		parts = append(parts, closest(s, algorithms, reference))
	}
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	if len(said) == 0 {
		return "None of the three headline figures has data here."
	}
	text := strings.Join(said, "; ")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// worst returns the largest mean of the metric and the algorithms that share it.
// It reports false if no row has a figure.
func worst(rows []results.Result, metric string) (x float64, names []string, ok bool) {
	for _, r := range rows {
		s := r.Summary(metric)
		if s.Mean == nil {
			continue
		}
		switch {
		case !ok || *s.Mean > x:
			x, names, ok = *s.Mean, []string{r.Algorithm}, true
		case *s.Mean == x:
			names = append(names, r.Algorithm)
		}
	}
	return x, names, ok
}

func furthestOver(rows []results.Result, reference *results.Result) string {
	x, names, ok := worst(rows, "over_limit_pct")
	switch {
	case !ok:
		return ""
	case x == 0:
		return "no algorithm goes over the limit in a saturated window"
	}
	text := fmt.Sprintf("furthest over the limit: %s, by %s %% in saturated windows", list(names), format.Number(x))
	if reference != nil {
		if ref := reference.Summary("over_limit_pct"); ref.Mean != nil {
			text += fmt.Sprintf(" (reference %s %%)", format.Number(*ref.Mean))
		}
	}
	return text
}

func largestBurst(rows []results.Result) string {
	x, names, ok := worst(rows, "burst_excess")
	switch {
	case !ok:
		return ""
	case x == 0:
		return "no burst goes beyond the policy's"
	}
	return fmt.Sprintf("largest burst beyond the policy's: %s, %s requests", list(names), format.Number(x))
}

// furthestBelow describes under-admission. Under-admitted requests need not be
// rejected: a request that is admitted in a later window than in the reference is
// missing from the earlier one.
func furthestBelow(rows []results.Result) string {
	x, names, ok := worst(rows, "under_admission_pct")
	switch {
	case !ok:
		return ""
	case x == 0:
		return "none admits less than the reference in any window"
	}
	text := fmt.Sprintf("furthest below what the reference admits: %s, by %s %%", list(names), format.Number(x))
	if refusesNothing(rows, names) {
		text += ", late and not refused"
	}
	return text
}

// refusesNothing reports whether all named algorithms admit every request.
func refusesNothing(rows []results.Result, names []string) bool {
	for _, r := range rows {
		if !slices.Contains(names, r.Algorithm) {
			continue
		}
		if rejected := r.Summary("rejected_pct").Mean; rejected == nil || *rejected > 0 {
			return false
		}
	}
	return true
}

// closest returns the algorithm with the smallest sum of over-limit beyond that
// of the reference, under-admission, and burst excess as a share of the limit,
// all in percent. Rows without under-admission or burst excess are skipped.
func closest(s results.Scenario, rows []results.Result, reference *results.Result) string {
	base := 0.0
	if reference != nil {
		if ref := reference.Summary("over_limit_pct"); ref.Mean != nil {
			base = *ref.Mean
		}
	}
	var least float64
	var names []string
	for _, r := range rows {
		over, burst, under := r.Summary("over_limit_pct"), r.Summary("burst_excess"), r.Summary("under_admission_pct")
		if burst.Mean == nil || under.Mean == nil || s.Policy.Limit <= 0 {
			continue
		}
		distance := *under.Mean + 100**burst.Mean/float64(s.Policy.Limit)
		// A row without a saturated window has no over-limit, which counts as
		// 0.
		if over.Mean != nil {
			distance += max(0, *over.Mean-base)
		}
		switch {
		case len(names) == 0 || distance < least:
			least, names = distance, []string{r.Algorithm}
		case distance == least:
			names = append(names, r.Algorithm)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "closest to the reference over all three: " + list(names)
}

// list writes names as prose, with at most three of them.
func list(names []string) string {
	switch n := len(names); {
	case n == 1:
		return names[0]
	case n > 3:
		return fmt.Sprintf("%s, %s and %d others", names[0], names[1], n-2)
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
