package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/search/tune/candidates"
	"github.com/limitgauge/limitgauge/sim/results"
)

// question returns what is asked of the scenarios: which algorithms are tried, what each
// must keep, and the cost.
func (t *tuneFlags) question(a *app, parts *tunedParts) (q candidates.Options, err error) {
	list := parts.scenarios()
	q.Scenarios = parts.n
	for _, name := range lists.Distinct(slices.Concat(lists.Map(list, func(s scenarios.Scenario) []string { return t.tried(&s) })...)) {
		if !slices.ContainsFunc(list, func(s scenarios.Scenario) bool { return !slices.Contains(algorithmsOf(&s), name) }) {
			q.Algorithms = append(q.Algorithms, name)
		} else if !t.Quiet {
			fmt.Fprintf(a.Err, "note: %s is not compared in each scenario: it is left out\n", scenarios.Clip(name))
		}
	}
	names := strings.Join(lists.Map(list, func(s scenarios.Scenario) string { return scenarios.Clip(s.Name) }), ", ")
	if len(q.Algorithms) == 0 {
		return q, usage.Errorf("no algorithm is compared in each of %s: choose scenarios with --scenario", names)
	}
	all := a.Catalog().Metrics
	var given []scenarios.Expectation
	for _, text := range t.promises {
		e, err := parsePromise(text, all)
		if err != nil {
			return q, usage.Errorf("--promise %q: %w", text, err)
		}
		given = append(given, e)
	}
	q.Promises = candidates.Promises{}
	var without []string
	for _, s := range list {
		q.Promises[s.Name] = map[string][]scenarios.Expectation{}
		for _, name := range q.Algorithms {
			promised := slices.Clone(given)
			for i := range promised {
				promised[i].Algorithm = name
			}
			if len(given) == 0 {
				promised = expectationsOf(&s, name)
			}
			if promised = t.nothingGivenUp(promised, name); len(promised) == 0 {
				without = append(without, scenarios.Clip(name)+" in "+scenarios.Clip(s.Name))
			}
			q.Promises[s.Name][name] = promised
			for _, e := range promised {
				q.Full = q.Full || catalog.Find(all, e.Metric).Full
			}
		}
	}
	if len(without) > 0 {
		err := t.missing(promiseFlag + ", because nothing is stated under expect: of " + strings.Join(without, ", ") +
			" (--algorithm and --scenario leave others out)")
		return q, err
	}
	if t.least == "" {
		return q, t.missing()
	}
	metric, worst := strings.CutPrefix(t.least, "worst ")
	least := catalog.Find(all, metric)
	if least == nil {
		return q, usage.Errorf("--least: no metric is called %q%s; see limitgauge list metrics", metric, scenarios.Suggest(metric, catalog.Names(all)))
	}
	q.Least, q.Worst, q.Full = least.Name, worst, q.Full || least.Full
	return q, nil
}

// nothingGivenUp adds the promise that workers give no job up, unless one is stated of that:
// the earliest finish would else be that of callers that give up.
func (t *tuneFlags) nothingGivenUp(promised []scenarios.Expectation, algorithm string) []scenarios.Expectation {
	const givenUp = "jobs_given_up"
	if strings.TrimPrefix(t.least, "worst ") != "finish_s" || slices.ContainsFunc(promised, func(e scenarios.Expectation) bool { return e.Metric == givenUp }) {
		return promised
	}
	return append(promised, scenarios.Expectation{Algorithm: algorithm, Metric: givenUp, Op: "==", Text: "== 0"})
}

const promiseFlag = "--promise THRESHOLD, such as --promise 'over_limit_pct <= 5'"

// missing returns the error for all flags that are missing, of which some are known.
func (t *tuneFlags) missing(flags ...string) error {
	if t.least == "" {
		flags = append(flags, "--least METRIC, the cost, such as --least server_calls_per_s")
	}
	return usage.Errorf("tune needs %s", strings.Join(flags, "\nand "))
}

// expectationsOf returns the thresholds of an algorithm that a simulation can keep.
func expectationsOf(s *scenarios.Scenario, algorithm string) []scenarios.Expectation {
	return lists.Where(s.Expect, func(e scenarios.Expectation) bool {
		return e.Algorithm == algorithm && e.Op != catalog.NotWorse && !e.OfTarget
	})
}

// parsePromise parses a metric and its threshold, such as over_limit_pct <= 5.
func parsePromise(text string, all []catalog.Metric) (e scenarios.Expectation, err error) {
	at := strings.IndexAny(text, "<>=")
	if at < 0 {
		return e, fmt.Errorf("want METRIC and a threshold with <=, <, >=, > or ==, such as over_limit_pct <= 5")
	}
	name := strings.TrimSpace(text[:at])
	metric := catalog.Find(all, name)
	if metric == nil {
		return e, fmt.Errorf("no metric is called %q%s; see limitgauge list metrics", name, scenarios.Suggest(name, catalog.Names(all)))
	}
	op, x, err := scenarios.ParseThreshold(text[at:])
	if err != nil {
		return e, err
	}
	if strings.HasSuffix(strings.TrimSpace(text), "%") && metric.Unit != "%" {
		return e, fmt.Errorf("the threshold is in %%, but the metric's unit is %s", metric.Unit)
	}
	return scenarios.Expectation{Metric: name, Op: op, Threshold: x, Text: strings.TrimSpace(text[at:])}, nil
}

// noteConditions says which axes vary what limiters meet, not how they are set.
func (a *app) noteConditions(grid *scenarios.Grid) {
	for _, axis := range grid.File.Scenarios[0].Axes {
		if len(axis.Values) > 1 && (results.Axis{Of: axis.Of}).Condition() {
			name := scenarios.Clip(axis.Name)
			fmt.Fprintf(a.Err, "note: tune chooses %s too, which is no setting of a limiter; --vary '%s=%s' fixes it\n", name, name, axis.Values[0])
		}
	}
}

func metricUnit(a *app, name string) string { return catalog.Find(a.Catalog().Metrics, name).Unit }
