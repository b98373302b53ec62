package scenarios

import (
	"fmt"
	"math"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// threshold is an expectation with its place and its metric.
type threshold struct {
	Expectation
	place  place
	metric *catalog.Metric
}

// figure identifies what thresholds bound: one metric of one algorithm.
type figure struct{ algorithm, metric string }

// values returns the smallest and the largest number that meets a threshold.
func (b *threshold) values() (least, most float64) {
	least, most = math.Inf(-1), math.Inf(1)
	switch b.Op {
	case "<=":
		most = b.Threshold
	case "<":
		most = math.Nextafter(b.Threshold, least)
	case ">=":
		least = b.Threshold
	case ">":
		least = math.Nextafter(b.Threshold, most)
	case "==":
		least, most = b.Threshold, b.Threshold
	}
	return least, most
}

// contradictions reports thresholds of one figure that no number meets together,
// at the later of the two.
func (l *loader) contradictions(bounds []threshold) {
	narrowest := map[figure]*struct{ low, high *threshold }{} // of those so far
	for i := range bounds {
		b := &bounds[i]
		f := figure{b.Algorithm, b.Metric}
		n := narrowest[f]
		if n == nil {
			narrowest[f] = &struct{ low, high *threshold }{b, b}
			continue
		}
		least, most := b.values()
		low, _ := n.low.values()
		_, high := n.high.values()
		switch {
		case least > high:
			l.contradicts(b, n.high)
		case most < low:
			l.contradicts(b, n.low)
		}
		if least > low {
			n.low = b
		}
		if most < high {
			n.high = b
		}
	}
}

func (l *loader) contradicts(b, earlier *threshold) {
	l.report(b.place, "%q contradicts %q at line %d, column %d: no number meets both", Clip(b.Text), Clip(earlier.Text), earlier.Pos.Line, earlier.Pos.Col)
}

// warnIdle adds a warning for each threshold that every possible value of its
// metric meets, and for each margin that no change can exceed.
func (s *Scenario) warnIdle(path string, bounds []threshold) {
	warned := map[catalog.Position]bool{} // a name with * gives a threshold to several algorithms
	for _, b := range bounds {
		_, reason := b.metric.Beyond(b.Op, b.Threshold)
		if b.Op == catalog.NotWorse {
			reason = b.idleMargin()
		}
		if reason != "" && !warned[b.Pos] {
			warned[b.Pos] = true
			s.Warnings = append(s.Warnings, Problem{Path: path, Pos: b.Pos, Field: b.place.path.String(), Message: reason})
		}
	}
}

// notWorse binds {not_worse: 5%}, a share of the baseline's figure, or
// {not_worse: 0.5}, an amount in the metric's unit.
func (l *loader) notWorse(algorithm string, metric *catalog.Metric, n *node) []threshold {
	l.unknown(n, []string{catalog.NotWorse})
	value := n.get(catalog.NotWorse)
	if value == nil {
		if len(n.pairs) == 0 {
			l.report(n.place, "is empty, but should be a threshold or {not_worse: 5%%}")
		}
		return nil
	}
	if !l.is(value, scalar) {
		return nil
	}
	x, relative, err := ParseMargin(value.text)
	if err != nil {
		l.report(value.place, "%v", err)
		return nil
	}
	e := Expectation{
		Algorithm: algorithm, Metric: metric.Name, Op: catalog.NotWorse, Threshold: x, Relative: relative,
		Text: catalog.NotWorse + ": " + strings.TrimSpace(value.text), Pos: value.pos,
	}
	return []threshold{{e, value.place, metric}}
}

// ParseMargin parses by how much a figure may be worse than a baseline: "5%" of the
// baseline's figure, or "0.5" in the metric's unit. It returns an error unless the
// number is above 0.
func ParseMargin(text string) (x float64, relative bool, err error) {
	number, relative := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err = units.ParseDecimal(strings.TrimSpace(number))
	if err == nil && x <= 0 {
		err = fmt.Errorf("want more than 0, such as 5%% of the baseline's figure, or 0.5 in the metric's unit")
	}
	if err != nil {
		return 0, false, fmt.Errorf("not_worse %q: %w", Clip(text), err)
	}
	return x, relative, nil
}

// secondMargins reports all margins of a figure but its first.
func (l *loader) secondMargins(bounds []threshold) {
	first := map[figure]*threshold{}
	for i := range bounds {
		b := &bounds[i]
		if b.Op != catalog.NotWorse {
			continue
		}
		f := figure{b.Algorithm, b.Metric}
		if earlier := first[f]; earlier != nil {
			l.report(b.place, "is the second not_worse of %s for %s, after %q at line %d, column %d; want one",
				b.Metric, Clip(b.Algorithm), Clip(earlier.Text), earlier.Pos.Line, earlier.Pos.Col)
			continue
		}
		first[f] = b
	}
}

// idleMargin returns why no change can exceed a margin, or "".
func (b *threshold) idleMargin() string {
	lo, hi := b.metric.Range()
	if b.Relative || b.Threshold < hi-lo {
		return ""
	}
	return fmt.Sprintf("%s goes from %s to %s, so %s rules nothing out", b.Metric, units.FormatDecimal(lo), units.FormatDecimal(hi), b.Text)
}

// yaml returns an expectation as a file states it.
func (e Expectation) yaml() string {
	if e.Op == catalog.NotWorse {
		return "{" + e.Text + "}"
	}
	return scalarYAML(e.Text)
}
