package report

import (
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// What follows is how this package words and orders what it shows, for
// renderers in packages of their own: a figure reads the same wherever it is.

// Rows returns the scenario's rows, those of the reference first.
func Rows(doc *results.Document, scenario string) []results.Result { return rowsOf(doc, scenario) }

// RowLabels are the rows' names; a row of the reference says so.
func RowLabels(rows []results.Result) []string { return rowLabels(rows) }

// ColumnsFor names the figures that a comparison of the rows shows by default.
func ColumnsFor(rows []results.Result) []string { return columnsOf(rows) }

// ColumnOf is a metric's head and unit.
func ColumnOf(metric string, registry []catalog.Metric) Column { return column(metric, registry) }

// MetricOrder lists a row's metrics in the registry's order, then the others.
func MetricOrder(r results.Result, registry []catalog.Metric) []string {
	return metricOrder(r, registry)
}

// SummaryOf is a row's figure; where there is none its Reason says why.
func SummaryOf(r results.Result, metric string) results.Summary { return summary(r, metric) }

// Sentence says what the three headline figures of a comparison show.
func Sentence(s results.Scenario, rows []results.Result) string { return sentence(s, rows) }

// TableNotes say what ± and - stand for in a comparison of these columns, and
// which rows are exact.
func TableNotes(s results.Scenario, rows []results.Result, columns []string, registry []catalog.Metric) []string {
	labels := rowLabels(rows)
	heads := make([]Column, len(columns))
	for i, name := range columns {
		heads[i] = column(name, registry)
	}
	return append(intervalNotes(s, rows, labels, columns), noDataNotes(rows, labels, columns, heads)...)
}

// Figure writes a number at three or four significant digits.
func Figure(x float64) string { return figure(x) }

// FigureBeside writes x like Figure, or with as many more digits as tell it apart
// from the limit that it is held against.
func FigureBeside(x, limit float64) string { return beside(x, limit) }

// Cell writes a mean with half of its interval: "29.7 ±0.2"; "-" without one.
func Cell(s results.Summary) string { return cell(s) }

// Spread is the distance from the mean to the farther end of its interval.
func Spread(s results.Summary) float64 { return spread(s) }

// Span writes a length of time in ns in its two largest units.
func Span(ns int64) string { return span(ns) }
