package scenarios

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

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
