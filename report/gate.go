package report

import (
	"fmt"
	"strconv"

	"github.com/limitgauge/limitgauge/sim/results"
)

// Status is how a threshold fared. Unevaluated is not passed.
type Status int

const (
	Unevaluated Status = iota // the zero value: nothing was shown
	Passed
	Failed
)

func (s Status) String() string {
	switch s {
	case Passed:
		return "passed"
	case Failed:
		return "failed"
	}
	return "unevaluated"
}

// MarshalText writes the status as its word, in JSON too.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Verdict is one threshold held against its figure.
type Verdict struct {
	Scenario  string   `json:"scenario"`
	Algorithm string   `json:"algorithm"`
	Metric    string   `json:"metric"`
	Op        string   `json:"op"`
	Threshold float64  `json:"threshold"`
	Status    Status   `json:"status"`
	Figure    *float64 `json:"figure"`  // the mean; null without one
	BadEnd    *float64 `json:"bad_end"` // the end of the 95 % interval that was compared
	Seed      uint64   `json:"seed"`
	Line      int      `json:"line"` // where the scenario file states it
	Col       int      `json:"col"`
	Reason    string   `json:"reason,omitempty"` // why there is no verdict
}

// String says the verdict in one line: threshold, figure, seed.
func (v Verdict) String() string {
	text := fmt.Sprintf("expect %s: %s %s %s %s", v.Status, v.Algorithm, v.Metric, v.Op, threshold(v.Threshold))
	switch {
	case v.Status == Unevaluated || v.Figure == nil:
		return fmt.Sprintf("%s (%s; seed %d)", text, v.Reason, v.Seed)
	case v.BadEnd != nil && *v.BadEnd != *v.Figure:
		return fmt.Sprintf("%s (was %s, interval to %s, seed %d)", text,
			beside(*v.Figure, v.Threshold), beside(*v.BadEnd, v.Threshold), v.Seed)
	}
	return fmt.Sprintf("%s (was %s, seed %d)", text, beside(*v.Figure, v.Threshold), v.Seed)
}

// threshold writes a threshold in full, as the file had it.
func threshold(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// beside writes x as tables do, or in full where rounding would make it look
// equal to the threshold it is compared with.
func beside(x, limit float64) string {
	if text := figure(x); x == limit || text != figure(limit) {
		return text
	}
	return threshold(x)
}

// Verdicts are all of a document's thresholds, evaluated once: tables,
// Markdown, JSON and exit codes read the same ones.
type Verdicts struct {
	List    []Verdict
	Partial bool // the document's run was interrupted
}

// Count returns how many verdicts have the status.
func (v Verdicts) Count(s Status) (n int) {
	for _, one := range v.List {
		if one.Status == s {
			n++
		}
	}
	return n
}

// Outcome sums up: failed if anything failed; else unevaluated if anything
// could not be evaluated, if there was nothing to evaluate, or if the run was
// interrupted, which may hide scenarios with thresholds of their own; passed
// only if all else passed.
func (v Verdicts) Outcome() Status {
	switch {
	case v.Count(Failed) > 0:
		return Failed
	case len(v.List) == 0 || v.Partial || v.Count(Unevaluated) > 0:
		return Unevaluated
	}
	return Passed
}

// Summary is the outcome in one line, with what kept it from passing.
func (v Verdicts) Summary() string {
	if len(v.List) == 0 {
		return "unevaluated: nothing to check: no scenario states an expect"
	}
	text := fmt.Sprintf("%s: %d passed, %d failed, %d unevaluated",
		v.Outcome(), v.Count(Passed), v.Count(Failed), v.Count(Unevaluated))
	if v.Partial {
		text += "; the run was interrupted, so what is missing is unevaluated"
	}
	return text
}

// Evaluate holds every expectation of the document against its figure. The bad
// end of the figure's 95 % interval decides: the upper end for <= and <, the
// lower for >= and >, both for ==. A row that draws no random number is exact
// and its mean decides. No figure, no row, no interval: unevaluated.
func Evaluate(doc *results.Document) Verdicts {
	verdicts := Verdicts{Partial: doc.Partial}
	for _, s := range doc.Scenarios {
		rows := rowsOf(doc, s.Name)
		for _, e := range s.Expectations {
			v := Verdict{
				Scenario: s.Name, Algorithm: e.Algorithm, Metric: e.Metric,
				Op: e.Op, Threshold: e.Threshold, Seed: s.Seed, Line: e.Line, Col: e.Col,
			}
			if row := rowNamed(rows, e.Algorithm); row != nil {
				v.judge(*row)
			} else if doc.Partial {
				v.Reason = "no result: the run was interrupted before it"
			} else {
				v.Reason = "no result for this algorithm"
			}
			verdicts.List = append(verdicts.List, v)
		}
	}
	return verdicts
}

// rowNamed finds the algorithm's row; a row of the reference only where no
// algorithm has that name.
func rowNamed(rows []results.Result, algorithm string) *results.Result {
	var reference *results.Result
	for i := range rows {
		if rows[i].Algorithm != algorithm {
			continue
		}
		if !rows[i].Reference {
			return &rows[i]
		}
		reference = &rows[i]
	}
	return reference
}

// judge fills in figure, bad end, status and reason.
func (v *Verdict) judge(row results.Result) {
	s := summary(row, v.Metric)
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
