package report

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/results"
)

// accuracyPage shows the three headline figures side by side, a bar with its
// 95 % interval for each algorithm, its number beside it.
func accuracyPage(doc *results.Document, s results.Scenario) *page {
	rows := doc.Rows(s.Name)
	if len(rows) == 0 {
		return nil
	}
	left := max(0, len(rows)-2*maxPanels)
	rows = rows[:len(rows)-left]
	labels := results.Labels(rows)
	p := &page{
		title:    s.Name + ": how far over and under the limit",
		subtitle: subtitle(s, replications(rows)) + andMore(left),
		columns:  3,
		legend: []entry{
			{"reference: the exact limiter", fillMark(referenceColor)},
			{"algorithm", fillMark(admittedColor)},
			{"95 % interval", whiskerMark},
		},
	}
	for i, panel := range []struct{ metric, title, axis string }{
		{"over_limit_pct", "over-limit", "% over the limit, mean of saturated windows"},
		{"burst_excess", "burst excess", "requests beyond the policy's burst"},
		{"under_admission_pct", "under-admission", "% of what the reference admits"},
	} {
		b := bars{}
		for _, r := range rows {
			b.rows = append(b.rows, barRow{r.Summary(panel.metric), r.Reference})
		}
		one := newPanel(panel.title)
		one.X.Label.Text = panel.axis
		// Room for the number that stands right of the longest bar.
		one.X.Min, one.X.Max = 0, 1.4*b.longest()
		one.Y.Min, one.Y.Max = -0.5, float64(len(rows))-0.5
		ticks := niceTicks(one.X.Max, 6)
		one.X.Tick.Marker = ticks
		one.Y.Tick.Marker = names(one, labels, i == 0)
		one.Y.Tick.Length = 0
		one.Add(gridAt{x: ticks}, b)
		p.panels = append(p.panels, one)
	}
	return p
}

// replications says of how many runs the bars are.
func replications(rows []results.Result) string {
	most := 0
	for _, r := range rows {
		if !r.Exact {
			most = max(most, r.Replications)
		}
	}
	switch most {
	case 0:
		return "exact: no random draws"
	case 1:
		return "one random run, no intervals"
	}
	return fmt.Sprintf("mean over %d replications", most)
}

// names puts the first label at the top of a vertical axis of rows; without
// shown the rows have no names.
func names(p *plot.Plot, labels []string, shown bool) plot.ConstantTicks {
	const longest = 150 // points
	ticks := make(plot.ConstantTicks, 0, len(labels))
	if !shown {
		return ticks
	}
	p.Y.Tick.Label.Font = sans(textSize)
	p.Y.Tick.Label.Color = black
	for i, label := range labels {
		ticks = append(ticks, plot.Tick{
			Value: float64(len(labels) - 1 - i),
			Label: fitted(p.Y.Tick.Label, label, longest),
		})
	}
	return ticks
}

// bars draws one horizontal bar for each row, the first at the top.
type bars struct{ rows []barRow }

type barRow struct {
	summary   results.Summary
	reference bool
}

// longest is the farthest that a bar or its interval reaches, 1 if none does.
func (b bars) longest() float64 {
	far := 0.0
	for _, r := range b.rows {
		if r.summary.Mean != nil {
			far = max(far, *r.summary.Mean+r.summary.Spread())
		}
	}
	// An axis that ends below what numbers resolve shows everything as 0.
	if far < 1e-100 {
		return 1
	}
	return far
}

func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	number := style(sans(tickSize), black)
	number.YAlign = draw.YCenter
	missing := style(sans(tickSize), textGrey)
	missing.YAlign = draw.YCenter
	half := min(0.32*(trY(1)-trY(0)), 16)
	for i, r := range b.rows {
		y := trY(float64(len(b.rows) - 1 - i))
		if r.summary.Mean == nil {
			c.FillText(missing, vg.Point{X: c.Min.X + 5, Y: y}, "no data")
			continue
		}
		end := trX(max(0, *r.summary.Mean))
		fill := admittedColor
		if r.reference {
			fill = referenceColor
		}
		fillBox(c, c.Min.X, end, y, half, fill)
		if r.summary.Spread() > 0 {
			from, to := trX(max(0, *r.summary.Lo)), trX(max(0, *r.summary.Hi))
			drawWhisker(c, from, to, y)
			end = max(end, to)
		}
		c.FillText(number, vg.Point{X: end + 5, Y: y}, table.Cell(r.summary))
	}
}
