// Package baseline compares a run with an earlier one. A figure fails only if it
// got worse, by an amount that matters, and not by chance. A figure that cannot
// be judged is unevaluated, which is not passed.
//
// The package makes no promise: it can change at any time.
package baseline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/pairs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Alpha is the largest probability that a gate fails, in any of its
// cells, although nothing changed.
const Alpha = 0.05

// unluckyBaselines is the largest share of baselines that break this promise for
// independent runs. Over all baselines and runs together, a gate of such runs fails
// with a probability of at most Alpha*unluckyBaselines; so at most this share of the
// baselines have gates that fail with more than Alpha (Markov's inequality).
const unluckyBaselines = 0.05

// Options selects the metrics of a gate and how strict it is. Registry is
// required: it has the unit and the better direction of each metric.
type Options struct {
	Registry         []catalog.Metric
	Metrics          []string // the metrics of the gate; empty is the headline metrics that have a better direction
	Effects          Effects  // the smallest changes that count; the zero value is DefaultEffect
	AllowUnevaluated []string // patterns of the cells that do not keep the gate from passing if they have no verdict; see Cell.matches
	OtherSeeds       bool     // compare runs of other seeds too, as independent ones
	References       bool     // compare the rows of references too
	Power            Power    // what a cell must be able to see; otherwise it is unevaluated
	NotWorse         Effects  // cells of these metrics must be proven not worse by more than this; "" is all others
}

// Comparison is a run compared with its baseline, cell by cell.
type Comparison struct {
	Cells []Cell
	Notes []string // what else differs, and what was left out

	now     *results.Document
	options Options
}

// Compare compares every metric of the gate in now with the same one in base.
//
// A cell is Failed if the metric got worse by at least its Effect, and the
// change is significant at Alpha, one-sided, in a joint test of all cells. It is
// Improved if the same holds in the other direction, Unchanged if the values of all
// replications are equal, and Passed otherwise. If a metric has no better direction, any
// change fails. Figures are compared directly, and any change counts unless Effects states
// which, if they are deterministic, or their rows draw no random numbers of their own and
// the documents show the same traffic in the same replications.
//
// A cell with a margin, of a not_worse in now or of NotWorse, is Passed or Unchanged
// only if it is proven not worse by more than that, Failed only if the opposite is
// proven, and otherwise unevaluated.
//
// Replications of the same seed, scenario and traffic are pairs, and their
// differences are tested. Otherwise the runs are independent.
//
// Compare returns a *Refusal or a *results.SchemaError if the documents measure
// different things, and another error if the options are wrong.
func Compare(base, now *results.Document, o Options) (Comparison, error) {
	c, err := compare(base, now, o)
	if err == nil {
		err = c.unusedPattern()
	}
	return c, err
}

// compare is Compare for documents that may lack cells of AllowUnevaluated.
func compare(base, now *results.Document, o Options) (Comparison, error) {
	metrics, err := o.gated()
	if err != nil {
		return Comparison{}, err
	}
	if err := comparable(base, now, o); err != nil {
		return Comparison{}, err
	}
	var added []string
	if len(o.Metrics) == 0 {
		metrics, added = measuredIn(base, now, metrics)
	}
	cells, empty, rare, seen := collect(base, now, metrics, o)
	for _, m := range metrics {
		if !seen[m.Name] && len(o.Metrics) > 0 {
			return Comparison{}, &Refusal{Reason: fmt.Sprintf("no row of the baseline or of the run has data for %s", m.Name)}
		}
	}
	if len(cells) == 0 {
		return Comparison{}, &Refusal{Reason: "neither the baseline nor the run has data for any gated metric"}
	}
	judge(cells)
	judgeNotWorse(cells)
	c := Comparison{Cells: cells, now: now, options: o}
	if o.Power.Probability > 0 {
		c.MeasurePower()
		requirePower(cells, o.Power)
	}
	c.notes(base, now, empty)
	c.Notes = append(c.Notes, rare...)
	if len(added) > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("the baseline is from before these metrics, so they are not gated: %s; record a new baseline", strings.Join(added, ", ")))
	}
	return c, nil
}

// gated returns the metrics to gate.
func (o Options) gated() (metrics []catalog.Metric, err error) {
	wanted := o.Metrics
	if len(wanted) == 0 {
		wanted = catalog.Headline()
	}
	for i, name := range wanted {
		m := catalog.Find(o.Registry, name)
		switch {
		case m == nil:
			return nil, fmt.Errorf("no metric is called %q%s", name, scenarios.Suggest(name, catalog.Names(o.Registry)))
		case slices.Contains(wanted[:i], name):
			return nil, fmt.Errorf("metric %s is named twice", name)
		case m.Better != 0 || len(o.Metrics) > 0:
			metrics = append(metrics, *m)
		}
	}
	if len(metrics) == 0 {
		return nil, fmt.Errorf("no metric to gate")
	}
	return metrics, nil
}

// measuredIn splits metrics into those to gate and the names of those that the
// run measures and the baseline does not know, because an earlier version of the
// program wrote it.
func measuredIn(base, now *results.Document, metrics []catalog.Metric) (known []catalog.Metric, added []string) {
	measures := func(d *results.Document, name string) bool {
		return slices.ContainsFunc(d.Results, func(r results.Result) bool { _, ok := r.Metrics[name]; return ok })
	}
	for _, m := range metrics {
		if measures(now, m.Name) && !measures(base, m.Name) {
			added = append(added, m.Name)
		} else {
			known = append(known, m)
		}
	}
	return known, added
}

// notes records what else differs and what was not gated.
func (c *Comparison) notes(base, now *results.Document, empty int) {
	note := func(format string, args ...any) { c.Notes = append(c.Notes, fmt.Sprintf(format, args...)) }
	for _, d := range pairs.Programs(base, now) {
		note("%s", d)
	}
	seeds := pairs.Seeds(base, now)
	for _, d := range seeds {
		note("%s: compared as independent runs", d)
	}
	if len(seeds) == 0 {
		for _, s := range now.Scenarios {
			known := slices.ContainsFunc(base.Scenarios, func(t results.Scenario) bool { return t.Name == s.Name })
			switch why := pairs.Unpaired(base, now, s.Name); {
			case !known, now.Partial && len(now.Rows(s.Name)) == 0:
			case why != "":
				note("scenario %q: %s: compared as independent runs", s.Name, why)
			default:
				if x, y := pairs.Replications(base, s.Name), pairs.Replications(now, s.Name); x != y {
					first := "the first is"
					if n := min(x, y); n > 1 {
						first = fmt.Sprintf("the first %d of both are", n)
					}
					note("scenario %q: %s in the baseline, %d now: %s compared", s.Name, format.Count(x, "replication"), y, first)
				}
			}
		}
	}
	random, exact, proven := 0, 0, 0
	for _, cell := range c.Cells {
		switch {
		case cell.change == nil:
		case cell.change.Method == stats.Deterministic:
			exact++
		case cell.margin != nil:
			proven++
		default:
			random++
		}
	}
	if random > 0 {
		note("%d figures vary by chance: a gate without any change fails at most %g %% of the time, all of them together", random, 100*Alpha)
	}
	if slices.ContainsFunc(c.Cells, func(cell Cell) bool { return cell.change != nil && cell.change.Method == stats.Independent }) {
		note("independent runs are tested at %g %%, so that for at least 95 of 100 baselines a gate without any change fails at most %g %% of the time", 100*Alpha*unluckyBaselines, 100*Alpha)
	}
	if proven > 0 {
		note("%d to be proven not worse: a figure that is worse by more than allowed passes at most %g %% of the time", proven, 100*beyondMargin)
	}
	if exact > 0 {
		note("%d figures draw no random numbers of their own, and their traffic is the same: they are compared directly, and any difference that counts is a change of the program", exact)
	}
	if empty > 0 {
		note("%d figures have data neither in the baseline nor in the run, and are not gated", empty)
	}
}
