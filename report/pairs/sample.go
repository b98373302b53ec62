package pairs

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/sim/results"
)

// ErrNoFigure is the error of a largest observation that some replications have none of,
// such as one over saturated windows. Its document is whole.
var ErrNoFigure = errors.New("is of some of the replications only")

// Sample returns the values of a metric, one per replication. For a
// deterministic row it returns the mean. It returns an error if values are
// missing or do not have the documented mean: then the document was changed or
// written incorrectly.
func Sample(r results.Result, s results.Summary) (values stats.Sample, err error) {
	if r.Live != nil {
		return values, errors.New("is of one run against a real limiter, which has no replications")
	}
	if r.Exact {
		return stats.Sample{Values: []float64{*s.Mean}, Deterministic: true}, nil
	}
	if s.Pooled == results.PooledLargest && slices.Contains(s.Values, nil) {
		return values, ErrNoFigure
	}
	if values.Values = s.Replicates(); len(values.Values) == 0 {
		return values, errors.New("lacks the values of some replications")
	}
	largest := 0.0
	for _, x := range values.Values {
		largest = max(largest, math.Abs(x))
	}
	if mean := stats.Mean(values.Values); s.Pooled != results.PooledLargest && math.Abs(mean-*s.Mean) > 1e-6*largest {
		return values, fmt.Errorf("has the mean %v, but its values have %v", *s.Mean, mean)
	}
	return values, nil
}

// Partners returns the summaries of two rows of paired runs, without the replications that
// have no partner in the other row.
func Partners(a, b results.Result, x, y results.Summary) (of, with results.Summary) {
	if a.Exact || b.Exact {
		return x, y
	}
	n := min(len(x.Values), len(y.Values))
	return x.First(n), y.First(n)
}
