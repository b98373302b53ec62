package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// checkRecorded returns why the limiter that wrote the logs cannot be judged in
// this scenario.
func (p *plan) checkRecorded() (problems []scenarios.Problem) {
	s := p.scenario
	report := func(field, text string, args ...any) {
		problems = append(problems, scenarios.Problem{Pos: s.Pos, Field: field, Message: fmt.Sprintf(text, args...)})
	}
	for i := range s.Traffic {
		if r := p.recordings[i]; r == nil || !r.HasVerdicts() {
			report(fmt.Sprintf(".traffic[%d]", i), "has no verdict_field, and other traffic of the scenario has: the limiter that wrote a log can only be judged on that log alone")
		}
	}
	if s.Retry() {
		report(".retries", "a log holds the retries of its callers: remove retries, or the verdict_field of the traffic")
	}
	if slices.ContainsFunc(s.Algorithms, func(a scenarios.Algorithm) bool { return a.Name == scenarios.Recorded }) {
		report(".algorithms", "%s is the name of the limiter that wrote the log: give the algorithm another name", scenarios.Recorded)
	}
	return problems
}

// resolution returns the largest step of the time stamps of recordings in ns, 0
// without any.
func (p *plan) resolution() (step int64) {
	for _, r := range p.recordings {
		step = max(step, r.Facts.StepNs)
	}
	return step
}

// unseen begins the names of metrics of what a log does not hold.
var unseen = []string{"decision_latency_", "wait_", "waiting_", "staleness_", "gave_up_", "timed_out_"}

// limitRecorded replaces the figures of the recorded row that its log cannot
// give by the reason: those of what no log holds, and those that are not above
// what the resolution of the stamps may shift.
func (p *plan) limitRecorded(figures []measure.Figure, policy *scenarios.Policy) {
	kind, limit := exactKinds[policy.Reference.Kind].kind, referenceLimit(policy)
	step := p.resolution()
	refill := integers.MulDiv(limit.Count, step, limit.Window, math.MaxInt64)
	blurred := fmt.Sprintf("stamps resolve to %s, in which the limit refills %d", measure.ScaleName(step), refill)
	for i := range figures {
		f := &figures[i]
		none := ""
		switch f.Name {
		case "burst_excess", "burst_excess_s", "accumulated_excess":
			excess := f.Value.X
			if f.Name == "burst_excess_s" {
				excess *= float64(limit.Count) / (float64(limit.Window) / 1e9)
			}
			if kind == measure.TokenBucket && refill > 0 && excess <= float64(refill) {
				none = blurred
			}
		case "over_admission_pct", "under_admission_pct", "long_run_error_pct", "false_reject_pct", "lead_max", "lag_max":
			if kind == measure.TokenBucket && refill >= limit.Burst && refill > 0 {
				none = blurred + ", a whole bucket"
			}
		default:
			if slices.ContainsFunc(unseen, func(name string) bool { return strings.HasPrefix(f.Name, name) }) {
				none = "the log does not say when and on what knowledge its limiter decided"
			}
		}
		if none != "" && f.Value.NoData == "" {
			f.Value = measure.NoData(none)
		}
	}
}

// warnRecorded returns what a reader of the recorded row must know.
func (p *plan) warnRecorded() []string {
	if !p.traffic.SomeVerdicts() {
		return nil
	}
	step := p.resolution()
	refill := 0.0 // of the fastest policy
	for _, policy := range p.scenario.Policies() {
		limit := referenceLimit(&policy)
		refill = max(refill, float64(limit.Count)*float64(step)/float64(limit.Window))
	}
	return []string{fmt.Sprintf("recorded is the limiter that wrote the log, judged at the log's stamps: they resolve to %s, in which the limit refills %s, "+
		"so figures of bursts hold to that; requests with equal stamps keep the order of the log", measure.ScaleName(step), format.Number(refill))}
}
