package figure

import (
	"slices"

	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// overTime holds series for panels with the same axes over time.
type overTime struct {
	all           []results.Series
	more          string // counts the series that are left out
	medium        Medium
	faults        []results.Fault
	touched       map[string][]results.Touched // by algorithm and fault
	unit          rateUnit                     // of requests
	columns, rows int
}

// rateUnit is the time that requests are counted per.
type rateUnit struct {
	seconds    float64
	word, sign string // minute, min
}

// rateUnitOf returns the unit in which a policy states its limit, if there is one policy.
func rateUnitOf(s results.Scenario) rateUnit {
	units := map[int64]rateUnit{60e9: {60, "minute", "min"}, 3600e9: {3600, "hour", "h"}, 86400e9: {86400, "day", "day"}}
	if unit, known := units[s.Policy.WindowNs]; known && len(s.Policies) < 2 {
		return unit
	}
	return rateUnit{1, "second", "s"}
}

// bin returns the length of a bin of a series, in the unit.
func (u rateUnit) bin(s results.Series) float64 { return s.BinSeconds() / u.seconds }

// rates returns the counts of a series' bins per unit of time. The last bin can hold fewer
// merged bins than the others.
func (u rateUnit) rates(s results.Series, counts []int64) []float64 {
	rates := scaled(counts, u.bin(s))
	rates[len(rates)-1] /= 1 - s.Unfilled
	return rates
}

// rate returns the mean of the counts of a series' bins per unit of time.
func (u rateUnit) rate(s results.Series, counts []int64) float64 {
	sum := int64(0)
	for _, n := range counts {
		sum += n
	}
	return float64(sum) / (float64(len(counts)) - s.Unfilled) / u.bin(s)
}

// seriesOf selects the wanted series, the reference first. It merges bins to
// about one per two pixels of a panel's width. Narrower ones would not be
// visible.
func seriesOf(part *results.Document, m Medium, wanted func(results.Series) bool) overTime {
	t := overTime{medium: m, columns: 3, faults: part.Scenarios[0].Faults, touched: map[string][]results.Touched{}, unit: rateUnitOf(part.Scenarios[0])}
	if slow := part.Scenarios[0].Slow; len(slow) > 0 {
		t.faults = slices.Concat(t.faults, []results.Fault{{Kind: "slow backend", Text: "slow backend", Spans: slow}})
	}
	for _, r := range part.Results {
		t.touched[r.Algorithm] = r.Touched
	}
	t.all = lists.Where(part.Series, func(one results.Series) bool { return one.BinNs > 0 && wanted(one) })
	referenceFirst(part, t.all, func(s results.Series) string { return s.Algorithm })
	t.all, t.more = atMost(t.all, m.panels())
	switch { // a time axis is read by its width
	case len(t.all) <= 3:
		t.columns = 1
	case len(t.all) <= 8:
		t.columns = 2
	}
	t.rows = (len(t.all) + t.columns - 1) / t.columns
	bins := 300
	if m == Picture && t.columns < 3 {
		bins = 600
	}
	for i, one := range t.all {
		t.all[i] = one.Thin(bins)
	}
	return t
}

// merge joins the bins of each series, so many as the function returns into one.
func (t overTime) merge(bins func(results.Series) int) {
	for i, one := range t.all {
		t.all[i] = one.Merge(bins(one))
	}
}

// figure returns a figure without panels. quantity names what its Y axes show.
func (t overTime) figure(title, which, quantity string, legend ...Entry) *Figure {
	return &Figure{
		Title:    title,
		Subtitle: "first replication, " + which + " of " + format.Span(t.all[0].BinNs) + t.more,
		Note:     quantity + ". All panels have the same axes.",
		Legend:   append(legend, faultEntries(t.faults)...),
		Shared:   true, Columns: t.columns, Width: 360, Height: 150,
	}
}

// panel returns an empty panel for the span of a series. quantity and top are
// the label and the end of its Y axis.
func (t overTime) panel(s results.Series, quantity string, top float64) Panel {
	wantX, wantY := 4, 4
	if t.medium == Picture {
		wantX, wantY = 4+8/t.columns, max(5, 10/t.rows)
	}
	seconds := float64(s.Bins()) * s.BinSeconds()
	ticks, label := []Tick(nil), "time"
	if end := float64(s.StartNs) + seconds*1e9; end <= latest {
		ticks, label = timeTicks(s.StartNs, int64(end), wantX)
	}
	p := Panel{
		Title:   s.Algorithm,
		X:       Axis{Label: label, Hi: seconds, Ticks: ticks},
		Y:       Axis{Label: quantity, Hi: 1.05 * top, Grid: true},
		Readout: &Readout{Name: s.Algorithm, StartNs: s.StartNs, StepNs: s.BinNs},
	}
	if p.Marks = faultMarks(t.faults, t.touched[s.Algorithm], s.StartNs, seconds); len(p.Marks) > 0 {
		p.Y.Hi /= 1 - headroom
	}
	p.Y.tick(wantY)
	return p
}

// add draws the bins of a series and adds them to the readout.
func (p *Panel) add(paint Paint, s results.Series, heights []float64) {
	p.Marks = append(p.Marks, Mark{Shapes: []Shape{Steps{paint, s.BinSeconds(), heights}}})
	p.Readout.Values = append(p.Readout.Values, heights)
}

// scaled divides counts per bin.
func scaled(bins []int64, by float64) []float64 {
	return lists.Map(bins, func(n int64) float64 { return float64(n) / by })
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
func (t overTime) limitSteps(s results.Series, bins int) (line []Point, byBin []float64, words string) {
	for i, span := range s.LimitSpans() {
		rate := span.PerBin / t.unit.bin(s)
		line = append(line, Point{float64(span.From) / 1e9, rate}, Point{float64(span.To) / 1e9, rate})
		if i > 0 {
			words += fmt.Sprintf(", from %s on ", format.Span(span.From))
		}
		words += format.Number(rate) + "/" + t.unit.sign
		for from := int64(len(byBin)); from < min(int64(bins), max(span.To/s.BinNs, from)); from++ {
			byBin = append(byBin, rate)
		}
	}
	for len(byBin) < bins {
		byBin = append(byBin, line[len(line)-1].Y)
	}
	return line, byBin, words
}
