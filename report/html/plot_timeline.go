package html

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

const (
	mostPanels = 24  // small multiples of one figure; more are in the table alone
	mostBins   = 300 // steps of one panel: about one for each pixel of its width
	latest     = 9e18
)

// A panel of the small multiples, in pixels.
const (
	panelWidth, panelHeight           = 360.0, 150.0
	panelLeft, panelRight             = 44.0, 8.0
	panelTop, panelBottom             = 22.0, 22.0
	panelInnerWidth, panelInnerHeight = panelWidth - panelLeft - panelRight, panelHeight - panelTop - panelBottom
	panelBase                         = panelTop + panelInnerHeight
	offeredName, admittedName         = "offered", "admitted"
)

// timeline draws what was offered and admitted over time beside the limit, one
// panel for each algorithm, all with the same axes.
func timeline(doc *results.Document, s results.Scenario) *figure {
	all, left := seriesOf(doc, s, func(one results.Series) bool { return len(one.Offered) > 0 && len(one.Offered) == len(one.Admitted) })
	if len(all) == 0 {
		return nil
	}
	top, limit := 0.0, 0.0
	for _, one := range all {
		top = max(top, perSecond(one, float64(slices.Max(one.Offered))), perSecond(one, float64(slices.Max(one.Admitted))))
		limit = max(limit, perSecond(one, one.HighestLimit()))
	}
	// The limits of many keys together can lie far above any traffic; drawn to
	// that scale the traffic would be a line at the bottom.
	known := limit > 0 || len(s.Policies) == 0 // of several policies none may hold for every request
	drawn := known && limit <= 3*top
	limitName := s.LimitLine()
	if drawn {
		top = max(top, limit)
	} else {
		limitName += fmt.Sprintf(" (%s/s, above the panels)", format.Number(limit))
	}
	fig := &figure{
		Title:  "Offered, admitted and limit over time",
		Note:   fmt.Sprintf("Requests per second, in bins of %s, first replication. All panels have the same axes.%s", format.Span(all[0].BinNs), andMore(left)),
		Legend: []legendItem{{swatchFill("offered"), "offered"}, {swatchFill("admitted"), "admitted"}},
		Grid:   "small",
	}
	if known {
		fig.Legend = append(fig.Legend, legendItem{swatchLine("limit"), limitName})
	}
	for _, one := range all {
		p := newPanel(one, one.Algorithm, top)
		p.area("offered", one.Offered, binSeconds(one))
		p.area("admitted", one.Admitted, binSeconds(one))
		if drawn {
			p.limit()
		}
		label := fmt.Sprintf("%s over time: offered %s/s on average, at most %s/s in a bin; admitted %s/s on average, at most %s/s; limit %s",
			one.Algorithm, meanRate(one, one.Offered), peakRate(one, one.Offered), meanRate(one, one.Admitted), peakRate(one, one.Admitted), limitWords(one))
		fig.Plots = append(fig.Plots, p.finish(label,
			attribute{"data-offered", counts(one.Offered)}, attribute{"data-admitted", counts(one.Admitted)},
			attribute{"data-limits", limitsByBin(one)}))
	}
	return fig
}

// inflight draws the load inside a guarded backend over time; nil without one.
func inflight(doc *results.Document, s results.Scenario) *figure {
	all, left := seriesOf(doc, s, func(one results.Series) bool { return len(one.Inflight) > 0 })
	if len(all) == 0 {
		return nil
	}
	top := int64(1)
	for _, one := range all {
		top = max(top, slices.Max(one.Inflight))
	}
	fig := &figure{
		Title:  "Load inside the guarded backend",
		Note:   fmt.Sprintf("Requests in flight at the end of each bin of %s, first replication.%s", format.Span(all[0].BinNs), andMore(left)),
		Legend: []legendItem{{swatchFill("admitted"), "requests in flight"}},
		Grid:   "small",
	}
	for _, one := range all {
		p := newPanel(one, fmt.Sprintf("%s: at most %d", one.Algorithm, slices.Max(one.Inflight)), float64(top))
		p.area("admitted", one.Inflight, 1)
		label := fmt.Sprintf("%s: at most %d requests in flight in the backend", one.Algorithm, slices.Max(one.Inflight))
		fig.Plots = append(fig.Plots, p.finish(label, attribute{"data-inflight", counts(one.Inflight)}))
	}
	return fig
}

// panel is one algorithm's small plot over time.
type panel struct {
	*drawing
	series results.Series
	bins   int
	top    float64
}

func newPanel(one results.Series, name string, top float64) panel {
	p := panel{newDrawing(panelWidth, panelHeight), one, max(len(one.Offered), len(one.Inflight)), top}
	if top <= 0 {
		p.top = 1
	}
	p.text("name", panelLeft, 14, fit(name, panelInnerWidth-70))
	for _, t := range report.NiceTicks(p.top, 4) {
		y := p.y(t.Value)
		p.line("grid", panelLeft, y, panelWidth-panelRight, y)
		p.text("tick end", panelLeft-5, y+3.5, t.Label)
	}
	seconds := float64(p.bins) * binSeconds(one)
	end := float64(one.StartNs) + seconds*1e9
	if one.StartNs < 0 || end > latest {
		return p
	}
	ticks, axis := report.TimeTicks(one.StartNs, one.StartNs+int64(seconds*1e9), 4)
	var last float64
	for i, t := range ticks {
		x := panelLeft + t.Value/seconds*panelInnerWidth
		p.line("axis", x, panelBase, x, panelBase+3)
		// The last label names the unit; where it would run out, the first does.
		words := t.Label
		if i > 0 && x-last < widthOf(words)+6 {
			continue
		}
		p.text("tick "+alignAt(x), x, panelBase+14, words)
		last = x
	}
	p.text("tick end", panelWidth-panelRight, 14, axis)
	return p
}

// alignAt keeps a label inside its panel.
func alignAt(x float64) string {
	switch {
	case x > panelWidth-panelRight-14:
		return "end"
	case x < panelLeft+8:
		return "start"
	}
	return "middle"
}

func (p panel) y(value float64) float64 {
	return panelBase - min(max(value/p.top, 0), 1)*panelInnerHeight
}

// area fills what lies under the bins, each divided by unit, from the base.
func (p panel) area(class string, bins []int64, unit float64) {
	step := panelInnerWidth / float64(len(bins))
	var d strings.Builder
	d.WriteString("M" + num(panelLeft) + " " + num(panelBase))
	at := math.NaN()
	for i, n := range bins {
		y := math.Round(p.y(float64(n)/unit)*10) / 10
		if y == at {
			continue // the step before goes on
		}
		if i > 0 {
			d.WriteString("H" + num(panelLeft+float64(i)*step))
		}
		d.WriteString("V" + num(y))
		at = y
	}
	d.WriteString("H" + num(panelWidth-panelRight) + "V" + num(panelBase) + "Z")
	p.path(class, d.String())
}

// limit draws the limit in force, with a step at each change.
func (p panel) limit() {
	seconds := float64(p.bins) * binSeconds(p.series)
	last := math.NaN()
	for _, s := range p.series.LimitSpans() {
		from, to := panelLeft+float64(s.From)/1e9/seconds*panelInnerWidth, panelLeft+float64(s.To)/1e9/seconds*panelInnerWidth
		y := p.y(perSecond(p.series, s.PerBin))
		if !math.IsNaN(last) {
			p.line("limit", from, last, from, y)
		}
		p.line("limit", from, y, to, y)
		last = y
	}
}

// limitWords says the limit in force, and since when each change of it.
func limitWords(s results.Series) string {
	var words []string
	for i, span := range s.LimitSpans() {
		text := format.Number(perSecond(s, span.PerBin)) + "/s"
		if i > 0 {
			text = fmt.Sprintf("from %s on %s", format.Span(span.From), text)
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

// limitsByBin is for the script: BIN:LIMIT for each limit from that bin on.
func limitsByBin(s results.Series) string {
	var list []string
	for _, span := range s.LimitSpans() {
		list = append(list, fmt.Sprintf("%d:%s", span.From/s.BinNs, format.Number(perSecond(s, span.PerBin))))
	}
	return strings.Join(list, " ")
}

func (p panel) finish(label string, data ...attribute) template.HTML {
	p.line("axis", panelLeft, panelBase, panelWidth-panelRight, panelBase)
	one := p.series
	data = append(data,
		attribute{"data-name", one.Algorithm},
		attribute{"data-start", strconv.FormatInt(one.StartNs, 10)},
		attribute{"data-bin", strconv.FormatInt(one.BinNs, 10)},
	)
	if format.IsDate(one.StartNs) {
		data = append(data, attribute{"data-date", "1"})
	}
	return p.done("timeline", label, data...)
}

// seriesOf are the scenario's series that hold what is wanted, the reference
// first, thinned to what a panel can show, and how many are left out.
func seriesOf(doc *results.Document, s results.Scenario, wanted func(results.Series) bool) (all []results.Series, left int) {
	for _, one := range doc.Series {
		if one.Scenario == s.Name && one.BinNs > 0 && wanted(one) {
			all = append(all, one.Thin(mostBins))
		}
	}
	return referenceFirst(doc, s, all, func(s results.Series) string { return s.Algorithm })
}

func binSeconds(s results.Series) float64 { return float64(s.BinNs) / 1e9 }

func perSecond(s results.Series, perBin float64) float64 { return perBin / binSeconds(s) }

func meanRate(s results.Series, bins []int64) string {
	sum := 0.0
	for _, n := range bins {
		sum += float64(n)
	}
	return format.Number(perSecond(s, sum/float64(len(bins))))
}

func peakRate(s results.Series, bins []int64) string {
	return format.Number(perSecond(s, float64(slices.Max(bins))))
}

func counts(bins []int64) string {
	words := make([]string, len(bins))
	for i, n := range bins {
		words[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(words, " ")
}
