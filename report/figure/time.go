package figure

import (
	"fmt"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/results"
)

// overTime describes panels with the same axes over time.
type overTime struct {
	medium  Medium
	columns int
	rows    int
}

func newOverTime(m Medium, panels int) overTime {
	t := overTime{medium: m, columns: 3}
	switch { // a time axis is read by its width
	case panels <= 3:
		t.columns = 1
	case panels <= 8:
		t.columns = 2
	}
	t.rows = (panels + t.columns - 1) / t.columns
	return t
}

// bins returns the largest number of bins that a panel shows: about one per two
// pixels of its width. Narrower ones would not be visible.
func (t overTime) bins() int {
	if t.medium == Picture && t.columns < 3 {
		return 600
	}
	return 300
}

// panel returns an empty panel for the span of a series. top is the end of its
// Y axis.
func (t overTime) panel(s results.Series, top float64) Panel {
	wantX, wantY := 4, 4
	if t.medium == Picture {
		wantX, wantY = 4+8/t.columns, max(5, 10/t.rows)
	}
	seconds := float64(max(len(s.Offered), len(s.Inflight))) * s.BinSeconds()
	ticks, label := []Tick(nil), "time"
	if end := float64(s.StartNs) + seconds*1e9; end <= latest {
		ticks, label = timeTicks(s.StartNs, int64(end), wantX)
	}
	p := Panel{
		Title: s.Algorithm,
		X:     Axis{Label: label, Hi: seconds, Ticks: ticks},
		Y:     Axis{Hi: 1.05 * top, Grid: true},
	}
	p.Y.tick(wantY)
	p.Readout = &Readout{Name: s.Algorithm, StartNs: s.StartNs, StepNs: s.BinNs}
	return p
}

// add draws the bins of a series and adds them to the readout.
func (p *Panel) add(paint Paint, s results.Series, heights []float64) {
	p.Marks = append(p.Marks, Mark{Shapes: []Shape{Steps{paint, s.BinSeconds(), heights}}})
	p.Readout.Values = append(p.Readout.Values, heights)
}

// seriesOf returns the wanted series of the scenario, the reference first. It
// merges bins to the number that a panel shows. more is a text that counts the
// omitted series.
func seriesOf(doc *results.Document, s results.Scenario, m Medium, wanted func(results.Series) bool) ([]results.Series, overTime, string) {
	var all []results.Series
	for _, one := range doc.Series {
		if one.Scenario == s.Name && one.BinNs > 0 && wanted(one) {
			all = append(all, one)
		}
	}
	all, more := atMost(referenceFirst(doc, s.Name, all, func(s results.Series) string { return s.Algorithm }), m.panels())
	t := newOverTime(m, len(all))
	for i, one := range all {
		all[i] = one.Thin(t.bins())
	}
	return all, t, more
}

// perSecond converts counts per bin to rates.
func perSecond(s results.Series, bins []int64) []float64 {
	rates := make([]float64, len(bins))
	for i, n := range bins {
		rates[i] = float64(n) / s.BinSeconds()
	}
	return rates
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// limitSteps returns the limit over time: as a line with a step at each change,
// as a value for each bin, and as a text that lists the changes.
func limitSteps(s results.Series, bins int) (line []Point, byBin []float64, words string) {
	for i, span := range s.LimitSpans() {
		rate := span.PerBin / s.BinSeconds()
		line = append(line, Point{float64(span.From) / 1e9, rate}, Point{float64(span.To) / 1e9, rate})
		if i > 0 {
			words += fmt.Sprintf(", from %s on ", format.Span(span.From))
		}
		words += format.Number(rate) + "/s"
		for from := int64(len(byBin)); from < min(int64(bins), max(span.To/s.BinNs, from)); from++ {
			byBin = append(byBin, rate)
		}
	}
	for len(byBin) < bins {
		byBin = append(byBin, line[len(line)-1].Y)
	}
	return line, byBin, words
}
