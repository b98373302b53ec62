package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// course is a quantity over time that a panel shows with a line for each algorithm.
type course struct {
	title, unit string
	of          func(results.Series) []float64             // heights by bin; none if the algorithm has no such quantity
	line        func(heights []float64, w float64) []Point // steps or ramps
	said        func(heights []float64) string             // describes it in words
	fitted      bool                                       // logarithmic where heights differ by a large factor
}

// courses returns a figure with a wide panel for each course, one below the other.
// Algorithms with the same courses share an entry of the legend, with what is said of them.
func (t overTime) courses(part *results.Document, title, note string, said func(results.Series) string, list ...course) *Figure {
	t.columns, t.rows = 1, len(list)
	f := t.figure(title, "bins", "")
	f.Note, f.Shared, f.Width, f.Height = note, false, 720, 220
	f.Panels = lists.Map(list, func(c course) Panel { return t.lines(part, c) })
	for i, one := range t.all {
		same := func(other results.Series) bool {
			return !slices.ContainsFunc(list, func(c course) bool { return !slices.Equal(c.of(one), c.of(other)) })
		}
		if slices.ContainsFunc(t.all[:i], same) {
			continue
		}
		names := lists.Map(lists.Where(t.all, same), func(s results.Series) string { return s.Algorithm })
		f.Legend = append(f.Legend, Entry{strings.Join(names, ", ") + ": " + said(one), t.paint(part, i), LineSample})
	}
	return f
}

// lines returns a panel with the lines of a course, each drawn once.
func (t overTime) lines(part *results.Document, c course) Panel {
	drawn := lists.Map(t.all, c.of)
	all := slices.Concat(drawn...)
	p := t.panel(t.all[0], c.unit, max(1, slices.Max(append(all, 0))))
	if c.fitted {
		p.Y = fitAxis(c.unit, "", all)
	}
	p.Title, p.Readout.Name = c.title, strings.ToLower(c.title)
	var alt, formats []string
	for i, heights := range drawn {
		if len(heights) == 0 {
			continue
		}
		name := t.all[i].Algorithm
		said := fmt.Sprintf("%s: %s", name, c.said(heights))
		alt, formats = append(alt, said), append(formats, name+" %s")
		p.Readout.Values = append(p.Readout.Values, heights)
		if !slices.ContainsFunc(drawn[:i], func(other []float64) bool { return slices.Equal(other, heights) }) {
			p.Marks = append(p.Marks, Mark{Title: said, Shapes: []Shape{Line{t.paint(part, i), c.line(heights, t.all[i].BinSeconds())}}})
		}
	}
	p.Readout.Format = strings.Join(formats, ", ")
	p.Alt = strings.ToLower(c.title) + " in " + c.unit + ": " + strings.Join(alt, "; ")
	return p
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

// steps returns a line that keeps each bin's height for its whole width.
func steps(heights []float64, width float64) (line []Point) {
	for i, h := range heights {
		line = append(line, Point{float64(i) * width, h}, Point{float64(i+1) * width, h})
	}
	return line
}
