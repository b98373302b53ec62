package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// expectations binds {algorithm: {metric: threshold, or a list of them}}. A
// metric of the full set makes the scenario measure that set.
func (l *loader) expectations(scenario *node, s *Scenario, at *path) []Expectation {
	n, at := scenario.field("expect"), at.field("expect")
	if n == nil || !l.is(n, mapping, at) {
		return nil
	}
	known := []string{reference}
	if list := scenario.field("algorithms"); list != nil {
		for _, item := range list.items {
			known = append(known, item.text)
		}
	}
	var expect []Expectation
	for _, algorithm := range n.pairs {
		inside := at.field(algorithm.key)
		if !slices.Contains(known, algorithm.key) {
			l.report(algorithm.keyPos, inside, "is not among the scenario's algorithms%s", suggestOrList(algorithm.key, known))
		}
		if !l.is(algorithm.value, mapping, inside) {
			continue
		}
		for _, p := range algorithm.value.pairs {
			metric := l.metric(p, inside.field(p.key))
			if metric == nil {
				continue
			}
			s.Full = s.Full || metric.Full
			expect = append(expect, l.thresholds(algorithm.key, metric, p.value, inside.field(p.key))...)
		}
	}
	return expect
}

func (l *loader) metric(p pair, at *path) *catalog.Metric {
	known := namesOf(l.catalog.Metrics, func(m catalog.Metric) string { return m.Name })
	if i := slices.Index(known, p.key); i >= 0 {
		return &l.catalog.Metrics[i]
	}
	suggestion := Suggest(p.key, known)
	if suggestion == "" {
		suggestion = " (limitgauge list metrics names them all)"
	}
	l.report(p.keyPos, at, "no metric is called %s%s", clip(p.key), suggestion)
	return nil
}

func (l *loader) thresholds(algorithm string, metric *catalog.Metric, n *node, at *path) []Expectation {
	if n.kind != sequence {
		if !l.is(n, scalar, at) {
			return nil
		}
		return l.threshold(algorithm, metric, n, at)
	}
	var expect []Expectation
	for i, item := range l.items(n, at) {
		if inside := at.item(i); l.is(item, scalar, inside) {
			expect = append(expect, l.threshold(algorithm, metric, item, inside)...)
		}
	}
	return expect
}

func (l *loader) threshold(algorithm string, metric *catalog.Metric, n *node, at *path) []Expectation {
	op, x, err := ParseThreshold(n.text)
	if err == nil && strings.HasSuffix(strings.TrimSpace(n.text), "%") && metric.Unit != "%" {
		err = fmt.Errorf("threshold %q is in %%, but the metric's unit is %s", clip(n.text), metric.Unit)
	}
	if err != nil {
		l.report(n.pos, at, "%v", err)
		return nil
	}
	return []Expectation{{Algorithm: algorithm, Metric: metric.Name, Op: op, Threshold: x, Text: n.text, Pos: n.pos}}
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
			return "", 0, fmt.Errorf("threshold %q: %w", clip(text), err)
		}
		return op, x, nil
	}
	return "", 0, fmt.Errorf("threshold %q does not start with <=, <, >=, > or ==, such as \"<= 10\"", clip(text))
}
