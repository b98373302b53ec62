package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

const mostLatencies = 4

// latency shows each latency in the document as a row for each algorithm: a bar from
// the median to the p99, with the p99 written beside it, and a line on to the p99.9
// and the largest value. It returns nil if all values are 0.
func latency(part *results.Document, m Medium) *Figure {
	var all []results.Histogram
	var latencies []string
	for _, h := range part.Histograms {
		if h.Unit != "ns" || h.Total() == 0 {
			continue
		}
		all = append(all, h)
		if slices.ContainsFunc(h.Buckets, func(b results.Bucket) bool { return b.Count > 0 && b.Lo > 0 }) && !slices.Contains(latencies, h.Name) {
			latencies = append(latencies, h.Name)
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
		Title: "Latency", Subtitle: "first replication",
		Note: "A bar from the median to the 99th percentile, which is written beside it, and a line to the largest value. A dot is a row whose values are all the same.",
		Legend: []Entry{
			{"reference: the exact limiter", Reference, Area}, {"p50 to p99", Algorithm, Area}, {"to the largest value, with a mark at p99.9", Interval, WhiskerSample},
		},
		Width: 560,
	}
	if len(latencies) > mostLatencies {
		f.Note += " Not drawn: " + strings.ReplaceAll(strings.Join(latencies[mostLatencies:], ", "), "_", " ") + "."
		latencies = latencies[:mostLatencies]
	}
	referenceFirst(part, all, func(h results.Histogram) string { return h.Algorithm })
	// The rows are the same in each panel, because the first one names them.
	rows := lists.Distinct(lists.Map(all, func(h results.Histogram) string { return h.Algorithm }))
	if m == Picture {
		var more string
		rows, more = atMost(rows, 2*m.panels())
		f.Subtitle += more
	}
	for _, name := range latencies {
		shown := make([]results.Histogram, len(rows))
		for _, h := range all {
			if i := slices.Index(rows, h.Algorithm); i >= 0 && h.Name == name {
				shown[i] = h
			}
		}
		f.Panels = append(f.Panels, latencyRows(part, name, rows, shown))
	}
	f.Columns, f.Height = len(f.Panels), rowsHeight(24, len(rows))
	if len(f.Panels) == mostLatencies {
		f.Columns = 2
	}
	return f
}

// latencyRows returns the panel of one latency: the distribution of each row, which is
// empty where the algorithm has no such latency.
func latencyRows(part *results.Document, metric string, rows []string, shown []results.Histogram) Panel {
	name, reference := strings.ReplaceAll(metric, "_", " "), references(part)
	var values []float64
	var said []string
	var marks []Mark
	for i, h := range shown {
		q, row := quantilesMs(h, first(part, rows[i], metric+"_max_ms")), float64(i)
		if h.Total() == 0 {
			marks = append(marks, Mark{rows[i] + " has no " + name, 0, row, []Shape{Value{Row: row, Words: "none", Soft: true}}})
			continue
		}
		values = append(values, q.p50, q.p99, q.p999, q.largest)
		paint := Algorithm
		if reference[h.Algorithm] {
			paint = Reference
		}
		shapes := []Shape{Bar{paint, row, q.p50, q.p99, 0.32, 21}}
		if q.largest > q.p99 {
			shapes = append(shapes, Whisker{Y: row, Lo: q.p99, Hi: q.largest}, Upright{Interval, row, q.p999, 0.2, 12})
		}
		if q.largest == q.p50 {
			shapes = []Shape{Spot{Paint: paint, X: q.p50, Y: row, Radius: 3.2}}
		}
		words := "p99 " + format.Number(q.p99)
		if q.largest == 0 {
			words = "0"
		}
		said = append(said, fmt.Sprintf("%s p99 %s ms", h.Algorithm, format.Number(q.p99)))
		title := fmt.Sprintf("%s, %s: p50 %s, p99 %s, p99.9 %s, largest %s ms", h.Algorithm, name, format.Number(q.p50), format.Number(q.p99), format.Number(q.p999), format.Number(q.largest))
		marks = append(marks, Mark{title, 0, row, append(shapes, Value{Row: row, X: q.largest, Words: words})})
	}
	p := Panel{
		Title: name + ", ms", Alt: name + ": " + strings.Join(said, "; "),
		X: fitAxis("milliseconds", "", values), Y: Axis{Rows: rows}, Marks: marks,
	}
	if p.X.Log {
		p.X.Hi *= 2.5 // leaves space for the value of the longest line
	} else {
		p.X.Hi *= 1.25
	}
	p.X.tick(5)
	return p
}

// quantilesOf holds quantiles of a distribution in ms.
type quantilesOf struct{ p50, p99, p999, largest float64 }

// quantilesMs returns the quantiles of a distribution by nearest rank, as tables have them:
// the middles of their buckets, but at most the largest value, most, which is NaN if
// it is not known.
func quantilesMs(h results.Histogram, most float64) (q quantilesOf) {
	total := h.Total()
	seen := int64(0)
	for _, b := range h.Buckets {
		if b.Count == 0 {
			continue
		}
		before := seen
		seen += b.Count
		ms := float64(b.Lo+(b.Hi-b.Lo-1)/2) / 1e6
		if ms > most {
			ms = most
		}
		reach := func(at *float64, permille int64) {
			rank := (total*permille + 999) / 1000 // from 1
			if before < rank && rank <= seen {
				*at = ms
			}
		}
		reach(&q.p50, 500)
		reach(&q.p99, 990)
		reach(&q.p999, 999)
		q.largest = ms
	}
	if !math.IsNaN(most) {
		q.largest = most
	}
	return q
}
