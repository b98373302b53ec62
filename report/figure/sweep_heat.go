package figure

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// heatMap shows the metrics of an algorithm over two axes: a panel for each metric that
// differs between cells, with a contour around the cells that keep the promise.
func (v *swept) heatMap(i int, slug string) *Figure {
	name := v.algorithms[i]
	f := &Figure{
		Name: "sweep-" + slug, Title: fmt.Sprintf("%s over %s and %s", name, v.Axes[0].Name, v.Axes[1].Name), Subtitle: v.more, Width: 560, Height: 400,
		Note: "A field for each cell; darker is more. Where values differ by at most the widest 95 % interval, or by at most 1, the title says so and all fields have one shade. An empty field has no data.",
	}
	promised := false
	for _, m := range v.metrics {
		var values []float64
		widest := 0.0 // 95 % interval
		for _, c := range v.cells {
			if s := v.figure(c, name, m.metric); s.Mean != nil {
				values = append(values, *s.Mean)
				if hasWidth(s) {
					widest = max(widest, *s.Hi-*s.Lo)
				}
			}
		}
		if len(values) == 0 || slices.Min(values) == slices.Max(values) {
			continue
		}
		p := Panel{
			Alt: fmt.Sprintf("%s of %s over %s and %s; the table has the figures", m.title, name, v.Axes[0].Name, v.Axes[1].Name),
			X:   steppedAxis(v.Axes[0]), Y: steppedAxis(v.Axes[1]), Fields: true,
		}
		shade, longest := shades(values, max(widest, leastRange)), ""
		for _, x := range values {
			if text := format.Number(x); format.Width(text) > format.Width(longest) {
				longest = text
			}
		}
		fields := map[[2]int]results.Summary{}
		for _, c := range v.cells {
			s := v.figure(c, name, m.metric)
			fields[[2]int{v.place(c, 0), v.place(c, 1)}] = s
			p.Marks = append(p.Marks, v.field(c, s, m.title, longest, shade))
		}
		low, high := slices.Min(values), slices.Max(values)
		p.Title = fmt.Sprintf("%s %s to %s %s", m.title, format.Number(low), format.Number(high), shortUnit(m.axis))
		switch {
		case high-low <= widest:
			p.Title += ", within one interval"
		case high-low <= leastRange:
			p.Title += ", at most 1 apart"
		}
		for _, e := range v.promises(m.metric, name) {
			lines := contour(fields, func(s results.Summary) bool { return keeps(e, s) })
			p.Title += "; promise " + e.Text
			kept := lists.Count(v.cells, func(c results.Cell) bool { return keeps(e, v.figure(c, name, m.metric)) })
			switch {
			case len(lines) > 0:
				promised = true
				p.Marks = append(p.Marks, Mark{Shapes: lines})
			case kept == 0:
				p.Title += " broken"
			case kept == len(values):
				p.Title += " kept"
			default: // the fields between have no data
				p.Title += fmt.Sprintf(" kept in %d of %d", kept, len(values))
			}
		}
		f.Panels = append(f.Panels, p)
	}
	if promised {
		f.Legend = []Entry{{"promise: kept on one side, broken on the other, at the bad end of the 95 % interval", FairShare, LineSample}}
	}
	f.Columns = min(2, len(f.Panels)) // for the titles
	return f
}

// leastRange is how far values, in %, requests or calls, must be apart to have shades.
const leastRange = 1

// shortUnit returns what comes first in the label of an axis.
func shortUnit(axis string) string {
	if strings.HasSuffix(axis, "per second") {
		return "per second"
	}
	unit, _, _ := strings.Cut(axis, " ")
	return unit
}

// shades returns a function from values to shades: by logarithm if the values above 0
// differ by a large factor. Values that differ by at most noise have one shade.
func shades(values []float64, noise float64) func(float64) int {
	low, high, least := slices.Min(values), slices.Max(values), math.Inf(1)
	if high-low <= noise {
		return func(float64) int { return 0 }
	}
	for _, x := range values {
		if x > 0 {
			least = min(least, x)
		}
	}
	return func(x float64) int {
		share := (x - low) / (high - low)
		if high > wide*least {
			if x <= 0 {
				return 0
			}
			share = (1 + math.Log(x/least)/math.Log(high/least)*(HeatLevels-2)) / (HeatLevels - 1)
		}
		return min(max(int(math.Round(share*(HeatLevels-1))), 0), HeatLevels-1)
	}
}

// field draws a cell of a heat map. longest is the longest text of the panel.
func (v *swept) field(c results.Cell, s results.Summary, title, longest string, shade func(float64) int) Mark {
	x, y := float64(v.place(c, 0)), float64(v.place(c, 1))
	m := Mark{Title: fmt.Sprintf("%s: %s %s", v.coordinates(c), title, InWords(s)), X: x, Y: y}
	if s.Mean == nil {
		return m
	}
	corners := []Point{{x - 0.5, y - 0.5}, {x + 0.5, y - 0.5}, {x + 0.5, y + 0.5}, {x - 0.5, y + 0.5}}
	m.Shapes = []Shape{Polygon{Heat(shade(*s.Mean)), corners}, Words{Point{x, y}, format.Number(*s.Mean), longest, 1}}
	return m
}

// contour returns the borders between the fields for which a condition holds and those
// for which it does not. Fields without data have no border.
func contour(fields map[[2]int]results.Summary, holds func(results.Summary) bool) (lines []Shape) {
	inOrder := func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }
	for _, at := range slices.SortedFunc(maps.Keys(fields), inOrder) {
		for _, to := range [][2]int{{at[0] + 1, at[1]}, {at[0], at[1] + 1}} {
			s, known := fields[to]
			if !known || s.Mean == nil || fields[at].Mean == nil || holds(s) == holds(fields[at]) {
				continue
			}
			x, y := float64(at[0]), float64(at[1])
			border := []Point{{x + 0.5, y - 0.5}, {x + 0.5, y + 0.5}}
			if to[0] == at[0] {
				border = []Point{{x - 0.5, y + 0.5}, {x + 0.5, y + 0.5}}
			}
			lines = append(lines, Line{FairShare, border})
		}
	}
	return lines
}
