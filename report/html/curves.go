package html

import (
	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/results"
)

// curves is the section of the curves of a document.
type curves struct {
	Figure *figure.Figure // nil if nothing is above 0
	Tables []table.Table
}

// newCurves returns nil if no curve has a line or an algorithm without one.
func newCurves(doc *results.Document, g *glossary) *curves {
	c := &curves{Figure: figure.Curves(doc)}
	for _, one := range doc.Curves {
		if t := table.Curve(doc, one, g.registry); len(t.Rows)+len(t.Notes) > 0 {
			c.Tables = append(c.Tables, t)
		}
	}
	if len(c.Tables) == 0 {
		return nil
	}
	return c
}
