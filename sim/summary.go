package sim

import (
	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/stats"
)

// summarise returns the mean of a metric over replications and its 95 % interval
// by Student's t. If one replication has no value, the summary has none either:
// the mean of the others would describe a different population.
func summarise(values []measure.Value) results.Summary {
	s := results.Summary{Values: make([]*float64, len(values))}
	for i, v := range values {
		if v.NoData == "" {
			x := v.X // a copy: the caller reuses the slice for the next metric
			s.Values[i] = &x
		} else if s.Reason == "" {
			s.Reason = v.NoData
		}
	}
	if s.Reason != "" || len(values) == 0 {
		return s
	}
	mean := interval(values)
	lo, hi := mean.Lo(), mean.Hi()
	s.Mean, s.Lo, s.Hi = &mean.Mean, &lo, &hi
	return s
}

// interval returns the mean of values and its 95 % interval. Documents write a
// width of 0 for a single value; a gate does not judge a random row with one.
func interval(values []measure.Value) stats.Interval {
	xs := make([]float64, len(values))
	for i, v := range values {
		xs[i] = v.X
	}
	if len(xs) == 1 {
		return stats.Interval{Mean: xs[0]}
	}
	return stats.OfMean(xs)
}
