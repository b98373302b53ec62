package table

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/pairs"
	"github.com/limitgauge/limitgauge/sim/results"
)

// closest returns the algorithms closest to the reference and the least distance, in
// percent: see results.Result.Distance. Of those that tie, the least burst excess decides
// where rates are compared. Of those that still tie, near are the ones whose distance prints
// as more, the closest first: they are further by no more than chance. It returns no names
// if no row has a distance.
func closest(rows []results.Result) (names []string, distance float64, near []results.Result) {
	rows = least(rows, results.Result.Distance)
	if len(rows) == 0 {
		return nil, 0, nil
	}
	burst := func(r results.Result) results.Summary { return r.Summary("burst_excess") }
	if !results.HasFigure(rows, "goodput_lost_pct") && !slices.ContainsFunc(rows, func(r results.Result) bool { return burst(r).Mean == nil }) {
		rows = least(rows, burst)
	}
	slices.SortStableFunc(rows, func(a, b results.Result) int { return cmp.Compare(*a.Distance().Mean, *b.Distance().Mean) })
	distance = *rows[0].Distance().Mean
	for _, r := range rows {
		if format.Number(*r.Distance().Mean) == format.Number(distance) {
			names = append(names, r.Algorithm)
		} else {
			near = append(near, r)
		}
	}
	return names, distance, near
}

// least returns the rows that tie with the one with the least figure: those that are not
// larger beyond chance, or whose numbers print the same.
func least(rows []results.Result, figure func(results.Result) results.Summary) (tied []results.Result) {
	var best results.Result
	var lowest results.Summary
	for _, r := range rows {
		if x := figure(r); x.Mean != nil && (lowest.Mean == nil || *x.Mean < *lowest.Mean) {
			best, lowest = r, x
		}
	}
	for _, r := range rows {
		x := figure(r)
		if x.Mean != nil && (format.Number(*x.Mean) == format.Number(*lowest.Mean) || !larger(r, x, best, lowest)) {
			tied = append(tied, r)
		}
	}
	return tied
}

// larger reports whether figure x of row a is larger than figure y of row b beyond chance.
// The rows of a scenario have the same traffic, so their replications are pairs.
func larger(a results.Result, x results.Summary, b results.Result, y results.Summary) bool {
	c, err := pairs.Compare(b, a, y, x, true)
	if err != nil {
		return false
	}
	switch {
	case c.Runs() < 2:
		return c.Interval.Mean > 0
	case !c.Enough(0.05, true): // too few for the permutation test
		return c.Interval.Lo() > 0
	}
	return c.Interval.Mean > 0 && c.Test.Either <= 0.05
}
