package report

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// latencyPage shows, for each latency of which the document has distributions,
// the share of requests that took at least so long, on logarithmic axes: where
// a curve crosses 1 % is its p99. A curve that starts below 100 % is one where
// the rest took no time at all. nil where nothing took time.
func latencyPage(doc *results.Document, s results.Scenario) *page {
	p := &page{
		title:    s.Name + ": latency distribution",
		subtitle: subtitle(s, "first replication, both axes logarithmic"),
	}
	var kinds []string
	var all []results.Histogram
	for _, h := range doc.Histograms {
		if h.Scenario == s.Name && h.Unit == "ns" && h.Total() > 0 {
			all = append(all, h)
			if h.Slowest() > 0 && !slices.Contains(kinds, h.Name) {
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
	kinds = kinds[:min(len(kinds), 4)]
	all, _ = referenceFirst(all, func(h results.Histogram) string { return h.Algorithm }, isReference(doc, s.Name), len(all))
	lines := lineStyles(p, all, isReference(doc, s.Name))
	for _, kind := range kinds {
		var shown []results.Histogram
		for _, h := range all {
			if h.Name == kind {
				shown = append(shown, h)
			}
		}
		p.panels = append(p.panels, latencyPanel(kind, shown, lines))
	}
	p.columns = min(len(p.panels), 2)
	return p
}

// lineStyles gives each algorithm a style and a place in the legend.
func lineStyles(p *page, all []results.Histogram, reference map[string]bool) map[string]draw.LineStyle {
	took := map[string]bool{}
	for _, h := range all {
		took[h.Algorithm] = took[h.Algorithm] || h.Slowest() > 0
	}
	lines := map[string]draw.LineStyle{}
	none := []string{}
	next := 0
	for _, h := range all {
		if _, known := lines[h.Algorithm]; known {
			continue
		}
		line := lineStyle(next)
		if reference[h.Algorithm] {
			line = referenceLine
			if len(lines) > 0 { // a second reference, the one that shapes
				line.Dashes = []vg.Length{6, 2.5}
			}
		} else if took[h.Algorithm] {
			next++
		}
		lines[h.Algorithm] = line
		if took[h.Algorithm] {
			p.legend = append(p.legend, entry{h.Algorithm, lineMark(line)})
		} else {
			none = append(none, h.Algorithm)
		}
	}
	if len(none) > 0 {
		p.subtitle += " · no latency at all: " + strings.Join(none, ", ")
	}
	return lines
}

func latencyPanel(kind string, shown []results.Histogram, lines map[string]draw.LineStyle) *plot.Plot {
	// The title says what the vertical axis is: the plot library would place a
	// label beside a logarithmic axis as if it were linear, and waste the top.
	panel := newPanel(strings.ReplaceAll(kind, "_", " ") + ": share of at least x")
	least, most, rarest := math.Inf(1), 0.0, 1.0
	for _, h := range shown {
		if h.Slowest() > 0 {
			from, to := h.BulkMs()
			least, most = min(least, from), max(most, to)
			rarest = min(rarest, 1/float64(h.Total()))
		}
	}
	panel.X.Max = roundUp(most)
	panel.X.Min = max(math.Pow10(int(math.Floor(math.Log10(least)))), panel.X.Max/1e7)
	if panel.X.Min >= panel.X.Max {
		panel.X.Min = panel.X.Max / 10
	}
	panel.Y.Max = 1
	panel.Y.Min = math.Pow10(max(-6, min(-2, int(math.Floor(math.Log10(rarest))))))
	panel.X.Scale, panel.Y.Scale = plot.LogScale{}, plot.LogScale{}
	xs := decadeTicks(panel.X.Min, panel.X.Max, format.Number)
	ys := decadeTicks(panel.Y.Min, 1, ShareLabel)
	panel.X.Tick.Marker, panel.Y.Tick.Marker = xs, ys
	panel.X.Label.Text = "x, milliseconds"
	panel.Add(gridAt{x: xs, y: ys})
	for _, h := range shown {
		if h.Slowest() > 0 {
			panel.Add(tail{h, lines[h.Algorithm]})
		}
	}
	return panel
}

// roundUp is the least of 1, 2 or 5 times a power of ten that is at least x > 0.
func roundUp(x float64) float64 {
	base := math.Pow10(int(math.Floor(math.Log10(x))))
	for _, m := range []float64{1, 2, 5} {
		if x <= m*base {
			return m * base
		}
	}
	return 10 * base
}

// ShareLabel names a share by its percentage and, in the tail, its quantile.
func ShareLabel(x float64) string {
	text := format.Number(100*x) + " %"
	for _, q := range []struct {
		share float64
		name  string
	}{{0.5, "p50"}, {0.1, "p90"}, {0.01, "p99"}, {0.001, "p99.9"}} {
		if math.Abs(x/q.share-1) < 1e-6 {
			return text + " (" + q.name + ")"
		}
	}
	return text
}

// tail draws a distribution as the share of values that are at least x ms.
type tail struct {
	histogram results.Histogram
	line      draw.LineStyle
}

func (t tail) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	all := float64(t.histogram.Total())
	remaining := all
	clampX := func(ms float64) float64 { return min(max(ms, p.X.Min), p.X.Max) }
	clampY := func(share float64) float64 { return min(max(share, p.Y.Min), p.Y.Max) }
	var points []vg.Point
	add := func(ms, share float64) {
		points = append(points, vg.Point{X: trX(clampX(ms)), Y: trY(clampY(share))})
	}
	for _, b := range t.histogram.Buckets {
		if b.Count == 0 {
			continue
		}
		if b.Hi > 1 { // [0, 1) ns is no time at all, and not on a logarithmic axis
			if len(points) == 0 {
				add(p.X.Min, remaining/all)
			}
			add(float64(b.Lo)/1e6, remaining/all)
			remaining -= float64(b.Count)
			add(float64(b.Hi)/1e6, remaining/all)
			continue
		}
		remaining -= float64(b.Count)
	}
	c.StrokeLines(t.line, points)
}
