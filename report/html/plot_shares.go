package html

import (
	"fmt"
	"html/template"

	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/report/layout"
	"github.com/limitgauge/limitgauge/sim/results"
)

const (
	mostTenants  = 12
	othersName   = "others" // what a document calls the tenants after the largest, as one
	sharesWidth  = 360.0
	sharePitch   = 20.0
	longestName  = 110.0
	sharesTop    = 24.0
	sharesBottom = 34.0
)

// tenantShares draws who got what, one panel for each algorithm: for the
// tenants with the largest demand what they offered, what was admitted, and
// their fair share as an upright line. nil with one tenant.
func tenantShares(doc *results.Document, s results.Scenario) *figure {
	var all []results.Shares
	several := false
	for _, one := range doc.Shares {
		if one.Scenario == s.Name && len(one.Tenants) > 0 {
			all = append(all, one)
			several = several || len(one.Tenants) > 1
		}
	}
	if !several {
		return nil
	}
	all, left := referenceFirst(doc, s, all, func(s results.Shares) string { return s.Algorithm })
	tenants := largestTenants(all)
	x := shareScale(all, tenants)
	note := fmt.Sprintf("Requests of the %d tenants with the largest demand, %s.%s", len(tenants), x.Name("first replication"), andMore(left))
	fig := &figure{
		Title: "Who got what", Note: note, Grid: "small",
		Legend: []legendItem{
			{swatchFill("offered"), "offered"}, {swatchFill("admitted"), "admitted"}, {swatchUpright("fair"), "fair share (max-min) of all that was admitted"},
		},
	}
	if x.Log {
		fig.Legend[1].Swatch = swatchDot("admitted")
	}
	for _, one := range all {
		fig.Plots = append(fig.Plots, sharePanel(one, tenants, x))
	}
	return fig
}

// largestTenants are the tenants that all panels show: the first ones of the
// longest list. Those that are added up are no tenant to compare with.
func largestTenants(all []results.Shares) (names []string) {
	first := all[0].Tenants
	for _, one := range all {
		if len(one.Tenants) > len(first) {
			first = one.Tenants
		}
	}
	if n := len(first); n > 1 && first[n-1].Tenant == othersName {
		first = first[:n-1]
	}
	for _, t := range first[:min(mostTenants, len(first))] {
		names = append(names, t.Tenant)
	}
	return names
}

// shareScale is logarithmic where tenants are far apart: to a linear scale only
// the largest would show.
func shareScale(all []results.Shares, tenants []string) layout.Scale {
	left := 0.0
	var figures []*float64
	for _, name := range tenants {
		left = max(left, min(widthOf(name), longestName))
		for _, one := range all {
			if t := shareOf(one, name); t != nil {
				offered, admitted := float64(t.Offered), float64(t.Admitted)
				figures = append(figures, &offered, &admitted)
			}
		}
	}
	return layout.NewScale(figures, left+10, sharesWidth-12)
}

func shareOf(s results.Shares, tenant string) *results.Share {
	for i := range s.Tenants {
		if s.Tenants[i].Tenant == tenant {
			return &s.Tenants[i]
		}
	}
	return nil
}

func sharePanel(one results.Shares, tenants []string, x layout.Scale) template.HTML {
	base := sharesTop + sharePitch*float64(len(tenants))
	d := newDrawing(sharesWidth, base+sharesBottom)
	d.text("name", x.From, 14, fit(one.Algorithm, sharesWidth-x.From))
	for _, t := range report.ScaleTicks(x, 4) {
		d.line("grid", x.Of(t.Value), sharesTop, x.Of(t.Value), base)
		d.text("tick middle", x.Of(t.Value), base+14, t.Label)
	}
	if x.Zeros {
		d.line("divider", x.Start(), sharesTop, x.Start(), base)
		d.text("tick middle", x.Of(0), base+14, "0")
	}
	d.text("tick middle", (x.From+x.To)/2, base+29, "requests")
	for i, name := range tenants {
		t := shareOf(one, name)
		if t == nil {
			continue
		}
		y := sharesTop + sharePitch*(float64(i)+0.5)
		offered, admitted, fair := x.Of(float64(t.Offered)), x.Of(float64(t.Admitted)), x.Of(t.Fair)
		d.mark(fmt.Sprintf("%s, %s: offered %d, admitted %d, rejected %d, fair share %s", one.Algorithm, name, t.Offered, t.Admitted, t.Rejected, format.Number(t.Fair)), func() {
			d.rect("hit", 0, y-sharePitch/2, sharesWidth, sharePitch)
			d.text("row end", x.From-6, y+4, fit(name, longestName))
			if x.Log {
				d.rect("offered", min(admitted, offered), y-3, max(admitted, offered)-min(admitted, offered), 6)
				d.circle("admitted", admitted, y, 4)
			} else {
				d.rect("offered", x.From, y-8, offered-x.From, 16)
				d.rect("admitted", x.From, y-5, admitted-x.From, 10)
			}
			d.line("fair", fair, y-9, fair, y+9)
		})
	}
	d.line("axis", x.From, sharesTop, x.From, base)
	return d.done("plot", one.Algorithm+": what each of the largest tenants offered and got, with its fair share")
}
