package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Curve returns the table of a curve: a column for each scenario, a row for x, a
// row for each algorithm, and the slope of its line. If algorithms differ in x, a
// cell has both figures. A note names the algorithms without a line. A curve with
// fewer than two scenarios in the document has neither rows nor notes.
func Curve(doc *results.Document, c results.Curve, registry []catalog.Metric) Table {
	registry = InUnitsOf(results.CostUnit(doc.Results), doc.Results, registry)
	x, y := curveLabel(c.X, registry), curveLabel(c.Y, registry)
	t := Table{Title: fmt.Sprintf("%s: %s against %s", c.Name, y, x), Lead: c.About, Columns: []Column{{Header: "algorithm"}}}
	for _, name := range c.Scenarios {
		t.Columns = append(t.Columns, Column{Header: name, Right: true})
	}
	t.Columns = append(t.Columns, Column{Header: "slope", Right: true})
	lines := doc.CurveLines(c)
	shared := sharedX(lines)
	if shared != nil {
		row := []string{x}
		for _, v := range shared {
			if math.IsNaN(v) {
				row = append(row, "-")
			} else {
				row = append(row, format.Number(v))
			}
		}
		t.Rows = append(t.Rows, append(row, "-"))
	}
	var missing groups.Groups[string, string] // algorithms by reason
	for _, l := range lines {
		row := []string{l.Algorithm}
		for _, p := range l.Points {
			switch {
			case p.Reason != "":
				row = append(row, "-")
				if !slices.Contains(missing.Of[p.Reason], l.Algorithm) {
					missing.Add(p.Reason, l.Algorithm)
				}
			case shared == nil:
				row = append(row, format.Number(p.Y)+" at "+format.Number(p.X))
			default:
				row = append(row, format.Number(p.Y))
			}
		}
		t.Rows = append(t.Rows, append(row, l.SlopeText()))
	}
	if len(t.Rows) > 0 {
		t.Notes = append(t.Notes, "slope: of the least-squares line through the logarithms of both figures; 1 grows in proportion, below 1 sub-linearly, 0 not at all")
	}
	if without := withoutLine(doc, c, lines); len(without) > 0 {
		t.Notes = append(t.Notes, "left out, no figure in two scenarios: "+strings.Join(without, ", "))
	}
	for _, reason := range missing.Keys {
		t.Notes = append(t.Notes, fmt.Sprintf("no data (-) for %s: %s", strings.Join(missing.Of[reason], ", "), reason))
	}
	return t
}

// withoutLine returns the algorithms of a curve's scenarios that have no line. It
// returns none if fewer than two of the scenarios are in the document.
func withoutLine(doc *results.Document, c results.Curve, lines []results.CurveLine) (names []string) {
	scenarios := 0
	for _, name := range c.Scenarios {
		rows := doc.Rows(name)
		if len(rows) > 0 {
			scenarios++
		}
		for _, r := range rows {
			drawn := slices.ContainsFunc(lines, func(l results.CurveLine) bool { return l.Algorithm == r.Algorithm })
			if !r.Reference && !drawn && !slices.Contains(names, r.Algorithm) {
				names = append(names, r.Algorithm)
			}
		}
	}
	if scenarios < 2 {
		return nil
	}
	return names
}

// curveLabel returns the label of an axis of a curve.
func curveLabel(name string, registry []catalog.Metric) string {
	switch name {
	case "clients", "servers":
		return name
	case "offered_per_s":
		return "offered " + UnitOf(name, registry)
	}
	return ColumnOf(name, registry).Label()
}

// sharedX returns x by scenario, NaN where no line has a figure, or nil if lines
// differ in x.
func sharedX(lines []results.CurveLine) (xs []float64) {
	for _, l := range lines {
		if xs == nil {
			xs = slices.Repeat([]float64{math.NaN()}, len(l.Points))
		}
		for i, p := range l.Points {
			switch {
			case p.Reason != "":
			case math.IsNaN(xs[i]):
				xs[i] = p.X
			case xs[i] != p.X:
				return nil
			}
		}
	}
	return xs
}
