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

// question returns what is asked of a scenario: which algorithms are tried, what each must
// keep, and the cost.
func (t *tuneFlags) question(a *app, grid *scenarios.Grid) (q candidates.Options, err error) {
	s := &grid.File.Scenarios[0]
	q.Algorithms = lists.Map(s.Algorithms, func(one scenarios.Algorithm) string { return one.Name })
	for _, name := range t.algorithms {
		if !slices.Contains(q.Algorithms, name) {
			return q, usage.Errorf("--algorithm %s: not one of those of %s (%s)%s", name, scenarios.Clip(s.Name), strings.Join(q.Algorithms, ", "), scenarios.Suggest(name, q.Algorithms))
		}
	}
	if len(t.algorithms) > 0 {
		q.Algorithms = slices.DeleteFunc(q.Algorithms, func(name string) bool { return !slices.Contains(t.algorithms, name) })
	}
	all := a.Catalog().Metrics
	least := catalog.Find(all, t.least)
	if least == nil {
		return q, usage.Errorf("--least: no metric is called %q%s; see limitgauge list metrics", t.least, scenarios.Suggest(t.least, catalog.Names(all)))
	}
	q.Least, q.Full = least.Name, least.Full
	var given []scenarios.Expectation
	for _, text := range t.promises {
		e, err := parsePromise(text, all)
		if err != nil {
			return q, usage.Errorf("--promise %q: %w", text, err)
		}
		given = append(given, e)
	}
	q.Promises = map[string][]scenarios.Expectation{}
	for _, name := range q.Algorithms {
		list := slices.Clone(given)
		for i := range list {
			list[i].Algorithm = name
		}
		if len(given) == 0 {
			list = expectationsOf(s, name)
		}
		if len(list) == 0 {
			return q, usage.Errorf("%s has no promise: give one with --promise, such as --promise 'over_limit_pct <= 5', or state it under expect: in %s; --algorithm leaves algorithms out",
				scenarios.Clip(name), scenarios.Clip(s.Name))
		}
		q.Promises[name] = list
		for _, e := range list {
			q.Full = q.Full || catalog.Find(all, e.Metric).Full
		}
	}
	return q, nil
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
