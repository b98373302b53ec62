package table

import (
	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/results"
)

// Cell writes a summary's mean with half of its interval, "29.7 ±0.2". It
// writes "-" if there is no mean.
func Cell(s results.Summary) string { return format.Cell(s.Mean, s.Spread()) }

// cells writes a row's figures.
func cells(r results.Result, columns []string) (list []string) {
	for _, name := range columns {
		list = append(list, Cell(r.Summary(name)))
	}
	return list
}
