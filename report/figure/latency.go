package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/results"
)

const mostLatencies = 4

// latency shows the distribution of each latency in the document: the share of
// values that are at least x, on logarithmic axes. A curve crosses 1 % at its
// p99. A curve that starts below 100 % belongs to a row whose other values are
// 0. latency returns nil if all values are 0.
func latency(part *results.Document, _ Medium) *Figure {
	var all []results.Histogram
	var latencies []string
	took := map[string]bool{}
	for _, h := range part.Histograms {
		if h.Unit != "ns" || h.Total() == 0 {
			continue
		}
		all = append(all, h)
		if h.Slowest() > 0 {
			took[h.Algorithm] = true
			if !slices.Contains(latencies, h.Name) {
				latencies = append(latencies, h.Name)
			}
		}
	}
	if len(latencies) == 0 {
		return nil
	}
	// The latency on the request path comes first.
	if i := slices.Index(latencies, "decision_latency"); i > 0 {
		latencies = slices.Insert(slices.Delete(latencies, i, i+1), 0, "decision_latency")
	}
	f := &Figure{
		Title: "Latency distribution", Subtitle: "first replication, both axes logarithmic",
		Note:  "Share of values that are at least so long; dots mark p50, p90, p99 and p99.9.",
		Width: 560, Height: 300,
	}
	if len(latencies) > mostLatencies {
		f.Note += " Not drawn: " + strings.ReplaceAll(strings.Join(latencies[mostLatencies:], ", "), "_", " ") + "."
		latencies = latencies[:mostLatencies]
	}
	referenceFirst(part, all, func(h results.Histogram) string { return h.Algorithm })
	paints := f.paintLines(all, took, references(part))
	for _, name := range latencies {
		var shown []results.Histogram
		for _, h := range all {
			if h.Name == name && h.Slowest() > 0 {
				shown = append(shown, h)
			}
		}
		f.Panels = append(f.Panels, tails(strings.ReplaceAll(name, "_", " "), shown, paints))
	}
	f.Columns = min(len(f.Panels), 2)
	return f
}

// paintLines adds a line and a legend entry for each algorithm. It lists those
// whose values are all 0 in the subtitle.
func (f *Figure) paintLines(all []results.Histogram, took, reference map[string]bool) map[string]Paint {
	paints := map[string]Paint{}
	var none []string
	next := 0
	for _, h := range all {
		if _, known := paints[h.Algorithm]; known {
			continue
		}
		paint := Series(next)
		switch {
		case reference[h.Algorithm] && len(paints) == 0:
			paint = ReferenceLine
		case reference[h.Algorithm]:
			paint = ShaperLine
		case took[h.Algorithm]:
			next++
		}
		paints[h.Algorithm] = paint
		if took[h.Algorithm] {
			f.Legend = append(f.Legend, Entry{h.Algorithm, paint, LineSample})
		} else {
			none = append(none, h.Algorithm)
		}
	}
	if len(none) > 0 {
		f.Subtitle += " · no latency at all: " + strings.Join(none, ", ")
	}
	return paints
}

// quantiles lists the shares that have a name.
var quantiles = []struct {
	share float64
	name  string
}{{0.5, "p50"}, {0.1, "p90"}, {0.01, "p99"}, {0.001, "p99.9"}}

// shareLabel returns the label of a share: its percentage and, in the tail, its
// quantile.
func shareLabel(x float64) string {
	text := format.Number(100*x) + " %"
	for _, q := range quantiles {
		if math.Abs(x/q.share-1) < 1e-6 {
			return text + " (" + q.name + ")"
		}
	}
	return text
}

func tails(name string, shown []results.Histogram, paints map[string]Paint) Panel {
	least, most, rarest := math.Inf(1), 0.0, 1.0
	for _, h := range shown {
		from, to := h.BulkMs()
		least, most = min(least, from), max(most, to)
		rarest = min(rarest, 1/float64(h.Total()))
	}
	p := Panel{
		Title: name + ": share of at least x",
		X:     Axis{Label: "x, milliseconds", Log: true, Grid: true, Hi: roundUp(most)},
		Y:     Axis{Log: true, Grid: true, Hi: 1, Lo: math.Pow10(max(-6, min(-2, int(math.Floor(math.Log10(rarest))))))},
	}
	p.X.Lo = max(math.Pow10(int(math.Floor(math.Log10(least)))), p.X.Hi/1e7)
	if p.X.Lo >= p.X.Hi {
		p.X.Lo = p.X.Hi / 10
	}
	p.X.tick(0)
	p.Y.Ticks = decadeTicks(p.Y.Lo, 1, shareLabel)
	var said []string
	var dots []Mark
	for _, h := range shown {
		p.Marks = append(p.Marks, Mark{Shapes: []Shape{Line{paints[h.Algorithm], tail(h, p.X, p.Y)}}})
		marks, p99 := quantileDots(h, name, paints[h.Algorithm])
		dots = append(dots, marks...)
		said = append(said, fmt.Sprintf("%s p99 %s ms", h.Algorithm, format.Number(p99)))
	}
	p.Marks = append(p.Marks, dots...)
	p.Alt = "share of values by " + name + ": " + strings.Join(said, "; ")
	return p
}

// tail returns the share of values that are at least x ms as a line. It omits
// points that a drawing cannot show separately.
func tail(h results.Histogram, x, y Axis) (points []Point) {
	const resolution = 450
	place := func(p Point) Point {
		return Point{math.Round(x.At(p.X, 0, resolution)), math.Round(y.At(p.Y, 0, resolution))}
	}
	all := float64(h.Total())
	remaining := all
	add := func(ms, share float64) {
		p := Point{ms, max(share, y.Lo)}
		if n := len(points); n == 0 || place(points[n-1]) != place(p) {
			points = append(points, p)
		}
	}
	for _, b := range h.Buckets {
		if b.Count == 0 {
			continue
		}
		if b.Hi > 1 { // a logarithmic axis has no position for [0, 1) ns
			if len(points) == 0 {
				add(x.Lo, remaining/all)
			}
			add(float64(b.Lo)/1e6, remaining/all)
			add(float64(b.Hi)/1e6, (remaining-float64(b.Count))/all)
		}
		remaining -= float64(b.Count)
	}
	return points
}

// quantileDots returns marks at the quantiles of a distribution, by nearest
// rank, that are above 0. It also returns the p99 in ms.
func quantileDots(h results.Histogram, name string, paint Paint) (dots []Mark, p99 float64) {
	all := float64(h.Total())
	remaining, next := all, 0
	for _, b := range h.Buckets {
		if b.Count == 0 {
			continue
		}
		remaining -= float64(b.Count)
		ms := float64(b.Hi) / 1e6
		for ; next < len(quantiles) && remaining <= quantiles[next].share*all; next++ {
			q := quantiles[next]
			if b.Hi <= 1 || q.share*all < 1 {
				continue
			}
			if q.name == "p99" {
				p99 = ms
			}
			dots = append(dots, Mark{
				Title: fmt.Sprintf("%s: %s %s is %s ms", h.Algorithm, name, q.name, format.Number(ms)),
				X:     ms, Y: q.share, Shapes: []Shape{Spot{Paint: paint, X: ms, Y: q.share, Radius: 3.2}},
			})
		}
	}
	return dots, p99
}
