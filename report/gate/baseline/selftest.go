package baseline

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Check is one check of a gate, tried on a perturbed copy of a document.
type Check struct {
	Verdict   gate.Verdict // on the document itself
	CanFail   bool         // perturbing this figure alone failed this check, and no check of another figure
	Perturbed *float64     // the figure that failed it; nil if none was tried
	Reason    string       // why it cannot fail
}

// Proof lists every check of a gate and whether it can fail.
type Proof []Check

// Holds reports whether there are checks and all of them can fail.
func (p Proof) Holds() bool {
	return len(p) > 0 && !slices.ContainsFunc(p, func(one Check) bool { return !one.CanFail })
}

// SelfTest tests on the user's own documents whether a gate can fail. For every
// threshold it moves the figure just beyond the threshold, in each replication
// of a copy of doc, and evaluates the copy: that check must fail, and checks of
// other figures must keep their status. For every cell of base, unless base is
// nil, it makes that figure of a copy of base worse by the smallest change that
// counts, or that is no longer proven to be small enough, and compares the copy with
// base in the same way. A check cannot fail if
// it stays unevaluated, has no data, or if its figure cannot go beyond the
// threshold.
//
// It returns the errors of Compare, of base with itself and with doc.
func SelfTest(doc, base *results.Document, o Options) (Proof, error) {
	var proof Proof
	for _, part := range doc.PerScenario() { // the checks of a scenario need only its rows
		proof = append(proof, thresholds(part, o)...)
	}
	if base == nil {
		return append(proof, lists.Map(gate.WithoutBaseline(doc), func(v gate.Verdict) Check { return Check{Verdict: v, Reason: v.Reason} })...), nil
	}
	if _, err := Compare(base, doc, o); err != nil {
		return nil, err
	}
	base = expecting(base, doc)
	before, err := compare(base, base, o)
	if err != nil {
		return nil, err
	}
	if n := len(before.Cells); n > maxChecks {
		return nil, &Refusal{Reason: fmt.Sprintf("the self-test compares all figures anew for each of them, and %d are too many (at most %d): choose fewer with --metric", n, maxChecks)}
	}
	for i := range before.Cells {
		p, err := perturbCell(base, before, i, o)
		if err != nil {
			return nil, err
		}
		proof = append(proof, p)
	}
	return proof, nil
}

// expecting returns a copy of base that states the expectations of doc.
func expecting(base, doc *results.Document) *results.Document {
	copied := *base
	copied.Scenarios = slices.Clone(base.Scenarios)
	for i := range copied.Scenarios {
		copied.Scenarios[i].Expectations = nil
		for _, s := range doc.Scenarios {
			if s.Name == copied.Scenarios[i].Name {
				copied.Scenarios[i].Expectations = s.Expectations
			}
		}
	}
	return &copied
}

// maxChecks is the largest number of figures of a baseline that a self-test
// tries, which takes a minute or two.
const maxChecks = 1000

// thresholds tries every threshold of a document with one scenario.
func thresholds(doc *results.Document, o Options) (proof Proof) {
	before := gate.Evaluate(doc)
	for i, v := range before.List {
		p := Check{Verdict: v}
		metric := cmp.Or(catalog.Find(o.Registry, v.Metric), &catalog.Metric{})
		x, reason := metric.Beyond(v.Op, v.Threshold)
		at := gate.RowOf(doc, v.Scenario, v.Algorithm)
		switch {
		case at < 0 || v.Figure == nil:
			p.Reason = v.Reason
		case reason != "":
			p.Reason = reason
		default:
			p.Perturbed = &x
			after := gate.Evaluate(perturb(doc, at, v.Metric, func(float64) float64 { return x }))
			p.CanFail, p.Reason = isolated(before.List, after.List, i)
		}
		proof = append(proof, p)
	}
	return proof
}

// perturbCell makes cell i of the baseline worse by the smallest change that
// counts.
func perturbCell(base *results.Document, before Comparison, i int, o Options) (Check, error) {
	c := before.Cells[i]
	verdicts := before.Verdicts().List
	p := Check{Verdict: verdicts[i]}
	if c.Status == gate.Unevaluated {
		p.Reason = c.Reason
		return p, nil
	}
	at := slices.IndexFunc(base.Results, func(r results.Result) bool { return rowOf(r) == c.Row })
	shift, ok := c.worst(base.Results[at])
	if !ok {
		p.Reason = fmt.Sprintf("the baseline is %s: %s cannot get worse", format.Number(*c.Base), c.Metric.Name)
		if least := c.Effect.of(*c.Base); least > 0 {
			p.Reason += " by " + format.Number(least)
		}
		return p, nil
	}
	after, err := compare(base, perturb(base, at, c.Metric.Name, func(x float64) float64 { return x + shift }), o)
	if err != nil {
		return p, err
	}
	p.Perturbed = after.Cells[i].Now
	p.CanFail, p.Reason = isolated(verdicts, after.Verdicts().List, i)
	return p, nil
}

// worst returns the smallest change for the worse that counts, or that exceeds what a
// cell may be worse; ok is false if it
// would take a replication out of the metric's range.
func (c Cell) worst(r results.Result) (shift float64, ok bool) {
	shift = c.Effect.of(*c.Base) * (1 + 1e-6)
	if shift == 0 { // any change counts, beyond rounding
		shift = 1e-9 * max(1, math.Abs(*c.Base))
	}
	if c.Metric.Better > 0 {
		shift = -shift
	}
	lo, hi := c.Metric.Range()
	inside := func(shift float64) bool {
		return !slices.ContainsFunc(r.Metrics[c.Metric.Name].Values, func(x *float64) bool {
			return x != nil && (*x+shift < lo || *x+shift > hi)
		})
	}
	if c.Metric.Better == 0 && !inside(shift) { // a change in the other direction fails as well
		shift = -shift
	}
	return shift, inside(shift)
}

// isolated reports whether check i failed and the checks of other figures kept
// their status.
func isolated(before, after []gate.Verdict, i int) (ok bool, reason string) {
	if after[i].Status != gate.Failed {
		reason = fmt.Sprintf("a figure beyond it is %s", after[i].Status)
		if after[i].Reason != "" {
			reason += ": " + after[i].Reason
		}
		return false, reason
	}
	for j, v := range after {
		same := v.Scenario == after[i].Scenario && v.Algorithm == after[i].Algorithm && v.Metric == after[i].Metric
		if !same && v.Status != before[j].Status {
			return false, fmt.Sprintf("perturbing it alone also changed %s to %s", v.Check(), v.Status)
		}
	}
	return true, ""
}
