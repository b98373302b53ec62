package html

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/gate"
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

	byScenario map[string][]check // the worst first
}

// check is one comparison of a figure with its threshold.
type check struct {
	Status                      status
	Scenario, Section           string // name and anchor
	Algorithm, Metric, MetricID string
	Definition                  string
	Expect, Figure, BadEnd      string
	Seed, Where, Why            string
}

func newVerdict(v gate.Verdicts, ids map[string]string, g *glossary) verdict {
	out := verdict{Expected: len(v.List) > 0, Status: statusOf(v.Outcome()), Summary: v.Summary(), byScenario: map[string][]check{}}
	for _, one := range v.List {
		c := newCheck(one, ids, g)
		if c.Status.Class == "passed" {
			out.Passed = append(out.Passed, c)
		} else {
			out.Open = append(out.Open, c)
		}
	}
	// "failed" sorts before "unevaluated".
	slices.SortStableFunc(out.Open, func(a, b check) int { return strings.Compare(a.Status.Class, b.Status.Class) })
	for _, c := range slices.Concat(out.Open, out.Passed) {
		out.byScenario[c.Scenario] = append(out.byScenario[c.Scenario], c)
	}
	failed := 0
	for failed < len(out.Open) && out.Open[failed].Status.Class == "failed" {
		failed++
	}
	if len(out.Open)-failed > mostUnevaluated {
		out.Open, out.Folded = out.Open[:failed], out.Open[failed:]
	}
	return out
}

// mostUnevaluated is how many unevaluated checks precede the results. One run
// without replications leaves all of a suite's unevaluated.
const mostUnevaluated = 10

// FoldedWhy returns why the folded checks could not be evaluated, or "" if the
// reasons differ.
func (v verdict) FoldedWhy() string {
	for _, c := range v.Folded {
		if c.Why != v.Folded[0].Why {
			return ""
		}
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
	if v.File != "" && v.Line > 0 {
		c.Where = v.File + ":" + strconv.Itoa(v.Line)
	}
	return c
}
