package pairs

import (
	"cmp"
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
	switch {
	case s.Mean == nil:
		return values, errors.New("has no data")
	case r.Live != nil:
		return values, errors.New("is of one run against a real limiter, which has no replications")
	case r.Exact:
		return stats.Sample{Values: []float64{*s.Mean}, Deterministic: true}, nil
	case s.Pooled == results.PooledLargest && slices.Contains(s.Values, nil):
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

// Compare compares a figure of two rows, by pairs of replications if they are paired. Those
// without a partner only decide whether the figure is the same in all. It returns an error of
// Sample.
func Compare(a, b results.Result, x, y results.Summary, paired bool) (stats.Change, error) {
	of, with := x, y
	if paired {
		of, with = Partners(a, b, x, y)
	}
	base, errBase := Sample(a, of)
	now, errNow := Sample(b, with)
	if err := cmp.Or(errBase, errNow); err != nil {
		return stats.Change{}, err
	}
	c := stats.Compare(base, now, paired)
	c.Same = c.Same && !(Uneven(c, x, y) && vary(slices.Concat(x.Values, y.Values)))
	return c, nil
}

// Uneven reports whether of two figures that are compared by pairs one has replications
// without a partner.
func Uneven(c stats.Change, x, y results.Summary) bool {
	return c.Method == stats.Paired && len(x.Values) != len(y.Values)
}

// vary reports whether values differ. One that is missing differs from all.
func vary(values []*float64) bool {
	return slices.ContainsFunc(values, func(x *float64) bool { return x == nil || values[0] == nil || *x != *values[0] })
}
