package figure

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// fewWindows is the number of whole windows below which a timeline shows bins.
const fewWindows = 5

// windows is a series with a bin for each calendar window, or for each of several
// consecutive ones.
type windows struct {
	results.Series
	excess  []int64 // by bin: cost admitted above the limits of its windows
	count   int     // of windows
	over    int     // windows above their limit
	largest float64 // excess of the window that is furthest above its limit, as a share of it
	merged  int     // windows in a bin
}

// byWindow adds up the bins of each whole calendar window of a series of one limit.
// It merges windows until at most most bins are left. ok is false if the windows do
// not consist of bins, or are few.
func byWindow(s results.Series, windowNs int64, most int) (w windows, ok bool) {
	if windowNs <= 0 || s.BinNs <= 0 || windowNs%s.BinNs != 0 {
		return w, false
	}
	skip := (windowNs - s.StartNs%windowNs) % windowNs
	each := int(windowNs / s.BinNs)
	first := int(skip / s.BinNs)
	if n := len(s.Offered) - first; skip%s.BinNs == 0 && n > 0 {
		w.count = n / each
	}
	if w.count < fewWindows || len(s.Admitted) != len(s.Offered) {
		return w, false
	}
	limits, end := limitByBin(s), first+w.count*each
	s.StartNs += skip
	s.Offered, s.Admitted, s.Inflight = s.Offered[first:end], s.Admitted[first:end], nil // the load is not drawn
	w.Series = s.Merge(each)
	for j, admitted := range w.Admitted {
		limit := 0.0
		for _, ofBin := range limits[first+j*each : first+(j+1)*each] {
			limit += ofBin
		}
		excess := max(0, admitted-int64(limit+0.5))
		if excess > 0 {
			w.over++
			w.largest = max(w.largest, float64(excess)/limit)
		}
		w.excess = append(w.excess, excess)
	}
	w.merged = (w.count + most - 1) / most
	w.Series = w.Merge(w.merged)
	w.excess = results.Series{Offered: w.excess}.Merge(w.merged).Offered
	return w, true
}

// limitByBin returns the limit of each bin of a series. A bin in which the limit
// changes has the sum of both by their times.
func limitByBin(s results.Series) []float64 {
	limits := make([]float64, s.Bins())
	for _, span := range s.LimitSpans() {
		for i := max(0, span.From/s.BinNs); i < int64(len(limits)) && i*s.BinNs < span.To; i++ {
			from, to := max(span.From, i*s.BinNs), min(span.To, (i+1)*s.BinNs)
			limits[i] += span.PerBin * float64(to-from) / float64(s.BinNs)
		}
	}
	return limits
}

// windowTimeline shows the total of each calendar window, one panel for each
// algorithm: offered as a light area, admitted as a dark area in front of it, what is
// admitted above the limit in another colour. It returns nil unless the scenario has
// one limit and enough whole windows.
func windowTimeline(part *results.Document, m Medium) *Figure {
	s, unit := part.Scenarios[0], part.CostUnit()
	if s.Keys > 1 || len(s.Policies) > 1 {
		return nil
	}
	series := seriesOf(part, m, func(one results.Series) bool {
		return len(one.Offered) > 0 && len(one.Offered) == len(one.Admitted) && one.LimitPerBin > 0
	})
	most := 300
	if m == Picture {
		most = 150
	}
	var all []windows
	top := 0.0
	for i := range series.all {
		raw := part.Series[slices.IndexFunc(part.Series, func(one results.Series) bool { return one.Algorithm == series.all[i].Algorithm })]
		w, ok := byWindow(raw, s.Policy.WindowNs, most)
		if !ok {
			return nil
		}
		series.all[i] = w.Series
		all = append(all, w)
		top = max(top, slices.Max(series.unit.rates(w.Series, w.Offered)), slices.Max(series.unit.rates(w.Series, w.Admitted)))
	}
	if len(all) == 0 {
		return nil
	}
	_, limit := series.highestRates()
	sign := series.unit.sign
	if limit > 3*top {
		return nil // a scale up to it would make the traffic invisible
	}
	which, above := "totals of each window", "admitted above it"
	if merged := all[0].merged; merged > 1 { // a bar with a window above the limit can end below it
		which, above = fmt.Sprintf("means of up to %d windows each,", merged), "admitted above it, counted in each window"
	}
	f := series.figure("Windows over the limit", which, format.Capital(unit+" per "+series.unit.word+" in each calendar window"),
		Entry{"offered", Offered, Area}, Entry{"admitted within the limit", Admitted, Area}, Entry{above, Excess, Area}, Entry{s.LimitLine(), Limit, LineSample})
	f.Width = 430 // for the titles
	for _, w := range all {
		p := series.panel(w.Series, unit+"/"+sign, max(top, limit))
		within := make([]int64, len(w.Admitted))
		for i := range within {
			within[i] = w.Admitted[i] - w.excess[i]
		}
		rates := func(counts []int64) []float64 { return series.unit.rates(w.Series, counts) }
		offered, admitted := rates(w.Offered), rates(w.Admitted)
		p.add(Offered, w.Series, offered)
		p.Marks = append(p.Marks,
			Mark{Shapes: []Shape{Steps{Excess, w.BinSeconds(), admitted}}},
			Mark{Shapes: []Shape{Steps{Admitted, w.BinSeconds(), rates(within)}}})
		line, byBin, words := series.limitSteps(w.Series, len(offered))
		p.Marks = append(p.Marks, Mark{Shapes: []Shape{Line{Limit, line}}})
		p.Readout.Format = perUnit("offered %s/s, admitted %s/s, above the limit %s/s, limit %s/s", sign)
		p.Readout.Values = append(p.Readout.Values, admitted, rates(w.excess), byBin)
		if isLive(part, w.Algorithm) {
			p.Title += ": measured, when answered" // not proven: a decision is before its answer
		} else {
			p.Title += ": " + w.words()
		}
		p.Alt = fmt.Sprintf(perUnit("%s, offered %s/s on average, admitted %s/s on average; limit %s", sign), p.Title, format.Number(series.unit.rate(w.Series, w.Offered)), format.Number(series.unit.rate(w.Series, w.Admitted)), words)
		f.Panels = append(f.Panels, p)
	}
	return f
}

// isLive reports whether a row is of a real limiter.
func isLive(part *results.Document, algorithm string) bool {
	return slices.ContainsFunc(part.Results, func(r results.Result) bool { return r.Live != nil && r.Algorithm == algorithm })
}

// words says how many windows are over the limit, for the title of a panel.
func (w *windows) words() string {
	switch {
	case slices.Max(w.Admitted) == 0:
		return "nothing admitted"
	case w.over == 0:
		return "none over"
	}
	return fmt.Sprintf("%d of %d over, up to +%s %%", w.over, w.count, format.Number(100*w.largest))
}
