package html

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/report/layout"
	"github.com/limitgauge/limitgauge/sim/results"
)

const (
	latencyWidth, latencyHeight = 560.0, 300.0
	latencyLeft, latencyRight   = 88.0, 14.0
	latencyTop, latencyBottom   = 26.0, 44.0
	mostKinds                   = 4
	lineClasses                 = 12 // the style sheet has line0 to line11
)

// latencies draws, for each latency of which the document has distributions,
// the share of requests that took at least so long, on logarithmic axes: where
// a curve crosses 1 % is its p99. A curve that starts below 100 % is one where
// the rest took no time at all. nil where nothing took time.
func latencies(doc *results.Document, s results.Scenario) *figure {
	var all []results.Histogram
	var kinds []string
	for _, h := range doc.Histograms {
		if h.Scenario == s.Name && h.Unit == "ns" && h.Total() > 0 && h.Slowest() > 0 {
			all = append(all, h)
			if !slices.Contains(kinds, h.Name) {
				kinds = append(kinds, h.Name)
			}
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	// The latency on the request path is the one people ask about first.
	if i := slices.Index(kinds, "decision_latency"); i > 0 {
		kinds = slices.Insert(slices.Delete(kinds, i, i+1), 0, "decision_latency")
	}
	note := "Share of values that are at least so long, first replication, both axes logarithmic; dots mark p50, p90, p99 and p99.9."
	if len(kinds) > mostKinds {
		note += " Not drawn: " + strings.ReplaceAll(strings.Join(kinds[mostKinds:], ", "), "_", " ") + "."
		kinds = kinds[:mostKinds]
	}
	all, _ = referenceFirst(doc, s, all, func(h results.Histogram) string { return h.Algorithm })
	fig := &figure{Title: "Latency distributions", Grid: "large"}
	lines := map[string]string{}
	reference := references(doc, s)
	next := 0
	for _, h := range all {
		if lines[h.Algorithm] != "" || !slices.Contains(kinds, h.Name) {
			continue
		}
		class := "line-reference"
		switch {
		case reference[h.Algorithm] && len(lines) > 0:
			class += "-shaped" // the second reference, the one that makes requests wait
		case !reference[h.Algorithm]:
			class = fmt.Sprintf("line%d", next%lineClasses)
			next++
		}
		lines[h.Algorithm] = class
		fig.Legend = append(fig.Legend, legendItem{swatchLine("line " + class), h.Algorithm})
	}
	if quiet := silent(doc, s, lines); quiet != "" {
		note += " No latency at all: " + quiet + "."
	}
	fig.Note = note
	for _, kind := range kinds {
		var shown []results.Histogram
		for _, h := range all {
			if h.Name == kind {
				shown = append(shown, h)
			}
		}
		fig.Plots = append(fig.Plots, tails(kind, shown, lines))
	}
	return fig
}

// silent names the rows whose distributions hold nothing but zeros.
func silent(doc *results.Document, s results.Scenario, lines map[string]string) string {
	var names []string
	for _, h := range doc.Histograms {
		if h.Scenario == s.Name && h.Unit == "ns" && lines[h.Algorithm] == "" && !slices.Contains(names, h.Algorithm) {
			names = append(names, h.Algorithm)
		}
	}
	return strings.Join(names, ", ")
}

// quantiles are the shares at which curves have dots.
var quantiles = []struct {
	share float64
	name  string
}{{0.5, "p50"}, {0.1, "p90"}, {0.01, "p99"}, {0.001, "p99.9"}}

func tails(kind string, shown []results.Histogram, lines map[string]string) template.HTML {
	d := newDrawing(latencyWidth, latencyHeight)
	base, right := latencyHeight-latencyBottom, latencyWidth-latencyRight
	least, most, rarest := math.Inf(1), 0.0, 1.0
	for _, h := range shown {
		from, to := h.BulkMs()
		least, most = min(least, from), max(most, to)
		rarest = min(rarest, 1/float64(h.Total()))
	}
	x := layout.Scale{From: latencyLeft, To: right, Log: true, Lo: max(math.Pow10(int(math.Floor(math.Log10(least)))), most/1e6), Hi: most * 1.05}
	y := layout.Scale{From: base, To: latencyTop, Log: true, Lo: math.Pow10(max(-5, min(-3, int(math.Floor(math.Log10(rarest)))))), Hi: 1}
	words := strings.ReplaceAll(kind, "_", " ")
	d.text("name", latencyLeft, 14, words)
	last := math.Inf(-1)
	for _, t := range report.ScaleTicks(x, 6) {
		at := x.Of(t.Value)
		d.line("grid", at, latencyTop, at, base)
		if at-last > widthOf(t.Label)+10 {
			d.text("tick middle", at, base+14, t.Label)
			last = at
		}
	}
	for share := 1.0; share > y.Lo*0.99; share /= 10 {
		at := y.Of(share)
		d.line("grid", latencyLeft, at, right, at)
		d.text("tick end", latencyLeft-6, at+4, report.ShareLabel(share))
	}
	d.path("axis", "M"+num(latencyLeft)+" "+num(latencyTop)+"V"+num(base)+"H"+num(right))
	d.text("tick middle", (latencyLeft+right)/2, base+34, "at least so many milliseconds")
	said := []string{}
	for _, h := range shown {
		said = append(said, tail(d, h, lines[h.Algorithm], x, y, words))
	}
	return d.done("plot", "share of values by "+words+": "+strings.Join(said, "; "))
}

// tail draws a distribution as the share of values that are at least x ms and
// returns its p99 in words. It keeps one point for each pixel.
func tail(d *drawing, h results.Histogram, class string, x, y layout.Scale, kind string) string {
	all := float64(h.Total())
	remaining := all
	var path strings.Builder
	atX, atY := math.Inf(-1), y.Of(1)
	type dot struct {
		x, y  float64
		title string
	}
	var dots []dot
	next := 0
	said := "no value"
	for _, b := range h.Buckets {
		if b.Count == 0 {
			continue
		}
		before := remaining
		remaining -= float64(b.Count)
		ms := float64(b.Hi) / 1e6
		px, py := math.Round(x.Of(ms)), y.Of(before/all)
		if b.Hi > 1 { // [0, 1) ns is no time at all, and not on a logarithmic axis
			switch {
			case path.Len() == 0:
				path.WriteString("M" + num(latencyLeft) + " " + num(py) + "H" + num(px))
			case px > atX:
				path.WriteString("V" + num(py) + "H" + num(px))
			}
			atX, atY = px, y.Of(remaining/all)
		}
		for next < len(quantiles) && remaining <= quantiles[next].share*all {
			q := quantiles[next]
			next++
			if b.Hi <= 1 || q.share*all < 1 {
				continue
			}
			title := fmt.Sprintf("%s: %s %s is %s ms", h.Algorithm, kind, q.name, format.Number(ms))
			if q.name == "p99" {
				said = fmt.Sprintf("%s p99 %s ms", h.Algorithm, format.Number(ms))
			}
			dots = append(dots, dot{x.Of(ms), y.Of(q.share), title})
		}
	}
	path.WriteString("V" + num(atY))
	d.path("line "+class, path.String())
	for _, p := range dots {
		d.mark(p.title, func() {
			d.circle("hit", p.x, p.y, 9)
			d.circle("dot "+class, p.x, p.y, 3.2)
		})
	}
	if said == "no value" {
		return h.Algorithm + " p99 0 ms"
	}
	return said
}
