package results

import (
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/stats"
)

// Summary is a figure over all replications: its mean, or what Pooled says, with a 95 %
// interval, and the value of each replication in order. If there is no figure, Mean, Lo
// and Hi are null and Reason states why. A null among Values is a replication without a
// value; a mean then has no figure, and what is pooled has one. Lo and Hi alone are null
// if no interval can be known.
//
// With Bounds it is a figure of a real limiter: the truth is certainly from Lo to Hi, and
// Mean is the figure as its callers saw it.
type Summary struct {
	Bounds bool       `json:"bounds,omitempty"`
	Mean   *float64   `json:"mean"`
	Lo     *float64   `json:"lo"`
	Hi     *float64   `json:"hi"`
	Values []*float64 `json:"values"`
	Reason string     `json:"reason,omitempty"`

	// AtLeast states that values are times after which the run ended: the figure is at least
	// the mean.
	AtLeast bool `json:"at_least,omitempty"`

	// Pooled states how the figure is made, if it is not the mean of Values: PooledRatio,
	// PooledQuantile or PooledLargest.
	Pooled string `json:"pooled,omitempty"`
	// Numerators and Denominators of each replication, of PooledRatio. A denominator of 0
	// is a replication without an observation.
	Numerators   []float64 `json:"numerators,omitempty"`
	Denominators []float64 `json:"denominators,omitempty"`
	// Without holds the figure of all replications but each one, of PooledQuantile.
	Without []float64 `json:"without,omitempty"`

	// MayDifferPct is set if all replications of a row with random draws are equal: up to
	// this share of replications may differ from them, with a confidence of 95 %.
	MayDifferPct float64 `json:"may_differ_pct,omitempty"`
	// ReplicationsNeeded is about how many replications the interval needs to cover 95 %,
	// if the values are too skewed for their number.
	ReplicationsNeeded int `json:"replications_needed,omitempty"`
}

// How figures are pooled over replications.
const (
	PooledRatio    = "ratio"    // the sum of the numerators over the sum of the denominators
	PooledQuantile = "quantile" // the quantile of the observations of all replications
	PooledLargest  = "largest"  // the largest observation of all replications
)

// Summarize returns the summary of a value for each replication: the mean and its 95 %
// interval. The interval of a single value has a width of 0; a gate does not judge a
// random row with a single value. It panics on no values.
func Summarize(values []float64) Summary {
	s := Summary{Values: lists.Map(values, func(x float64) *float64 { return &x })}
	s.setMean(values)
	return s
}

func (s *Summary) setMean(values []float64) {
	mean := stats.OfSkewed(values)
	s.Mean, s.Lo, s.Hi, s.ReplicationsNeeded = &mean.Mean, &mean.Lo, &mean.Hi, mean.Needed
}

// SummarizeRatio returns the summary of a ratio of sums over replications, whose own
// ratios are values. It panics if no denominator is above 0. If only one is, there is no
// interval.
func SummarizeRatio(values []*float64, numerators, denominators []float64) Summary {
	s := Summary{Values: values, Pooled: PooledRatio, Numerators: numerators, Denominators: denominators}
	if len(values) == 1 {
		s.setMean([]float64{*values[0]})
		return s
	}
	ratio, without, ok := stats.WithoutEach(numerators, denominators)
	if own := present(values); !differ(own) {
		ratio = own[0] // to the bit
		without = slices.Repeat([]float64{ratio}, len(values))
	}
	if s.Mean = &ratio; !ok {
		return s
	}
	var some []float64 // without each replication that has an observation
	for i, x := range without {
		if denominators[i] > 0 {
			some = append(some, x)
		}
	}
	s.setMean(stats.Jackknife(ratio, some))
	return s
}

// SummarizeQuantile returns the summary of a quantile of all observations, which is
// values in single replications.
func SummarizeQuantile(values []*float64, figure float64, without []float64) Summary {
	s := Summary{Values: values, Pooled: PooledQuantile, Without: noisy(values, figure, without)}
	s.setMean(stats.Jackknife(figure, s.Without))
	s.Mean = &figure // to the bit
	return s
}

// noisy returns without, the figure without each replication, unless that tells nothing of
// its noise: replications that are equal leave nothing to chance, and where the figure of
// few possible values stays the same without any one of replications that differ, these
// tell how far it would move.
func noisy(values []*float64, figure float64, without []float64) []float64 {
	own := present(values)
	switch {
	case !differ(own):
		return slices.Repeat([]float64{figure}, len(without))
	case differ(without):
		return without
	}
	mean, from := stats.Mean(own), make([]float64, len(values))
	for i, x := range values {
		if from[i] = figure; x != nil {
			from[i] -= (*x - mean) / float64(len(values)-1)
		}
	}
	return from
}

// present returns the values of the replications that have one.
func present(values []*float64) []float64 {
	own := lists.Where(values, func(x *float64) bool { return x != nil })
	return lists.Map(own, func(x *float64) float64 { return *x })
}

// differ reports whether numbers are not all equal.
func differ(list []float64) bool {
	return slices.ContainsFunc(list, func(x float64) bool { return x != list[0] })
}

// SummarizeLargest returns the summary of the largest observation, which is values in
// single replications. It is a fact of these replications and has no interval.
func SummarizeLargest(values []*float64, figure float64) Summary {
	return Summary{Values: values, Pooled: PooledLargest, Mean: &figure, Lo: &figure, Hi: &figure}
}

// MayDiffer returns the share of replications, in percent, that may differ from n equal
// ones with a confidence of 95 %: if more did, n equal ones would be less likely than 5 %.
func MayDiffer(n int) float64 {
	return math.Round(1000*(1-math.Exp(math.Log(0.05)/float64(n)))) / 10
}

// EqualText says what n equal replications mean.
func EqualText(n int) string {
	return fmt.Sprintf("equal in %d of %d replications; up to %s %% of replications may differ", n, n, format.Number(MayDiffer(n)))
}

// OrNaN returns the mean, or NaN if there is no figure.
func (s Summary) OrNaN() float64 {
	if s.Mean == nil {
		return math.NaN()
	}
	return *s.Mean
}

// Equal reports whether all replications have the same value, which an interval of width
// 0 says as well, but for the largest observation.
func (s Summary) Equal() bool {
	return s.Mean != nil && s.Lo != nil && *s.Lo == *s.Hi && s.Pooled != PooledLargest && !s.Bounds
}

// Replicates returns one number for each replication, whose mean is the figure and whose
// spread is that of the figure: Values of a mean, pseudo-values of what is pooled. It
// returns none if the document lacks them.
func (s Summary) Replicates() []float64 {
	switch {
	case s.Pooled != "" && s.Pooled != PooledLargest && len(s.Values) == 1 && s.Mean != nil:
		return []float64{*s.Mean}
	case s.Pooled == PooledRatio && len(s.Denominators) > 0 && s.Lo != nil:
		_, without, _ := stats.WithoutEach(s.Numerators, s.Denominators)
		if *s.Lo == *s.Hi {
			without = slices.Repeat([]float64{*s.Mean}, len(s.Values))
		}
		return stats.Jackknife(*s.Mean, without)
	case s.Pooled == PooledQuantile && len(s.Without) > 0:
		return stats.Jackknife(*s.Mean, s.Without)
	case s.Pooled == PooledRatio, s.Pooled == PooledQuantile, slices.Contains(s.Values, nil):
		return nil
	}
	return present(s.Values)
}

// Largest returns the largest of the replications' values, 0 if there are none.
func (s Summary) Largest() float64 { return slices.Max(append(s.Replicates(), 0)) }

// First returns the summary of the first n replications; of a quantile, of which the
// document does not have the observations, by what stands for them.
func (s Summary) First(n int) Summary {
	values := s.Replicates()
	switch {
	case s.Mean == nil || n < 1 || n >= len(s.Values) || len(values) == 0:
		return s
	case s.Pooled == PooledRatio:
		if first := (Summary{Denominators: s.Denominators[:n]}); first.observed() {
			return SummarizeRatio(s.Values[:n], s.Numerators[:n], s.Denominators[:n])
		}
		return Summary{Values: s.Values[:n], Reason: "nothing observed in these replications"}
	}
	return Summarize(values[:n])
}

func (s Summary) observed() bool { n, _ := s.Observations(); return n > 0 }

// Observations returns the sum of the denominators of a ratio, such as a number of
// windows, and the number of replications that have any.
func (s Summary) Observations() (n float64, replications int) {
	for _, x := range s.Denominators {
		if n += x; x > 0 {
			replications++
		}
	}
	return n, replications
}

// Spread returns the distance from the mean to the farther bound of its
// interval, or 0 without an interval. Bounds are no interval.
func (s Summary) Spread() float64 {
	if s.Mean == nil || s.Lo == nil || s.Hi == nil || s.Bounds {
		return 0
	}
	return max(*s.Hi-*s.Mean, *s.Mean-*s.Lo, 0)
}
