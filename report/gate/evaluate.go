package gate

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Evaluate compares every threshold of the document with its metric. It uses
// the unfavourable bound of the metric's 95 % interval: the upper one for <=
// and <, the lower one for >= and >, both for ==. For a deterministic row it
// uses the mean. Of a real limiter, a check fails only if it is broken whatever the truth
// between the bounds is, passes only if it holds in any case, and is unevaluated
// otherwise. Without a value, a row or an interval the check is
// unevaluated, and so it is if a fault that can affect the row touched nothing. It
// leaves out what only a baseline can judge.
func Evaluate(doc *results.Document) Verdicts {
	verdicts := Verdicts{Partial: doc.Partial, Stamp: doc.Stamp}
	for _, part := range doc.PerScenario() {
		s := part.Scenarios[0]
		for _, e := range s.Expectations {
			if e.Op == catalog.NotWorse {
				continue // package baseline judges it
			}
			v := Verdict{
				Scenario: s.Name, Algorithm: e.Algorithm, Metric: e.Metric,
				Op: e.Op, Threshold: e.Threshold, Seed: s.Seed, File: ScenarioFile(doc.Stamp), Line: e.Line, Col: e.Col,
			}
			switch row := RowOf(part, s.Name, e.Algorithm); {
			case row >= 0 && len(s.Missed(part.Results[row])) > 0:
				v.Reason = untouched(s.Missed(part.Results[row]))
			case row >= 0:
				v.judge(part.Results[row], doc.Partial)
			case doc.Partial:
				v.Reason = "no result: the run was interrupted before it"
			default:
				v.Reason = "no result for this algorithm"
			}
			verdicts.List = append(verdicts.List, v)
		}
	}
	return verdicts
}

// WithoutBaseline returns an unevaluated verdict for each expectation that only a
// baseline can judge.
func WithoutBaseline(doc *results.Document) (list []Verdict) {
	for _, s := range doc.Scenarios {
		for _, e := range s.Expectations {
			if e.Op == catalog.NotWorse {
				list = append(list, Verdict{
					Scenario: s.Name, Algorithm: e.Algorithm, Metric: e.Metric,
					Seed: s.Seed, File: ScenarioFile(doc.Stamp), Line: e.Line, Col: e.Col,
					Reason: "there is no baseline: give one with --baseline",
					Change: &Change{NotWorse: MarginText(e)},
				})
			}
		}
	}
	return list
}

// MarginText returns the margin of an expectation as verdicts print it: "5 %" of the
// baseline's figure, or "0.5".
func MarginText(e results.Expectation) string {
	if e.Relative {
		return format.Exact(e.Threshold) + " %"
	}
	return format.Exact(e.Threshold)
}

// untouched states why the figures of a row say nothing about faults that
// touched nothing.
func untouched(missed []results.Fault) string {
	texts := lists.Map(missed, func(f results.Fault) string { return fmt.Sprintf("%s touched 0 %s", f.Text, f.Unit) })
	return strings.Join(texts, ", ") + ": the figure is that of a run without the fault"
}

// ScenarioFile returns the path of the file behind the document, or "" if it
// came from standard input or from a suite that ships with the program.
func ScenarioFile(s results.Stamp) string {
	if s.ScenarioFile == "-" || strings.HasPrefix(s.ScenarioFile, "suite:") {
		return ""
	}
	return s.ScenarioFile
}

// RowOf returns the index of an algorithm's row in a scenario, or -1. A row of
// the reference counts only if no algorithm has its name.
func RowOf(doc *results.Document, scenario, algorithm string) int {
	reference := -1
	for i, r := range doc.Results {
		switch {
		case r.Scenario != scenario || r.Algorithm != algorithm:
		case !r.Reference:
			return i
		case reference < 0:
			reference = i
		}
	}
	return reference
}

// judge sets the value, the unfavourable bound, the status and the reason. Of an
// interrupted run, whose rows may lack replications, an interval fails only as a whole.
func (v *Verdict) judge(row results.Result, interrupted bool) {
	s := row.Summary(v.Metric)
	if s.Mean == nil {
		v.Reason = "no data: " + s.Reason
		return
	}
	v.Figure = s.Mean
	lo, hi := s.Lo, s.Hi
	switch {
	case row.Live != nil:
		v.judgeBounds(row.Live, s)
		return
	case row.Exact && lo == nil:
		lo, hi = s.Mean, s.Mean
	case !row.Exact && row.Replications < 2:
		v.Reason = "too few replications: one random run has no interval"
		return
	case lo == nil || hi == nil:
		v.Reason = "the figure has no interval"
		if _, with := s.Observations(); with == 1 {
			v.Reason += fmt.Sprintf(": it is of one of %d replications", row.Replications)
		}
		return
	}
	v.Note = noteOf(row, s)
	badEnd, holds, possible, known := compare(v.Op, lo, hi, v.Threshold)
	if !known {
		v.Reason = fmt.Sprintf("unknown comparison %q", v.Op)
		return
	}
	if s.AtLeast && holds && strings.HasPrefix(v.Op, "<") {
		v.Reason = "the figure is larger than what is known: the run ended before"
		return
	}
	if interrupted && possible && !holds {
		v.Reason = fmt.Sprintf("the run was interrupted: with %d replications the interval is from %s to %s", row.Replications, format.Number(*lo), format.Number(*hi))
		return
	}
	v.BadEnd, v.Status = badEnd, Failed
	if holds {
		v.Status = Passed
	}
}

// noteOf says if the interval of a figure is less sure than it seems.
func noteOf(row results.Result, s results.Summary) string {
	switch {
	case row.Exact:
		return ""
	case s.Equal():
		return results.EqualText(row.Replications)
	case s.ReplicationsNeeded > 0:
		return fmt.Sprintf("the interval may be too small: the replications are skewed, about %d would do", s.ReplicationsNeeded)
	}
	return ""
}

// judgeBounds judges a figure of a real limiter, which is known to lie between bounds.
func (v *Verdict) judgeBounds(l *results.Live, s results.Summary) {
	v.Live = true
	if !s.Bounds {
		v.Reason = "the figure has no bounds"
		return
	}
	badEnd, holds, possible, known := compare(v.Op, s.Lo, s.Hi, v.Threshold)
	switch {
	case !known:
		v.Reason = fmt.Sprintf("unknown comparison %q", v.Op)
	case !possible:
		v.BadEnd, v.Status = badEnd, Failed
	case !holds:
		v.Reason = fmt.Sprintf("the figure is from %s to %s: it may hold or not", format.Number(*s.Lo), format.Number(*s.Hi))
	case l.Unevaluated != "":
		v.Reason = l.Unevaluated
	default:
		v.BadEnd, v.Status = badEnd, Passed
	}
}

// Holds reports whether a figure meets a threshold: <=, <, >=, > or ==. No figure meets
// one with another operator.
func Holds(op string, figure, threshold float64) bool {
	_, all, _, known := compare(op, &figure, &figure, threshold)
	return known && all
}

// compare holds a figure from lo to hi against a threshold. It returns the bound that is
// the less favourable one, whether the comparison holds for all figures between the
// bounds, and whether it holds for any. known is false for an unknown operator.
func compare(op string, lo, hi *float64, threshold float64) (badEnd *float64, all, any, known bool) {
	switch op {
	case "<=":
		return hi, *hi <= threshold, *lo <= threshold, true
	case "<":
		return hi, *hi < threshold, *lo < threshold, true
	case ">=":
		return lo, *lo >= threshold, *hi >= threshold, true
	case ">":
		return lo, *lo > threshold, *hi > threshold, true
	case "==":
		badEnd = lo
		if *lo == threshold {
			badEnd = hi
		}
		return badEnd, *lo == threshold && *hi == threshold, *lo <= threshold && threshold <= *hi, true
	}
	return nil, false, false, false
}
