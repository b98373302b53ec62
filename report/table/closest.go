package table

import (
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// closest returns the algorithms closest to the reference, and the least
// distance, in percent. The distance is over_admission_pct plus
// under_admission_pct. Of those that tie, the least burst excess decides; those
// that still tie are all closest. It returns no names if no row has a distance.
func closest(rows []results.Result) (names []string, distance float64) {
	rows = least(rows, results.Result.Distance)
	if len(rows) == 0 {
		return nil, 0
	}
	distance = *rows[0].Distance().Mean
	burst := func(r results.Result) results.Summary { return r.Summary("burst_excess") }
	if !slices.ContainsFunc(rows, func(r results.Result) bool { return burst(r).Mean == nil }) {
		rows = least(rows, burst)
	}
	for _, r := range rows {
		names = append(names, r.Algorithm)
		distance = min(distance, *r.Distance().Mean)
	}
	return names, distance
}

// least returns the rows that tie with the one with the least figure, none of
// which can be below 0: their intervals overlap with its interval, or the numbers
// print the same.
func least(rows []results.Result, figure func(results.Result) results.Summary) (tied []results.Result) {
	var best results.Summary
	for _, r := range rows {
		if x := figure(r); x.Mean != nil && (best.Mean == nil || *x.Mean < *best.Mean) {
			best = x
		}
	}
	for _, r := range rows {
		x := figure(r)
		if x.Mean == nil {
			continue
		}
		overlap := max(0, *x.Mean-x.Spread()) < *best.Mean+best.Spread()
		if overlap || format.Number(*x.Mean) == format.Number(*best.Mean) {
			tied = append(tied, r)
		}
	}
	return tied
}
