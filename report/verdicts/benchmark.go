package verdicts

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/gate"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// benchmarkEntry is one figure as github-action-benchmark reads it.
type benchmarkEntry struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Range string  `json:"range,omitempty"`
	Extra string  `json:"extra"`
}

// writeSmallerIsBetter writes the list for the tool customSmallerIsBetter: each
// figure that a check names, once, if lower is better.
func writeSmallerIsBetter(w io.Writer, v gate.Verdicts) error { return writeBenchmark(w, v, -1) }

// writeBiggerIsBetter writes the list for the tool customBiggerIsBetter.
func writeBiggerIsBetter(w io.Writer, v gate.Verdicts) error { return writeBenchmark(w, v, +1) }

func writeBenchmark(w io.Writer, v gate.Verdicts, better int) error {
	entries := []benchmarkEntry{}
	place, directions := map[figureName]int{}, directionsOf(v)
	for _, one := range v.List {
		key := nameOf(one)
		if one.Figure == nil || directions[key] != better {
			continue
		}
		i, known := place[key]
		if !known {
			i = len(entries)
			place[key] = i
			entries = append(entries, benchmarkEntry{
				Name:  format.Clean(one.Scenario + " / " + one.Algorithm + " / " + one.Metric),
				Unit:  benchmarkUnit(one.Metric, v.Metrics),
				Value: *one.Figure,
				Extra: fmt.Sprintf("seed %d", one.Seed),
			})
		}
		e := &entries[i]
		if one.BadEnd != nil && e.Range == "" {
			if half := math.Abs(*one.BadEnd - *one.Figure); half > 0 {
				e.Range = "± " + format.Number(half)
			}
		}
		e.Extra += "\n" + format.Clean(one.String())
	}
	return encode(w, "  ", entries)
}

// figureName identifies a figure.
type figureName struct{ scenario, algorithm, metric string }

func nameOf(v gate.Verdict) figureName { return figureName{v.Scenario, v.Algorithm, v.Metric} }

// directionsOf returns the direction in which each figure gets better: -1 down,
// +1 up, 0 neither. The metric's own direction counts. For a metric without one
// it is the direction of the figure's thresholds, if they agree.
func directionsOf(v gate.Verdicts) map[figureName]int {
	better := map[string]int{}
	for _, m := range v.Metrics {
		better[m.Name] = m.Better
	}
	directions, mixed := map[figureName]int{}, map[figureName]bool{}
	for _, one := range v.List {
		key, side := nameOf(one), better[one.Metric]
		if side == 0 {
			switch one.Op {
			case "<", "<=":
				side = -1
			case ">", ">=":
				side = +1
			}
		}
		known := directions[key]
		mixed[key] = mixed[key] || one.Kind() == gate.Threshold && (side == 0 || known != 0 && known != side)
		if side != 0 {
			directions[key] = side
		}
	}
	for key := range mixed {
		if mixed[key] {
			directions[key] = 0
		}
	}
	return directions
}

// benchmarkLeftOut returns a note that counts the figures which a benchmark list
// leaves out: those that get better the other way, those without a direction,
// and those without data. It returns "" if there are none.
func benchmarkLeftOut(v gate.Verdicts, better int, otherList string) string {
	var otherWay, noDirection, noFigure int
	counted, directions := map[figureName]bool{}, directionsOf(v)
	for _, one := range v.List {
		key := nameOf(one)
		if counted[key] {
			continue
		}
		counted[key] = true
		switch direction := directions[key]; {
		case one.Figure == nil:
			noFigure++
		case direction == 0:
			noDirection++
		case direction != better:
			otherWay++
		}
	}
	if otherWay+noDirection+noFigure == 0 {
		return ""
	}
	return fmt.Sprintf("left out of this list: %d %s; %d without a direction; %d without data", otherWay, otherList, noDirection, noFigure)
}

func smallerLeftOut(v gate.Verdicts) string {
	return benchmarkLeftOut(v, -1, "where more is better: --format benchmark-bigger")
}

func biggerLeftOut(v gate.Verdicts) string {
	return benchmarkLeftOut(v, +1, "where less is better: --format benchmark")
}

// benchmarkUnit returns the metric's unit, or "1": charts need one.
func benchmarkUnit(metric string, registry []catalog.Metric) string {
	i := slices.IndexFunc(registry, func(m catalog.Metric) bool { return m.Name == metric })
	if i < 0 || registry[i].Unit == "" {
		return "1"
	}
	return registry[i].Unit
}
