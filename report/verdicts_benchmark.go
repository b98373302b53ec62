package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/limitgauge/limitgauge/report/format"
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

// smallerIsBetter writes the list for the tool customSmallerIsBetter: each
// figure that a check names, once, where less is better.
func smallerIsBetter(w io.Writer, v Verdicts) error { return benchmarkJSON(w, v, -1) }

// biggerIsBetter is its counterpart, for the tool customBiggerIsBetter.
func biggerIsBetter(w io.Writer, v Verdicts) error { return benchmarkJSON(w, v, +1) }

func benchmarkJSON(w io.Writer, v Verdicts, better int) error {
	entries := []benchmarkEntry{}
	place, directions := map[figureName]int{}, v.directions()
	for _, one := range v.List {
		if one.Figure == nil || directions[one.figureName()] != better {
			continue
		}
		key := one.figureName()
		i, known := place[key]
		if !known {
			i = len(entries)
			place[key] = i
			entries = append(entries, benchmarkEntry{
				Name:  format.Clean(strings.Join([]string{one.Scenario, one.Algorithm, one.Metric}, " / ")),
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
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(entries); err != nil {
		return fmt.Errorf("write benchmark figures: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// figureName is what makes a figure the only one of its kind.
type figureName struct{ scenario, algorithm, metric string }

func (v Verdict) figureName() figureName { return figureName{v.Scenario, v.Algorithm, v.Metric} }

// directions are which way each figure gets better: -1 down, +1 up, 0 neither.
// The metric's own direction counts; for one that has none, the side of the
// threshold on which the figure is to stay, where all its thresholds agree.
func (v Verdicts) directions() map[figureName]int {
	better := map[string]int{}
	for _, m := range v.Metrics {
		better[m.Name] = m.Better
	}
	directions, mixed := map[figureName]int{}, map[figureName]bool{}
	for _, one := range v.List {
		key, side := one.figureName(), better[one.Metric]
		if side == 0 {
			switch one.Op {
			case "<", "<=":
				side = -1
			case ">", ">=":
				side = +1
			}
		}
		known := directions[key]
		mixed[key] = mixed[key] || one.kind() == "threshold" && (side == 0 || known != 0 && known != side)
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

// BenchmarkLeftOut counts the figures that a benchmark format has no place for:
// those that get better the other way, those without a direction, and those
// without data. It is 0 for every other format.
func BenchmarkLeftOut(v Verdicts, format string) (otherWay, noDirection, noFigure int) {
	better := map[string]int{"benchmark": -1, "benchmark-bigger": +1}[format]
	if better == 0 {
		return 0, 0, 0
	}
	counted, directions := map[figureName]bool{}, v.directions()
	for _, one := range v.List {
		if counted[one.figureName()] {
			continue
		}
		counted[one.figureName()] = true
		direction := directions[one.figureName()]
		switch {
		case one.Figure == nil:
			noFigure++
		case direction == 0:
			noDirection++
		case direction != better:
			otherWay++
		}
	}
	return otherWay, noDirection, noFigure
}

// benchmarkUnit is the metric's unit as a word; charts need one.
func benchmarkUnit(metric string, registry []catalog.Metric) string {
	if unit := table.UnitOf(metric, registry); unit != "" {
		return unit
	}
	return "1"
}
