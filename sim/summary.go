package sim

import (
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// summarise returns the mean of a metric over replications and its 95 % interval
// by Student's t. If one replication has no value, the summary has none either:
// the mean of the others would describe a different population.
func summarise(values []measure.Value) results.Summary {
	xs, s := make([]float64, len(values)), results.Summary{Values: make([]*float64, len(values))}
	for i, v := range values {
		xs[i] = v.X
		if v.NoData == "" {
			s.Values[i] = &xs[i]
		} else if s.Reason == "" {
			s.Reason = v.NoData
		}
	}
	if s.Reason != "" || len(values) == 0 {
		return s
	}
	return results.Summarize(xs)
}
