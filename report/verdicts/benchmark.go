package verdicts

import (
	"cmp"
	"fmt"
	"io"
	"math"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/table"
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

// benchmark is one of the two lists of github-action-benchmark: of the tools
// customSmallerIsBetter and customBiggerIsBetter.
type benchmark struct {
	better int    // the direction in which its figures get better
	others string // which figures the other list has, and its format
}

var (
	smallerIsBetter = benchmark{-1, "where more is better: --format benchmark-bigger"}
	biggerIsBetter  = benchmark{+1, "where less is better: --format benchmark"}
)

// write writes each figure that a check names, once, if it belongs to the list.
func (b benchmark) write(w io.Writer, v gate.Verdicts) error {
	entries := []benchmarkEntry{}
	place, directions := map[figureName]int{}, directionsOf(v)
	for _, one := range v.List {
		key := nameOf(one)
		if one.Figure == nil || directions[key] != b.better {
			continue
		}
		i, known := place[key]
		if !known {
			i = len(entries)
			place[key] = i
			entries = append(entries, benchmarkEntry{
				Name:  format.Clean(one.Scenario + " / " + one.Algorithm + " / " + one.Metric),
				Unit:  cmp.Or(table.UnitOf(one.Metric, v.Metrics), "1"), // charts need a unit
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
	directions, mixed := map[figureName]int{}, map[figureName]bool{}
	for _, one := range v.List {
		key, side := nameOf(one), 0
		if m := catalog.Find(v.Metrics, one.Metric); m != nil {
			side = m.Better
		}
		if side == 0 {
			side = map[string]int{"<": -1, "<=": -1, ">": +1, ">=": +1}[one.Op]
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

// leftOut returns a note that counts the figures which the list leaves out: those
// that get better the other way, those without a direction, and those without
// data. It returns "" if there are none.
func (b benchmark) leftOut(v gate.Verdicts) string {
	var otherWay, noDirection, noFigure int
	counted, directions := map[figureName]bool{}, directionsOf(v)
	for _, one := range v.List {
		key := nameOf(one)
		switch direction := directions[key]; {
		case counted[key]:
		case one.Figure == nil:
			noFigure++
		case direction == 0:
			noDirection++
		case direction != b.better:
			otherWay++
		}
		counted[key] = true
	}
	if otherWay+noDirection+noFigure == 0 {
		return ""
	}
	return fmt.Sprintf("left out of this list: %d %s; %d without a direction; %d without data", otherWay, b.others, noDirection, noFigure)
}
