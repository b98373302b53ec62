package figure

import (
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/results"
)

// timeline shows rates over time, one panel for each algorithm: offered as a
// light area, admitted as a dark area in front of it, and the limit as a dashed
// line.
func timeline(part *results.Document, m Medium) *Figure {
	s := part.Scenarios[0]
	series := seriesOf(part, m, func(one results.Series) bool {
		return len(one.Offered) > 0 && len(one.Offered) == len(one.Admitted)
	})
	if len(series.all) == 0 {
		return nil
	}
	for i, one := range series.all {
		series.all[i] = one.Merge(wholeRequests(one, s.Policy.WindowNs))
	}
	top, limit := 0.0, 0.0
	for _, one := range series.all {
		top = max(top, float64(max(slices.Max(one.Offered), slices.Max(one.Admitted)))/one.BinSeconds())
		limit = max(limit, one.HighestLimit()/one.BinSeconds())
	}
	// With many keys the sum of their limits can be far above the traffic. A
	// scale up to that sum would make the traffic invisible.
	known := limit > 0 || len(s.Policies) == 0 // with multi-policy, none may hold for every request
	drawn := known && limit <= 3*top
	label := s.LimitLine()
	if drawn {
		top = max(top, limit)
	} else {
		label += fmt.Sprintf(": %s/s, above the panels", format.Number(limit))
	}
	if top == 0 {
		top = 1
	}
	f := series.figure("Offered, admitted and limit over time", "bins", "Requests per second",
		Entry{"offered", Offered, Area}, Entry{"admitted", Admitted, Area})
	if known {
		f.Legend = append(f.Legend, Entry{label, Limit, LineSample})
	}
	for _, one := range series.all {
		p := series.panel(one, "requests/s", top)
		offered, admitted := scaled(one.Offered, one.BinSeconds()), scaled(one.Admitted, one.BinSeconds())
		p.add(Offered, one, offered)
		p.add(Admitted, one, admitted)
		line, byBin, words := limitSteps(one, len(offered))
		if drawn {
			p.Marks = append(p.Marks, Mark{Shapes: []Shape{Line{Limit, line}}})
		}
		p.Readout.Format = "offered %s/s, admitted %s/s, limit %s/s"
		p.Readout.Values = append(p.Readout.Values, byBin)
		p.Alt = fmt.Sprintf("%s over time: offered %s/s on average, at most %s/s in a bin; admitted %s/s on average, at most %s/s; limit %s",
			one.Algorithm, format.Number(mean(offered)), format.Number(slices.Max(offered)), format.Number(mean(admitted)), format.Number(slices.Max(admitted)), words)
		f.Panels = append(f.Panels, p)
	}
	return f
}

const (
	fewRequests = 10 // that a bin should hold at the limit
	fewBins     = 20 // that a timeline needs at least
)

// wholeRequests returns the number of bins of a series to merge into one. Where
// the limit is a few requests or less in a bin, an exact limiter appears as a comb
// far above it: one request in a bin, none in the next. A bin grows until the limit
// is 10 requests in it or it is as long as a window, while 20 bins remain.
func wholeRequests(s results.Series, windowNs int64) int {
	most := min(windowNs/s.BinNs, int64(s.Bins()/fewBins))
	if s.LimitPerBin <= 0 || most <= 1 {
		return 1
	}
	return int(min(float64(most), math.Ceil(fewRequests/s.LimitPerBin)))
}
