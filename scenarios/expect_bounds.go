package scenarios

import (
	"math"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
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
