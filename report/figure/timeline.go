package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// timeline shows a limit over time: the totals of its windows, or rates where there
// are several limits or few windows.
func timeline(part *results.Document, m Medium) *Figure {
	if f := windowTimeline(part, m); f != nil {
		return f
	}
	return rateTimeline(part, m)
}

// rateTimeline shows rates over time, one panel for each algorithm: offered as a
// light area, admitted as a dark area in front of it, and the limit as a dashed
// line.
func rateTimeline(part *results.Document, m Medium) *Figure {
	s, unit := part.Scenarios[0], part.CostUnit()
	series := seriesOf(part, m, func(one results.Series) bool {
		return len(one.Offered) > 0 && len(one.Offered) == len(one.Admitted)
	})
	if len(series.all) == 0 {
		return nil
	}
	series.merge(func(one results.Series) int { return wholeRequests(one, one.LimitPerBin, s.Policy.WindowNs) })
	top, limit := series.highestRates()
	sign := series.unit.sign
	// With many keys the sum of their limits can be far above the traffic. A
	// scale up to that sum would make the traffic invisible.
	known := limit > 0 || len(s.Policies) == 0 // with multi-policy, none may hold for every request
	drawn := known && limit <= 3*top
	label := s.LimitLine()
	if drawn {
		top = max(top, limit)
	} else {
		label += fmt.Sprintf(": %s/%s, above the panels", format.Number(limit), sign)
		perBin := leastAdmitted(series.all)
		series.merge(func(one results.Series) int { return wholeRequests(one, perBin, s.Policy.WindowNs) })
		top, _ = series.highestRates()
	}
	top = cmp.Or(top, 1)
	f := series.figure("Offered, admitted and limit over time", "bins", format.Capital(unit+" per "+series.unit.word),
		Entry{"offered", Offered, Area}, Entry{"admitted", Admitted, Area})
	if known {
		f.Legend = append(f.Legend, Entry{label, Limit, LineSample})
	}
	for _, one := range series.all {
		p := series.panel(one, unit+"/"+sign, top)
		offered, admitted := series.unit.rates(one, one.Offered), series.unit.rates(one, one.Admitted)
		p.Title += fmt.Sprintf(": up to %s/%s", format.Number(slices.Max(admitted)), sign)
		p.add(Offered, one, offered)
		p.add(Admitted, one, admitted)
		line, byBin, words := series.limitSteps(one, len(offered))
		if drawn {
			p.Marks = append(p.Marks, Mark{Shapes: []Shape{Line{Limit, line}}})
		}
		p.Readout.Format = perUnit("offered %s/s, admitted %s/s, limit %s/s", sign)
		p.Readout.Values = append(p.Readout.Values, byBin)
		p.Alt = fmt.Sprintf(perUnit("%s over time: offered %s/s on average, at most %s/s in a bin; admitted %s/s on average, at most %s/s; limit %s", sign),
			one.Algorithm, format.Number(series.unit.rate(one, one.Offered)), format.Number(slices.Max(offered)), format.Number(series.unit.rate(one, one.Admitted)), format.Number(slices.Max(admitted)), words)
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
// far above it: one request in a bin, none in the next. A bin grows until perBin,
// the limit in a bin or what is admitted in it on average, is 10 requests or the
// bin is as long as a window, while 20 bins remain. If it can be, the last bin is
// as long as the others: a shorter one would appear as a drop of the traffic.
func wholeRequests(s results.Series, perBin float64, windowNs int64) int {
	most := min(windowNs/s.BinNs, int64(s.Bins()/fewBins))
	if perBin <= 0 || most <= 1 {
		return 1
	}
	wanted := int(min(float64(most), math.Ceil(fewRequests/perBin)))
	for n := wanted; n <= int(most); n++ {
		if s.Bins()%n == 0 {
			return n
		}
	}
	return wanted
}

// highestRates returns the highest rate of requests in a bin and the highest
// limit, per unit of time.
func (t overTime) highestRates() (rate, limit float64) {
	for _, one := range t.all {
		rate = max(rate, slices.Max(t.unit.rates(one, one.Offered)), slices.Max(t.unit.rates(one, one.Admitted)))
		limit = max(limit, one.HighestLimit()/t.unit.bin(one))
	}
	return rate, limit
}

// leastAdmitted returns the mean of what a bin admits in the row that admits
// least, among those that admit anything. It is 0 if there is none.
func leastAdmitted(all []results.Series) float64 {
	least := 0.0
	for _, one := range all {
		if m := mean(scaled(one.Admitted, 1)); m > 0 && (least == 0 || m < least) {
			least = m
		}
	}
	return least
}

// perUnit returns a text on rates per second as one on rates per another unit.
func perUnit(text, sign string) string { return strings.ReplaceAll(text, "%s/s", "%s/"+sign) }
