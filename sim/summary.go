package sim

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// summarise returns a metric over replications with its 95 % interval, pooled as its
// values state. If one replication has no value for another reason than that nothing was
// observed, the summary has none either: the mean of the others would describe a different
// population.
func summarise(values []measure.Value) results.Summary {
	xs, s := make([]float64, len(values)), results.Summary{Values: make([]*float64, len(values))}
	kind, empty := measure.Mean, ""
	for i, v := range values {
		xs[i] = v.X
		kind = max(kind, v.Pool.Kind)
		switch {
		case v.NoData == "":
			s.Values[i] = &xs[i]
		case v.Pool.Kind != measure.Mean:
			empty = cmp.Or(empty, v.NoData)
		case s.Reason == "":
			s.Reason = v.NoData
		}
	}
	some := slices.ContainsFunc(s.Values, func(x *float64) bool { return x != nil })
	if !some {
		s.Reason = cmp.Or(s.Reason, empty)
	}
	switch {
	case s.Reason != "" || len(values) == 0:
		return s
	case kind == measure.Quantile:
		return summariseQuantile(values, s)
	case kind == measure.Mean:
		s = results.Summarize(xs)
		s.AtLeast = slices.ContainsFunc(values, func(v measure.Value) bool { return v.Longer })
		return s
	}
	return results.SummarizeRatio(s.Values,
		lists.Map(values, func(v measure.Value) float64 { return v.Pool.Num }),
		lists.Map(values, func(v measure.Value) float64 { return v.Pool.Den }))
}

// leastBeyond is the number of observations beyond a quantile that make it a figure. With
// fewer it depends on a few single observations, unless all are equal.
const leastBeyond = 5

// summariseQuantile returns a quantile of the observations of all replications. s has the
// values of single replications.
func summariseQuantile(values []measure.Value, s results.Summary) results.Summary {
	of := lists.Map(values, func(v measure.Value) *measure.Distribution { return v.Pool.Of })
	permille := values[0].Pool.Permille
	pooled := measure.PoolOf(of)
	switch figure := pooled.Quantile(permille); {
	case permille == 1000:
		return results.SummarizeLargest(s.Values, figure)
	case pooled.Beyond(permille) < leastBeyond && pooled.Quantile(1) != pooled.Quantile(1000):
		s.Reason = fmt.Sprintf("fewer than %d of %d observations lie beyond it", leastBeyond, pooled.Count())
		return s
	case len(values) == 1:
		return results.Summarize([]float64{values[0].X})
	default:
		return results.SummarizeQuantile(s.Values, figure, pooled.WithoutEach(permille))
	}
}
