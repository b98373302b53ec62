package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// expectations binds {algorithm: {metric: bound, or a list of them}}, where a bound is
// a threshold or {not_worse: margin}. A name with * stands for the algorithms that it matches; a
// kind of real limiters stands for the row of one. A metric of the full set makes the
// scenario measure that set.
func (l *loader) expectations(scenario *node, s *Scenario) []Expectation {
	n := scenario.get("expect")
	if n == nil {
		return nil
	}
	known := []string{reference}
	if s.recorded() {
		known = append(known, Recorded)
	}
	if s.Guard != nil && s.Guard.Deadline > 0 {
		known = append(known, BestFixed)
	}
	names := mapped(scenario.list("algorithms"), func(n *node) string { return n.text })
	known = append(known, slices.DeleteFunc(append(names, l.catalog.Added...), func(name string) bool { return name == "" })...)
	var expect matched
	for _, algorithm := range l.expected(n) {
		names := standsFor(algorithm.key, known)
		ofTarget := len(names) == 0 && slices.Contains(Targets, algorithm.key)
		switch {
		case len(names) > 0:
		case ofTarget:
			names = []string{algorithm.key}
		case strings.Contains(algorithm.key, catalog.Wildcard):
			l.report(algorithm.place, "matches none of the scenario's algorithms (%s)", catalog.Join(known[1:]))
		default:
			l.report(algorithm.place, "is not among the scenario's algorithms%s", cmp.Or(Suggest(algorithm.key, slices.Concat(known, Targets)), suggestOrList(algorithm.key, known)))
		}
		if !l.is(algorithm.value, mapping) {
			continue
		}
		for _, p := range algorithm.value.pairs {
			metric := l.metric(p.key, p.place)
			if metric == nil {
				continue
			}
			if metric.Answers && !ofTarget && (s.Guard == nil || s.Guard.Deadline == 0) {
				l.report(p.place, "has data only with a guard that has a deadline")
				continue
			}
			s.Full = s.Full || metric.Full && !ofTarget
			bounds := l.bounds(algorithm.key, metric, p.value)
			for i := range bounds {
				bounds[i].OfTarget = ofTarget
			}
			expect.add(algorithm.key, names, bounds)
		}
	}
	bounds := expect.list(slices.Concat(known, Targets))
	l.contradictions(bounds)
	l.secondMargins(bounds)
	s.warnIdle(l.file.Path, bounds)
	return mapped(bounds, func(b threshold) Expectation { return b.Expectation })
}

// expected returns what a scenario expects by algorithm: written in place, by the name
// of a block of the file, or as a list of both.
func (l *loader) expected(n *node) (pairs []pair) {
	parts := []*node{n}
	switch n.kind {
	case sequence:
		parts = l.expand(n, l.thresholds, nil)
	case scalar:
		parts = l.expand(&node{kind: sequence, place: n.place, items: []*node{n}}, l.thresholds, nil)
	}
	for _, part := range parts {
		if l.is(part, mapping) {
			pairs = append(pairs, part.pairs...)
		}
	}
	return pairs
}

// metric returns the metric of this name, or reports that there is none. others
// are names that are valid in its place.
func (l *loader) metric(name string, at place, others ...string) *catalog.Metric {
	if metric := catalog.Find(l.catalog.Metrics, name); metric != nil {
		return metric
	}
	suggestion := cmp.Or(Suggest(name, append(others, catalog.Names(l.catalog.Metrics)...)), " (limitgauge list metrics names them all)")
	l.report(at, "no metric is called %s%s", Clip(name), suggestion)
	return nil
}

// bounds binds the thresholds and the margin of a metric: one, or a list of them.
func (l *loader) bounds(algorithm string, metric *catalog.Metric, n *node) (list []threshold) {
	items := []*node{n}
	if n.kind == sequence {
		items = l.items(n)
	}
	for _, item := range items {
		if item.kind == mapping {
			list = append(list, l.notWorse(algorithm, metric, item)...)
			continue
		}
		if !l.is(item, scalar) {
			continue
		}
		op, x, err := ParseThreshold(item.text)
		if err == nil && strings.HasSuffix(strings.TrimSpace(item.text), "%") && metric.Unit != "%" {
			err = fmt.Errorf("threshold %q is in %%, but the metric's unit is %s", Clip(item.text), metric.Unit)
		}
		if err != nil {
			l.report(item.place, "%v", err)
			continue
		}
		list = append(list, threshold{Expectation{Algorithm: algorithm, Metric: metric.Name, Op: op, Threshold: x, Text: item.text, Pos: item.pos}, item.place, metric})
	}
	return list
}

// ParseThreshold parses a comparison with a number: "<= 10", "> 0.9", "== 0". A
// % sign may follow the number and has no effect, because the metric's unit is
// known.
func ParseThreshold(text string) (op string, x float64, err error) {
	text = strings.TrimSpace(text)
	for _, op := range []string{"<=", ">=", "==", "<", ">"} {
		number, ok := strings.CutPrefix(text, op)
		if !ok {
			continue
		}
		number = strings.TrimSpace(strings.TrimSuffix(number, "%"))
		x, err := units.ParseDecimal(number)
		if err != nil {
			return "", 0, fmt.Errorf("threshold %q: %w", Clip(text), err)
		}
		return op, x, nil
	}
	such := "<= 10"
	if _, err := units.ParseDecimal(text); err == nil {
		such = "== " + text
	}
	return "", 0, fmt.Errorf("threshold %q does not start with <=, <, >=, > or ==, such as %q", Clip(text), such)
}
