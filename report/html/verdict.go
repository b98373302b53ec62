package html

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/sim/results"
)

// status describes the outcome of a check by a word, a sign and a class, so that
// colour is never the only signal.
type status struct{ Word, Sign, Class string }

func statusOf(s gate.Status) status {
	switch {
	case s == gate.Failed:
		return status{s.String(), "✗", "failed"}
	case s.Holds():
		return status{s.String(), "✓", "passed"}
	}
	return status{s.String(), "?", "unevaluated"}
}

// verdict is the outcome of all checks. Without expectations there is no verdict,
// which is not the same as a passed one.
type verdict struct {
	Expected bool
	Status   status
	Summary  string
	Open     []check // failed and unevaluated ones
	Folded   []check // unevaluated ones that are too many for Open
	Passed   []check
	Worse    []comparisons // with a baseline: what keeps the gate from passing
	Unknown  []comparisons // unevaluated ones that are allowed, or too many for Worse
	Held     []comparisons // the others
	Worst    string        // a sentence about the worst figure that failed against the baseline
	AtLeast  bool          // some of them catch their changes with at least the stated probabilities
	Whole    []string      // what concerns the whole run
	Measured []status      // what each row of a real limiter shows, whatever is expected of it

	byScenario map[string][]check     // the worst first, without comparisons with a baseline that hold
	marks      map[string]gate.Status // the worst of each scenario
}

// check is one comparison of a figure with its threshold.
type check struct {
	Status                      status
	Scenario, Section           string // name and anchor
	Algorithm, Metric, MetricID string
	Definition                  string
	Expect, Figure, BadEnd      string
	Seed, Where, Why            string
	Compared                    string // the evidence of a comparison with a baseline; "" for a threshold
}

func newVerdict(v gate.Verdicts, ids map[string]string, g *glossary) verdict {
	out := verdict{Expected: len(v.List) > 0, Status: statusOf(v.Outcome()), Summary: v.Summary(), byScenario: map[string][]check{}, marks: map[string]gate.Status{}}
	var against []check // a baseline, if they keep the gate from passing
	for _, one := range v.All() {
		if one.Kind() == gate.Run {
			if !v.Partial { // which the page says anyway
				out.Whole = append(out.Whole, one.Reason)
			}
			continue
		}
		out.mark(one)
		c := newCheck(one, ids, g)
		switch {
		case one.Kind() == gate.Baseline:
			if !one.Status.Holds() && !one.Excused() {
				against = append(against, c)
			}
		case c.Status.Class == "passed":
			out.Passed = append(out.Passed, c)
		default:
			out.Open = append(out.Open, c)
		}
	}
	out.compare(v.List, ids, g)
	// "failed" sorts before "unevaluated".
	byClass := func(a, b check) int { return strings.Compare(a.Status.Class, b.Status.Class) }
	slices.SortStableFunc(out.Open, byClass)
	open := slices.Concat(out.Open, against)
	slices.SortStableFunc(open, byClass)
	for _, c := range append(open, out.Passed...) {
		out.byScenario[c.Scenario] = append(out.byScenario[c.Scenario], c)
	}
	failed := lists.Count(out.Open, func(c check) bool { return c.Status.Class == "failed" })
	if len(out.Open)-failed > mostUnevaluated {
		out.Open, out.Folded = out.Open[:failed], out.Open[failed:]
	}
	return out
}

// measure adds what the rows of real limiters show.
func (v *verdict) measure(doc *results.Document) {
	class := map[string]status{"kept": {"", "✓", "passed"}, "broken": {"", "✗", "failed"}}
	for _, r := range doc.Results {
		if r.Live == nil {
			continue
		}
		s, certain := class[r.Live.Over.Outcome]
		if !certain {
			s = statusOf(gate.Unevaluated)
		}
		s.Word = r.Label() + ": " + r.Live.Over.Text
		v.Measured = append(v.Measured, s)
	}
}

// Class returns the class of the section.
func (v verdict) Class() string {
	switch {
	case v.Expected:
		return v.Status.Class
	case v.Measured != nil:
		return v.Measured[0].Class
	}
	return "nothing"
}

// mark records the outcome of a check for its scenario, if it is the worst so far.
func (v *verdict) mark(one gate.Verdict) {
	if one.Excused() {
		return
	}
	worst, known := v.marks[one.Scenario]
	if !known || slices.Index(worstFirst, one.Status) < slices.Index(worstFirst, worst) {
		v.marks[one.Scenario] = one.Status
	}
}

// Opens reports whether a folded table is open at first: if nothing precedes it and
// it is short.
func (v verdict) Opens(rows int) bool { return v.Settled() && rows <= mostUnevaluated }

// Settled reports whether nothing keeps the gate from passing.
func (v verdict) Settled() bool { return len(v.Open)+len(v.Worse) == 0 }

// mostUnevaluated is how many unevaluated checks precede the results. One run
// without replications leaves all of a suite's unevaluated.
const mostUnevaluated = 10

// FoldedWhy returns why the folded checks could not be evaluated, or "" if the
// reasons differ.
func (v verdict) FoldedWhy() string {
	if slices.ContainsFunc(v.Folded, func(c check) bool { return c.Why != v.Folded[0].Why }) {
		return ""
	}
	return v.Folded[0].Why
}

func newCheck(v gate.Verdict, ids map[string]string, g *glossary) check {
	d := g.use(v.Metric)
	c := check{
		Status: statusOf(v.Status), Scenario: v.Scenario, Section: ids[v.Scenario],
		Algorithm: v.Algorithm, Metric: v.Metric, MetricID: d.ID, Definition: d.Short(),
		Expect: v.Op + " " + format.Exact(v.Threshold),
		Figure: format.Against(v.Figure, &v.Threshold), BadEnd: format.Against(v.BadEnd, &v.Threshold),
		Seed: strconv.FormatUint(v.Seed, 10), Why: v.Reason,
	}
	if v.Kind() == gate.Baseline {
		c.Compared = v.Evidence()
	}
	if v.File != "" && v.Line > 0 {
		c.Where = v.File + ":" + strconv.Itoa(v.Line)
	}
	return c
}
