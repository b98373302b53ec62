package figure

import (
	"github.com/limitgauge/limitgauge/internal/format"
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
	series.merge(func(one results.Series) int { return wholeWindows(one, part.Scenarios[0].Policy.WindowNs) })
	return series.courses(part, "Overspend and stranded cost over time",
		"Above: cost admitted beyond the limit, added up. Below: cost that is reserved and will not be used, averaged over each bin. "+
			"A good limiter stays at the bottom of both. Algorithms with the same course share a line.",
		func(one results.Series) string {
			said := format.Number(sums(one.Overspend)[one.Bins()-1]) + " overspent"
			if len(one.Stranded) > 0 {
				said += ", " + format.Number(mean(scaled(one.Stranded, 1))) + " stranded on average"
			}
			return said
		},
		course{
			title: "Overspend since the start", unit: "tokens", of: func(one results.Series) []float64 { return sums(one.Overspend) }, line: ramps,
			said: func(heights []float64) string { return format.Number(heights[len(heights)-1]) + " in the end" },
		},
		course{
			title: "Stranded cost", unit: "tokens", of: func(one results.Series) []float64 { return scaled(one.Stranded, 1) }, line: steps,
			said: func(heights []float64) string { return format.Number(mean(heights)) + " on average" },
		})
}

// wholeWindows returns the number of bins of a series to merge into one: as long as a
// window if 20 bins remain, because what is stranded rises and falls in each window, and
// the lines of several algorithms would hide each other.
func wholeWindows(s results.Series, windowNs int64) int {
	return int(max(1, min(windowNs/s.BinNs, int64(s.Bins()/fewBins))))
}
