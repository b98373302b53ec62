package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// settlement shows what limiters that settle costs overspend and strand over time: the
// overspend added up, above what is reserved and will not be used, with a line for each
// algorithm in both. Algorithms with the same course share a line. It returns nil if
// costs are known on arrival.
func settlement(part *results.Document, m Medium) *Figure {
	series := seriesOf(part, m, func(one results.Series) bool { return len(one.Overspend) > 0 })
	if len(series.all) == 0 {
		return nil
	}
	series.columns, series.rows = 1, 2
	series.merge(func(one results.Series) int { return wholeWindows(one, part.Scenarios[0].Policy.WindowNs) })
	f := series.figure("Overspend and stranded cost over time", "bins", "Tokens")
	f.Note = "Above: cost admitted beyond the limit, added up. Below: cost that is reserved and will not be used, averaged over each bin. " +
		"A good limiter stays at the bottom of both. Algorithms with the same course share a line."
	f.Shared, f.Width, f.Height = false, 720, 220
	f.Panels = []Panel{
		series.lines(part, "Overspend since the start", "tokens", func(one results.Series) []float64 { return sums(one.Overspend) }, ramps,
			func(course []float64) string { return format.Number(course[len(course)-1]) + " in the end" }),
		series.lines(part, "Stranded cost", "tokens", func(one results.Series) []float64 { return scaled(one.Stranded, 1) }, steps,
			func(course []float64) string { return format.Number(mean(course)) + " on average" }),
	}
	f.Legend = series.entries(part, func(one results.Series) [][]int64 { return [][]int64{one.Overspend, one.Stranded} }, func(one results.Series) string {
		said := format.Number(sums(one.Overspend)[one.Bins()-1]) + " overspent"
		if len(one.Stranded) > 0 {
			said += ", " + format.Number(mean(scaled(one.Stranded, 1))) + " stranded on average"
		}
		return said
	})
	return f
}

// entries returns a legend with a line for each course: the algorithms whose columns are
// equal, and what is said of them.
func (t overTime) entries(part *results.Document, columns func(results.Series) [][]int64, said func(results.Series) string) (entries []Entry) {
	for i, one := range t.all {
		same := func(other results.Series) bool { return slices.EqualFunc(columns(one), columns(other), slices.Equal) }
		if slices.ContainsFunc(t.all[:i], same) {
			continue
		}
		names := lists.Map(lists.Where(t.all, same), func(s results.Series) string { return s.Algorithm })
		entries = append(entries, Entry{strings.Join(names, ", ") + ": " + said(one), t.paint(part, i), LineSample})
	}
	return entries
}

// wholeWindows returns the number of bins of a series to merge into one: as long as a
// window if 20 bins remain, because what is stranded rises and falls in each window, and
// the lines of several algorithms would hide each other.
func wholeWindows(s results.Series, windowNs int64) int {
	return int(max(1, min(windowNs/s.BinNs, int64(s.Bins()/fewBins))))
}

// paint returns the paint of the line of series i.
func (t overTime) paint(part *results.Document, i int) Paint {
	reference := references(part)
	switch name := t.all[i].Algorithm; {
	case name == results.BestFixed:
		return IdealLine
	case reference[name]:
		return referenceLine(part, name)
	}
	return Series(lists.Count(t.all[:i], func(one results.Series) bool { return !reference[one.Algorithm] }))
}

// lines returns a panel with a line for each series that has the course, drawn through
// its heights, in this unit, by line. in describes a course in words.
func (t overTime) lines(part *results.Document, title, unit string, course func(results.Series) []float64, line func([]float64, float64) []Point, in func([]float64) string) Panel {
	top := 0.0
	var drawn [][]float64
	for _, one := range t.all {
		heights := course(one)
		if drawn = append(drawn, heights); len(heights) > 0 {
			top = max(top, slices.Max(heights))
		}
	}
	p := t.panel(t.all[0], unit, max(top, 1))
	p.Title, p.Readout.Name = title, strings.ToLower(title)
	var alt, formats []string
	for i, heights := range drawn {
		if len(heights) == 0 {
			continue
		}
		name := t.all[i].Algorithm
		said := fmt.Sprintf("%s: %s", name, in(heights))
		alt, formats = append(alt, said), append(formats, name+" %s")
		p.Readout.Values = append(p.Readout.Values, heights)
		if !slices.ContainsFunc(drawn[:i], func(other []float64) bool { return slices.Equal(other, heights) }) {
			p.Marks = append(p.Marks, Mark{Title: said, Shapes: []Shape{Line{t.paint(part, i), line(heights, t.all[i].BinSeconds())}}})
		}
	}
	p.Readout.Format = strings.Join(formats, ", ")
	p.Alt = strings.ToLower(title) + " in " + unit + ": " + strings.Join(alt, "; ")
	return p
}

// sums returns the running sums of bins.
func sums(bins []int64) []float64 {
	heights, sum := make([]float64, len(bins)), int64(0)
	for i, n := range bins {
		sum += n
		heights[i] = float64(sum)
	}
	return heights
}

// ramps returns a line that rises from 0 to each bin's height at the bin's end.
func ramps(heights []float64, width float64) []Point {
	line := []Point{{}}
	for i, h := range heights {
		line = append(line, Point{float64(i+1) * width, h})
	}
	return line
}
