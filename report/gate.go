package report

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/sim/results"
)

// Evaluate holds every expectation of the document against its figure. The bad
// end of the figure's 95 % interval decides: the upper end for <= and <, the
// lower for >= and >, both for ==. A row that draws no random number is exact
// and its mean decides. No figure, no row, no interval: unevaluated.
func Evaluate(doc *results.Document) Verdicts {
	verdicts := Verdicts{Partial: doc.Partial, Stamp: doc.Stamp}
	for _, part := range doc.PerScenario() {
		s := part.Scenarios[0]
		verdicts.List = append(verdicts.List, evaluate(doc, s, part.Rows(s.Name))...)
	}
	return verdicts
}

// Lines writes each verdict in one line.
func (v Verdicts) Lines() []string {
	lines := make([]string, len(v.List))
	for i, one := range v.List {
		lines[i] = one.String()
	}
	return lines
}

// evaluate holds the expectations of one scenario against its rows.
func evaluate(doc *results.Document, s results.Scenario, rows []results.Result) (list []Verdict) {
	if len(s.Expectations) == 0 {
		return nil
	}
	named := rowsByName(rows)
	for _, e := range s.Expectations {
		v := Verdict{
			Scenario: s.Name, Algorithm: e.Algorithm, Metric: e.Metric,
			Op: e.Op, Threshold: e.Threshold, Seed: s.Seed, File: ScenarioFile(doc.Stamp), Line: e.Line, Col: e.Col,
		}
		if row := named[e.Algorithm]; row != nil {
			v.judge(*row)
		} else if doc.Partial {
			v.Reason = "no result: the run was interrupted before it"
		} else {
			v.Reason = "no result for this algorithm"
		}
		list = append(list, v)
	}
	return list
}

// ScenarioFile is the path of the file that the document was made from; "" for
// standard input and for a suite that ships with the program.
func ScenarioFile(s results.Stamp) string {
	if s.ScenarioFile == "-" || strings.HasPrefix(s.ScenarioFile, "suite:") {
		return ""
	}
	return s.ScenarioFile
}

// rowsByName finds an algorithm's row; a row of the reference only where no
// algorithm has that name.
func rowsByName(rows []results.Result) map[string]*results.Result {
	named := make(map[string]*results.Result, len(rows))
	for i := range rows {
		if old := named[rows[i].Algorithm]; old == nil || old.Reference {
			named[rows[i].Algorithm] = &rows[i]
		}
	}
	return named
}

// judge fills in figure, bad end, status and reason.
func (v *Verdict) judge(row results.Result) {
	s := row.Summary(v.Metric)
	if s.Mean == nil {
		v.Reason = "no data: " + s.Reason
		return
	}
	v.Figure = s.Mean
	lo, hi := s.Lo, s.Hi
	switch {
	case row.Exact && lo == nil:
		lo, hi = s.Mean, s.Mean
	case !row.Exact && row.Replications < 2:
		v.Reason = "too few replications: one random run has no interval"
		return
	case lo == nil || hi == nil:
		v.Reason = "the figure has no interval"
		return
	}
	var holds bool
	switch v.Op {
	case "<=":
		v.BadEnd, holds = hi, *hi <= v.Threshold
	case "<":
		v.BadEnd, holds = hi, *hi < v.Threshold
	case ">=":
		v.BadEnd, holds = lo, *lo >= v.Threshold
	case ">":
		v.BadEnd, holds = lo, *lo > v.Threshold
	case "==":
		v.BadEnd = lo
		if *lo == v.Threshold {
			v.BadEnd = hi
		}
		holds = *lo == v.Threshold && *hi == v.Threshold
	default:
		v.Reason = fmt.Sprintf("unknown comparison %q", v.Op)
		return
	}
	v.Status = Failed
	if holds {
		v.Status = Passed
	}
}
