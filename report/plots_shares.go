package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// sharesPage shows who got what, one panel for each algorithm: for the tenants
// with the largest demand what they offered, what was admitted, and their fair
// share as an upright line. Where tenants are of like size these are bars, the
// admitted before the offered; where they are far apart the axis is logarithmic
// and a band leads from a dot, the admitted, to the offered. nil with one tenant.
func sharesPage(doc *results.Document, s results.Scenario) *page {
	var shares []results.Shares
	several := false
	for _, one := range doc.Shares {
		if one.Scenario == s.Name && len(one.Tenants) > 0 {
			shares = append(shares, one)
			several = several || len(one.Tenants) > 1
		}
	}
	if !several {
		return nil
	}
	shares, left := referenceFirst(shares, func(s results.Shares) string { return s.Algorithm }, isReference(doc, s.Name), maxPanels)
	p := &page{title: s.Name + ": who got what", columns: shareColumns(len(shares))}
	rows := (len(shares) + p.columns - 1) / p.columns
	tenants := topTenants(shares, max(3, min(20, 34/rows)))
	labels := make([]string, len(tenants))
	for i, t := range tenants {
		labels[i] = t.Tenant
	}
	axis := shareAxis(shares, tenants)
	what := fmt.Sprintf("first replication, the %d tenants with the largest demand", len(tenants))
	admitted := entry{"admitted", fillMark(admittedColor)}
	if axis.log {
		what += ", logarithmic axis"
		admitted.mark = dotMark
	}
	p.subtitle = subtitle(s, what) + andMore(left)
	p.legend = []entry{
		{"offered", fillMark(offeredColor)},
		admitted,
		{"fair share (max-min) of all that was admitted", uprightMark(fairLine)},
	}
	for i, one := range shares {
		panel := newPanel(one.Algorithm)
		panel.Y.Min, panel.Y.Max = -0.5, float64(len(tenants))-0.5
		ticks := axis.apply(panel, p.columns)
		panel.Y.Tick.Length = 0
		panel.Y.Tick.Marker = names(panel, labels, i%p.columns == 0)
		panel.Y.Tick.Label.Font = sans(tickSize)
		panel.Add(gridAt{x: ticks}, shareBars{tenants: tenants, shares: one, dots: axis.log})
		p.panels = append(p.panels, panel)
	}
	label := "requests in the measured span"
	if axis.log {
		// The plot library makes room for a label as if the axis were linear: a long
		// one would narrow the panels.
		label = "requests"
	}
	p.outer(label, "")
	return p
}

var fairLine = draw.LineStyle{Color: limitColor, Width: 2}

// shareColumns is how many columns panels of bars need: they are read by height.
func shareColumns(n int) int {
	switch {
	case n <= 3:
		return n
	case n <= 8:
		return (n + 1) / 2
	}
	return 5
}

// othersName is what a document calls the tenants after the largest ones, as one.
const othersName = "others"

// topTenants are the first tenants of the first panel; all panels show these.
func topTenants(shares []results.Shares, most int) []results.Share {
	first := shares[0].Tenants
	for _, one := range shares {
		if len(one.Tenants) > len(first) {
			first = one.Tenants
		}
	}
	// The tenants that are not listed, added up, are no tenant to compare with.
	if n := len(first); n > 1 && first[n-1].Tenant == othersName {
		first = first[:n-1]
	}
	return first[:min(most, len(first))]
}

// requestAxis is the axis of requests that all panels share.
type requestAxis struct {
	least, most float64
	log         bool
}

// shareAxis makes the axis logarithmic where the largest tenant is more than 20
// times the smallest: to a linear scale only the largest would show.
func shareAxis(shares []results.Shares, tenants []results.Share) requestAxis {
	a := requestAxis{least: math.Inf(1), most: 1}
	size := math.Inf(1) // of the smallest tenant
	for _, one := range shares {
		for _, t := range tenants {
			share, ok := shareOf(one, t.Tenant)
			if !ok {
				continue
			}
			for _, n := range []float64{float64(share.Offered), float64(share.Admitted), share.Fair} {
				a.most = max(a.most, n)
				if n > 0 {
					a.least = min(a.least, n)
				}
			}
			size = min(size, max(1, float64(share.Offered), float64(share.Admitted)))
		}
	}
	a.log = a.most > 20*size
	return a
}

func (a requestAxis) apply(p *plot.Plot, columns int) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	if a.log {
		p.X.Scale = plot.LogScale{}
		p.X.Min = max(math.Pow10(int(math.Floor(math.Log10(a.least*0.95)))), a.most/1e6)
		p.X.Max = 1.3 * a.most
		ticks = decadeTicks(p.X.Min, p.X.Max, format.Number)
	} else {
		p.X.Min, p.X.Max = 0, 1.05*a.most
		ticks = niceTicks(p.X.Max, 3+6/columns)
	}
	p.X.Tick.Marker = ticks
	return ticks
}

func shareOf(s results.Shares, tenant string) (results.Share, bool) {
	for _, t := range s.Tenants {
		if t.Tenant == tenant {
			return t, true
		}
	}
	return results.Share{}, false
}

// shareBars draws one algorithm's panel.
type shareBars struct {
	tenants []results.Share
	shares  results.Shares
	dots    bool // admitted as a dot, on an axis that has no zero
}

func (b shareBars) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	at := func(requests float64) vg.Length { return trX(max(requests, p.X.Min)) }
	pitch := trY(1) - trY(0)
	outer := min(0.42*pitch, 24)
	for i, t := range b.tenants {
		share, ok := shareOf(b.shares, t.Tenant)
		if !ok {
			continue
		}
		y := trY(float64(len(b.tenants) - 1 - i))
		offered, admitted, fair := at(float64(share.Offered)), at(float64(share.Admitted)), at(share.Fair)
		if b.dots {
			fillBox(c, min(admitted, offered), max(admitted, offered), y, min(0.6*outer, 5), offeredColor)
			c.StrokeLine2(fairLine, fair, y-outer, fair, y+outer)
			drawDot(c, admitted, y, min(0.6*outer, 4))
			continue
		}
		fillBox(c, c.Min.X, offered, y, outer, offeredColor)
		fillBox(c, c.Min.X, admitted, y, 0.6*outer, admittedColor)
		c.StrokeLine2(fairLine, fair, y-outer, fair, y+outer)
	}
}
