package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/results"
)

const (
	leastDrift  = 0.1 // points by which the halves must differ, even if no number is random
	namedDrifts = 3   // rows that the note names
)

// drift is a difference between the halves of the measured span.
type drift struct {
	text     string
	points   float64 // its size, in percent of the limit if it is a burst
	byChance bool    // one random run has no interval
}

// halfNotes returns a note if headline figures of the second half of the measured span
// differ from those of the first: if the interval of the difference excludes 0 and it is
// at least leastDrift. After a warm-up that should leave the start out, intervals cover
// for all figures of the table together: a steady scenario then has a note in at most 5 %
// of the cases. Figures of a single random run have no interval: they must differ by half.
// The note names the figure of each row that differs most, and says what to do. There is
// also a note if the start fills so much of the span that its halves may agree.
func halfNotes(s results.Scenario, rows []results.Result, labels []string, registry []catalog.Metric) []string {
	if _, ofRates := Leading(rows); !ofRates {
		return nil
	}
	figures := 0
	for _, r := range rows {
		figures += lists.Count(catalog.Headline(), func(metric string) bool { return len(r.Drift(metric)) > 1 })
	}
	if s.StartNs < s.AdvisedWarmupNs {
		figures = 1
	}
	var drifts []drift
	for i, r := range rows {
		var most drift
		for _, metric := range catalog.Headline() {
			d := driftOf(s, r, metric, figures)
			if d.points > most.points {
				c := ColumnOf(metric, registry)
				at := func(half int) string { return format.Number(*r.Halves[metric][half].Mean) + " " + c.Unit }
				most = d
				most.text = fmt.Sprintf("%s %s %s, then %s", labels[i], c.Header, at(0), at(1))
			}
		}
		if most.points > 0 {
			drifts = append(drifts, most)
		}
	}
	switch {
	case len(drifts) == 0 && len(s.Unsteady) == 0 && s.DrainNs > (s.StartNs+s.EndNs)/2:
		return []string{fmt.Sprintf("full buckets drain for about %s, most of this span; ", format.Span(s.DrainNs)) + driftAdvice(s)}
	case len(drifts) == 0:
		return nil
	}
	slices.SortStableFunc(drifts, func(a, b drift) int { return cmp.Compare(b.points, a.points) })
	named := lists.Map(drifts[:min(len(drifts), namedDrifts)], func(d drift) string { return d.text })
	note := "the halves of the span differ: " + strings.Join(named, "; ")
	if more := len(drifts) - namedDrifts; more > 0 {
		note += fmt.Sprintf("; and %d more", more)
	}
	if !slices.ContainsFunc(drifts, func(d drift) bool { return !d.byChance }) {
		note += ", perhaps by chance in one random run"
	}
	return []string{note + "; " + driftAdvice(s)}
}

// driftOf returns the difference of one of so many figures, without a size if it is not
// significant.
func driftOf(s results.Scenario, r results.Result, metric string, figures int) (d drift) {
	values := r.Drift(metric)
	if len(values) == 0 {
		return d
	}
	d.byChance = len(values) == 1 && !r.Exact
	by := stats.OfMeanAmong(figures, values)
	points := math.Abs(by.Mean)
	if limit := s.Policy.Limit; metric == "burst_excess" && limit > 0 {
		points *= 100 / float64(limit)
	}
	larger := max(*r.Halves[metric][0].Mean, *r.Halves[metric][1].Mean)
	significant := len(values) == 1 || math.Abs(by.Mean) > by.Half
	if points >= leastDrift && significant && (!d.byChance || 2*math.Abs(by.Mean) >= larger) {
		d.points = points
	}
	return d
}

// driftAdvice tells why the halves may differ and what to do.
func driftAdvice(s results.Scenario) string {
	warmUp, span, text := s.AdvisedWarmupNs, s.EndNs-s.StartNs, units.FormatDuration
	switch {
	case len(s.Unsteady) > 0:
		return "the reason may be the start, or " + strings.Join(s.Unsteady, ", or ")
	case warmUp == 0:
		return "set a warmup to leave the start out"
	case warmUp <= s.StartNs:
		return fmt.Sprintf("the warm-up is long enough for the reference (%s), so a limiter may need more time, or go through a cycle", text(warmUp))
	case warmUp > span:
		return fmt.Sprintf("the start lasts longer than this span of %s: set warmup: %s and duration: %s to leave it out", text(span), text(warmUp), text(2*warmUp))
	case 2*warmUp > s.EndNs:
		return fmt.Sprintf("set warmup: %s and duration: %s to leave the start out", text(warmUp), text(2*warmUp))
	}
	return fmt.Sprintf("set warmup: %s to leave the start out", text(warmUp))
}
