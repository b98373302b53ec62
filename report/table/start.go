package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

const (
	leastStart  = 0.1 // points by which the start must differ, even if no number is random
	namedStarts = 3   // rows that the note names

	startWindows = 3 // windows of the start
)

// startNotes returns a note if the first three windows of rows differ from the
// rest of the run: their over-limit differs by more than half of the interval of
// over_limit_pct, by more than half of the interval of the difference, and by
// more than leastStart. After a warm-up of three windows there is no note,
// because the first windows measured are not the start. A row of one random run has
// no interval, so the note says that its difference may be chance.
func startNotes(s results.Scenario, rows []results.Result, labels []string) []string {
	if !format.IsDate(s.StartNs) && s.StartNs >= startWindows*longestWindow(s) {
		return nil
	}
	type start struct {
		label           string
		first, rest, by float64
	}
	var starts []start
	byChance := false // a row of one random run has no interval
	for i, r := range rows {
		by := r.Start()
		if by.Mean == nil {
			continue
		}
		if size := math.Abs(*by.Mean); size > max(leastStart, by.Spread(), r.Summary("over_limit_pct").Spread()) {
			byChance = byChance || !r.Exact && r.Replications == 1
			starts = append(starts, start{labels[i], *r.Summary("over_limit_first_windows_pct").Mean, *r.Summary("over_limit_rest_pct").Mean, size})
		}
	}
	if len(starts) == 0 {
		return nil
	}
	slices.SortStableFunc(starts, func(a, b start) int { return cmp.Compare(b.by, a.by) })
	var parts []string
	for i, one := range starts[:min(len(starts), namedStarts)] {
		text := fmt.Sprintf("%s %s %% and %s %%", one.label, format.Number(one.first), format.Number(one.rest))
		if i == 0 {
			text = fmt.Sprintf("%s %s %% over the limit in its first three windows, %s %% after", one.label, format.Number(one.first), format.Number(one.rest))
		}
		parts = append(parts, text)
	}
	note := "the start differs: " + strings.Join(parts, "; ")
	if more := len(starts) - namedStarts; more > 0 {
		note += fmt.Sprintf("; and %d more", more)
	}
	if byChance {
		note += ", perhaps by chance in one random run"
	}
	return []string{note + "; " + steadyAdvice(s)}
}

func longestWindow(s results.Scenario) int64 {
	window := s.Policy.WindowNs
	for _, p := range s.Policies {
		window = max(window, p.WindowNs)
	}
	return window
}

// steadyAdvice tells how to measure a run without its start. It does not promise a
// steady state: a fault or a step can make the rest differ.
func steadyAdvice(s results.Scenario) string {
	if format.IsDate(s.StartNs) {
		return "over_limit_rest_pct leaves the start out, where the log's traffic may differ, too"
	}
	return fmt.Sprintf("set warmup: %s to leave the start out", strings.ReplaceAll(format.Span(startWindows*longestWindow(s)), " ", ""))
}
