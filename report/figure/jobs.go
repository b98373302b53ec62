package figure

import (
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// jobs shows the jobs that workers finish over time, above the retries that they make, if
// any. A bin averages a herd of callers that come back together, so the legend has the largest
// herd. A line for each algorithm in both; algorithms with the same course share one. The
// dashed line is the earliest that exact limits allow. It returns nil without workers.
func jobs(part *results.Document, m Medium) *Figure {
	series := seriesOf(part, m, func(one results.Series) bool { return len(one.Finished) > 0 })
	if len(series.all) == 0 {
		return nil
	}
	endWithWork(series.all, first(part, series.all[0].Algorithm, "ideal_finish_s"))
	said := func(one results.Series) string {
		said := format.Amount(sums(one.Finished)[one.Bins()-1], "job")
		if calls := first(part, one.Algorithm, "retry_amplification"); !math.IsNaN(calls) && !part.Scenarios[0].Others {
			said += fmt.Sprintf(", %s per job", format.Amount(calls, "call"))
		}
		if herd := first(part, one.Algorithm, "herd_max"); herd > 1 {
			said += fmt.Sprintf(", up to %s within 100 ms", format.Amount(herd, "retry"))
		}
		return said
	}
	finished := course{
		title: "Jobs finished", unit: "jobs", of: func(one results.Series) []float64 { return sums(one.Finished) }, line: ramps,
		said: func(heights []float64) string { return format.Number(heights[len(heights)-1]) + " in the end" },
	}
	retried := course{
		title: "Retries per second", unit: "per second", of: func(one results.Series) []float64 { return scaled(one.Retried, one.BinSeconds()) }, line: steps,
		said: func(heights []float64) string { return format.Number(slices.Max(heights)) + " per second at most" },
	}
	above, line := "jobs finished since the start. ", idealLine(part, series.all[0])
	if line != nil {
		above = "jobs finished since the start; the dashed line is the earliest that exact limits allow. "
	}
	const sameCourse = "Algorithms with the same course share a line."
	var f *Figure
	if slices.ContainsFunc(series.all, func(one results.Series) bool { return slices.IndexFunc(one.Retried, some) >= 0 }) {
		f = series.courses(part, "Jobs finished, and retries",
			"Above: "+above+"Below: retries per second, averaged over each bin; the legend has the most that callers make together. "+sameCourse, said, finished, retried)
	} else {
		f = series.courses(part, "Jobs finished", "Nobody retries. Shown: "+above+sameCourse, said, finished)
	}
	if line != nil {
		f.Panels[0].Marks = append(f.Panels[0].Marks, Mark{Title: "ideal", Shapes: []Shape{Line{IdealLine, line}}})
		f.Legend = slices.Insert(f.Legend, len(faultEntries(series.faults)), Entry{"ideal", IdealLine, LineSample})
	}
	return f
}

func some(n int64) bool { return n > 0 }

// endWithWork ends the courses soon after the last job and retry of all rows and the ideal
// finish, so that no work needs no room.
func endWithWork(all []results.Series, ideal float64) {
	bins := 0
	for _, one := range all {
		for _, column := range [][]int64{one.Finished, one.Retried} {
			for n := len(column); n > bins; n-- {
				if column[n-1] > 0 {
					bins = n
				}
			}
		}
	}
	if !math.IsNaN(ideal) {
		bins = max(bins, int(math.Ceil(min(ideal/all[0].BinSeconds(), float64(all[0].Bins())))))
	}
	bins += 1 + bins/20
	for i := range all {
		one := &all[i]
		for _, column := range []*[]int64{&one.Offered, &one.Inflight, &one.Finished, &one.Retried} {
			*column = (*column)[:min(bins, len(*column))]
		}
	}
}

// idealLine returns the jobs that exact limits can have admitted at the earliest: when the
// work begins a burst, and the others in proportion to time. It returns nil if that is not
// known, since there are several limits, or windows, or calls cost more than others.
func idealLine(part *results.Document, one results.Series) []Point {
	scenario := part.Scenarios[0]
	if len(scenario.Policies) > 1 || scenario.Keys > 1 || scenario.Policy.Exact != "" || part.CostUnit() != "requests" {
		return nil
	}
	figure := func(metric string) float64 { return first(part, one.Algorithm, metric) }
	finish, all := figure("ideal_finish_s"), figure("jobs_finished")+figure("jobs_given_up")+figure("jobs_left")
	if math.IsNaN(finish) || finish == 0 || math.IsNaN(all) {
		return nil
	}
	first := min(all, float64(scenario.Policy.Burst))
	begin := one.BinSeconds() * float64(max(0, slices.IndexFunc(one.Offered, some)))
	end := float64(one.Bins()) * one.BinSeconds()
	line := []Point{{begin, first}}
	if finish < end {
		return append(line, Point{finish, all}, Point{end, all})
	}
	return append(line, Point{end, first + (all-first)*(end-begin)/(finish-begin)})
}
