package report

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// maxBins is how many steps a panel draws at most: about one for each pixel of
// its width, for narrower ones would blur into shades that are no figure.
func maxBins(columns int) int {
	if columns > 2 {
		return 300
	}
	return 600
}

// timelinePage shows rates over time, one panel for each algorithm with the
// same axes: what was offered as a light area, what was admitted as a dark one
// before it, the limit as a dashed line.
func timelinePage(doc *results.Document, s results.Scenario) *page {
	series, left := seriesOf(doc, s)
	if len(series) == 0 {
		return nil
	}
	p := &page{
		title:   s.Name + ": offered, admitted and limit over time",
		columns: gridColumns(len(series)),
		legend: []entry{
			{"offered", fillMark(offeredColor)},
			{"admitted", fillMark(admittedColor)},
		},
	}
	p.subtitle = subtitle(s, "first replication, bins of "+format.Span(series[0].BinNs)) + andMore(left)
	top, limit := 0.0, 0.0
	for _, one := range series {
		top = max(top, slices.Max(rates(one, one.Offered)), slices.Max(rates(one, one.Admitted)))
		limit = max(limit, perSecond(one, one.HighestLimit()))
	}
	// With many keys the sum of their limits can lie far above any traffic; drawn
	// to that scale the traffic would be a line at the bottom.
	known := limit > 0 || len(s.Policies) == 0 // of several policies none may hold for every request
	drawn := known && limit <= 3*top
	label := s.LimitLine()
	if drawn {
		top = max(top, limit)
	} else {
		label += fmt.Sprintf(": %s/s, above the panels", format.Number(limit))
	}
	if top == 0 {
		top = 1
	}
	if known {
		p.legend = append(p.legend, entry{label, lineMark(limitLine)})
	}
	var axis string
	for _, one := range series {
		var panel *plot.Plot
		panel, axis = timePanel(one, 1.05*top, p.columns, len(series))
		panel.Add(
			stepArea{rates(one, one.Offered), binSeconds(one), offeredColor},
			stepArea{rates(one, one.Admitted), binSeconds(one), admittedColor},
		)
		if drawn {
			panel.Add(limitSteps{one})
		}
		p.panels = append(p.panels, panel)
	}
	p.outer(axis, "requests/s")
	return p
}

// guardPage shows how many requests are inside the guarded backend over time;
// nil without one.
func guardPage(doc *results.Document, s results.Scenario) *page {
	all, left := seriesOf(doc, s)
	var series []results.Series
	top := int64(1)
	for _, one := range all {
		if len(one.Inflight) > 0 {
			series = append(series, one)
			top = max(top, slices.Max(one.Inflight))
		}
	}
	if len(series) == 0 {
		return nil
	}
	p := &page{
		title:    s.Name + ": load inside the guarded backend",
		subtitle: subtitle(s, "first replication, at the end of each bin of "+format.Span(series[0].BinNs)) + andMore(left),
		columns:  gridColumns(len(series)),
		legend:   []entry{{"requests in flight", fillMark(admittedColor)}},
	}
	var axis string
	for _, one := range series {
		heights := make([]float64, len(one.Inflight))
		for i, n := range one.Inflight {
			heights[i] = float64(n)
		}
		var panel *plot.Plot
		panel, axis = timePanel(one, 1.05*float64(top), p.columns, len(series))
		panel.Title.Text += fmt.Sprintf(": at most %d", slices.Max(one.Inflight))
		panel.Add(stepArea{heights, binSeconds(one), admittedColor})
		p.panels = append(p.panels, panel)
	}
	p.outer(axis, "requests in flight")
	return p
}

// seriesOf are the scenario's series that hold anything, the reference first,
// thinned to what a panel can show.
func seriesOf(doc *results.Document, s results.Scenario) ([]results.Series, int) {
	var all []results.Series
	for _, one := range doc.Series {
		if one.Scenario == s.Name && len(one.Offered) > 0 {
			all = append(all, one)
		}
	}
	series, left := referenceFirst(all, func(s results.Series) string { return s.Algorithm }, isReference(doc, s.Name), maxPanels)
	for i, one := range series {
		series[i] = one.Thin(maxBins(gridColumns(len(series))))
	}
	return series, left
}

func binSeconds(s results.Series) float64 { return float64(s.BinNs) / 1e9 }

func perSecond(s results.Series, perBin float64) float64 { return perBin / binSeconds(s) }

func rates(s results.Series, bins []int64) []float64 {
	out := make([]float64, len(bins))
	for i, n := range bins {
		out[i] = perSecond(s, float64(n))
	}
	return out
}

// timePanel is an empty panel over the series' span with heights up to top; the
// second result labels its time axis.
func timePanel(s results.Series, top float64, columns, panels int) (*plot.Plot, string) {
	p := newPanel(s.Algorithm)
	length := float64(len(s.Offered)) * binSeconds(s)
	p.X.Min, p.X.Max = 0, length
	p.Y.Min, p.Y.Max = 0, top
	end := s.StartNs + int64(length*1e9)
	ticks, label := timeTicks(s.StartNs, end, 4+8/columns)
	p.X.Tick.Marker = ticks
	rows := (panels + columns - 1) / columns
	heights := niceTicks(top, max(5, 10/rows))
	p.Y.Tick.Marker = heights
	p.Add(gridAt{y: heights})
	return p, label
}

// gridAt draws pale lines at an axis' ticks, behind the data.
type gridAt struct{ x, y plot.ConstantTicks }

func (g gridAt) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for _, t := range g.y {
		if t.Label != "" {
			c.StrokeLine2(gridLine, c.Min.X, trY(t.Value), c.Max.X, trY(t.Value))
		}
	}
	for _, t := range g.x {
		if t.Label != "" {
			c.StrokeLine2(gridLine, trX(t.Value), c.Min.Y, trX(t.Value), c.Max.Y)
		}
	}
}

// stepArea fills the area under steps of equal width that start at x = 0.
type stepArea struct {
	heights []float64
	step    float64
	color   color.Color
}

func (a stepArea) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	var path vg.Path
	path.Move(vg.Point{X: trX(0), Y: trY(0)})
	for i, h := range a.heights {
		if i > 0 && h == a.heights[i-1] {
			continue // the step before goes on
		}
		x := trX(float64(i) * a.step)
		if i > 0 {
			path.Line(vg.Point{X: x, Y: trY(a.heights[i-1])})
		}
		path.Line(vg.Point{X: x, Y: trY(h)})
	}
	end := trX(float64(len(a.heights)) * a.step)
	path.Line(vg.Point{X: end, Y: trY(a.heights[len(a.heights)-1])})
	path.Line(vg.Point{X: end, Y: trY(0)})
	path.Close()
	c.SetColor(a.color)
	c.Fill(path)
}

// limitSteps is the limit in force over time, a line with a step at each change.
type limitSteps struct{ series results.Series }

func (l limitSteps) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	var line []vg.Point
	for _, s := range l.series.LimitSpans() {
		y := trY(perSecond(l.series, s.PerBin))
		line = append(line, vg.Point{X: trX(float64(s.From) / 1e9), Y: y}, vg.Point{X: trX(float64(s.To) / 1e9), Y: y})
	}
	c.StrokeLines(limitLine, line)
}
