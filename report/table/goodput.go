package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// ofDeadline names the columns where the backend has a deadline.
var ofDeadline = []string{"goodput_per_s", "answer_p99_ms", "rejected_pct", "refused_excess_pct", "late_excess_pct", "limit_mean", "recover_s"}

// leastEndless is the share of time in probes, in percent, from which it is told.
const leastEndless = 50

// goodputNotes says which fixed limit on concurrency is best, and of each simulated row in
// front of a backend with a deadline whether it keeps up, and what it loses against that
// limit, the worst first.
func goodputNotes(s results.Scenario, rows []results.Result) (notes []string) {
	if s.BestFixed != nil {
		notes = append(notes, bestFixedText(s))
	}
	var endless []string
	for _, r := range simulated(rows) {
		if x := r.Summary("probe_pct").Mean; x != nil && *x >= leastEndless {
			endless = append(endless, r.Label())
		}
	}
	if len(endless) > 0 {
		notes = append(notes, list(endless)+" is in a probe most of the time: too few answers come to end one (option requests)")
	}
	type lost struct {
		text   string
		answer float64
	}
	var same groups.Groups[lost, string]
	best := 0.0
	for _, r := range rows {
		if good := r.Summary("goodput_per_s").Mean; r.Algorithm == results.BestFixed && good != nil {
			best = *good
		}
	}
	for _, r := range simulated(rows) {
		if r.Verdict != "" {
			text, answers := lostText(s, r, best)
			same.Add(lost{text, answers}, r.Label())
		}
	}
	slices.SortStableFunc(same.Keys, func(a, b lost) int { return cmp.Compare(b.answer, a.answer) })
	return append(notes, lists.Map(same.Keys, func(l lost) string { return list(same.Of[l]) + ": " + l.text })...)
}

func bestFixedText(s results.Scenario) string {
	b := s.BestFixed
	if !slices.ContainsFunc(b.Grid, func(p [2]int64) bool { return p[1] > 0 }) {
		return fmt.Sprintf("no fixed limit tried gives a good answer; best-fixed is that of %d", b.Limit)
	}
	text := fmt.Sprintf("best fixed limit %d", b.Limit)
	if s.Clients > 1 {
		text += " for each client"
	}
	if b.Within1Pct[0] < b.Within1Pct[1] {
		text += fmt.Sprintf(" (limits %d to %d are within 1 %%)", b.Within1Pct[0], b.Within1Pct[1])
	}
	if b.Theory > 0 {
		text += fmt.Sprintf("; theory, with exponential services and Poisson traffic: %d", b.Theory)
	}
	return text
}

// lostText returns the verdict of a row and what it loses, and the good answers that it
// loses of a hundred requests, or per second. best is the goodput of the best fixed limit.
func lostText(s results.Scenario, r results.Result, best float64) (text string, answers float64) {
	lost, late, refused := r.Summary("goodput_lost_pct"), r.Summary("late_excess_pct"), r.Summary("refused_excess_pct")
	if s.BestFixed == nil {
		return r.Verdict, math.Inf(-1)
	}
	against := fmt.Sprintf("a fixed limit of %d", s.BestFixed.Limit)
	if good := r.Summary("goodput_per_s").Mean; lost.Mean == nil && good != nil { // rows have other requests
		return fmt.Sprintf("%s; %s good answers a second, %s with %s", r.Verdict, format.Number(*good), format.Number(best), against), best - *good
	}
	if lost.Mean == nil || late.Mean == nil || refused.Mean == nil {
		return r.Verdict, math.Inf(-1)
	}
	answers = *lost.Mean
	byLate, byRefusals := *late.Mean, *refused.Mean // their sum is what the row loses, or gains
	chance := lost.Lo != nil && *lost.Lo <= 0 && *lost.Hi >= 0
	switch {
	case chance && *lost.Lo == *lost.Hi:
		return fmt.Sprintf("%s; as many good answers as %s", r.Verdict, against), answers
	case chance && math.Abs(answers) < 1: // as near as the limits that are within 1 %
		return fmt.Sprintf("%s; as many good answers as %s, within chance", r.Verdict, against), answers
	case answers < 0:
		byLate, byRefusals = 0-byLate, 0-byRefusals // without a -0
		text = fmt.Sprintf("%s; %s of 100 requests gain a good answer against %s", r.Verdict, format.Number(-answers), against)
	default:
		text = fmt.Sprintf("%s; %s of 100 requests lose their good answer against %s", r.Verdict, format.Number(answers), against)
	}
	text += fmt.Sprintf(": %s by late answers and errors, %s by refusals", format.Number(byLate), format.Number(byRefusals))
	mean, least, most := r.Summary("limit_mean").Mean, r.Summary("limit_min").Mean, r.Summary("limit_max").Mean
	if mean != nil && *least < *most && *mean <= 1.02**least && *mean-*least <= (*most-*least)/10 {
		text += "; its limit was nearly always its least one, " + format.Number(*least)
	}
	if chance {
		text += "; it may be chance: the replications differ too much to tell"
	}
	return text, answers
}
