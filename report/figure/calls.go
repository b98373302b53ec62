package figure

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// calls shows the calls to the limiter's servers over time, one panel for each
// algorithm that makes any, in front of the offered cost: whether its servers see
// the spikes of the traffic. It returns nil if no algorithm calls a server.
func calls(part *results.Document, m Medium) *Figure {
	called := func(one results.Series) bool {
		return slices.ContainsFunc(one.Calls, func(n int64) bool { return n > 0 })
	}
	series := seriesOf(part, m, called)
	if len(series.all) == 0 {
		return nil
	}
	top, offered, perSecond := 0.0, 0.0, rateUnit{seconds: 1}
	for i, one := range series.all {
		one = one.Merge(int(min(callBin/one.BinNs, int64(one.Bins()/fewBins))))
		series.all[i] = one
		top = max(top, slices.Max(perSecond.rates(one, one.Calls)))
		offered = max(offered, slices.Max(perSecond.rates(one, one.Offered)))
	}
	legend := []Entry{{"calls to servers", Admitted, Area}}
	drawn := offered <= 3*top // otherwise the calls would be invisible
	if drawn {
		top = max(top, offered)
		legend = append([]Entry{{"offered", Offered, Area}}, legend...)
	}
	f := series.figure("Calls to the limiter's servers over time", "bins", "Calls per second, all servers together", legend...)
	if none := len(part.Series) - len(series.all); none > 0 && series.more == "" {
		f.Note += fmt.Sprintf(" %s %s no server and %s no panel.", format.Count(none, "row"), format.Verb(none, "calls", "call"), format.Verb(none, "has", "have"))
	}
	for _, one := range series.all {
		p := series.panel(one, "per second", top)
		if peak := firstText(part, one.Algorithm, "server_calls_peak_1s", "/s, peak "); peak != "" {
			p.Title += firstText(part, one.Algorithm, "server_calls_per_s", ": ") + peak + " in 1 s"
		}
		p.Readout.Format = "%s calls/s"
		if drawn {
			p.add(Offered, one, perSecond.rates(one, one.Offered))
			p.Readout.Format = "offered %s/s, " + p.Readout.Format
		}
		rates := perSecond.rates(one, one.Calls)
		p.Alt = fmt.Sprintf("%s: calls to servers over time, %s/s on average, at most %s/s in a bin", one.Algorithm, format.Number(perSecond.rate(one, one.Calls)), format.Number(slices.Max(rates)))
		p.add(Admitted, one, rates)
		f.Panels = append(f.Panels, p)
	}
	return f
}

// callBin is the width in ns up to which bins of calls are merged, while 20 bins
// remain. In shorter ones chance and the rhythm of reports hide the spikes.
const callBin = 100e6
