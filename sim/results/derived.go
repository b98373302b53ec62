package results

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// checkDerived returns an error for the first figure that does not follow from the values of
// its replications: a document that was changed, or written by a program that computes
// otherwise. A document without these values cannot be checked.
func (d *Document) checkDerived() error {
	for _, list := range [][]Result{d.Results, d.ByPolicy} {
		for _, r := range list {
			if err := r.checkDerived(); err != nil {
				return fmt.Errorf("scenario %q, %s: %w", r.Scenario, r.Label(), err)
			}
		}
	}
	return nil
}

func (r Result) checkDerived() error {
	for _, name := range slices.Sorted(maps.Keys(r.Metrics)) {
		if err := r.Metrics[name].checkDerived(r); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Halves)) {
		for _, s := range r.Halves[name] {
			if err := s.checkDerived(r); err != nil {
				return fmt.Errorf("halves of %s: %w", name, err)
			}
		}
	}
	return nil
}

func (s Summary) checkDerived(r Result) error {
	switch {
	case s.Bounds && r.Live != nil:
		return nil
	case s.Bounds:
		return errors.New("bounds of a figure that was simulated")
	case s.Mean == nil || len(s.Values) == 0:
		return nil
	}
	own := lists.Where(s.Values, func(x *float64) bool { return x != nil })
	if len(own) == 0 || s.Pooled == "" && len(own) < len(s.Values) {
		return errors.New("a figure without the values of its replications")
	}
	want, tolerance := s.recomputed()
	if !r.Exact && len(s.Values) > 1 && want.Equal() {
		want.MayDifferPct = MayDiffer(len(s.Values))
	}
	for _, one := range []struct {
		name      string
		has, want *float64
	}{{"mean", s.Mean, want.Mean}, {"lo", s.Lo, want.Lo}, {"hi", s.Hi, want.Hi}, {"may_differ_pct", &s.MayDifferPct, &want.MayDifferPct}} {
		if (one.has == nil) != (one.want == nil) || one.has != nil && math.Abs(*one.has-*one.want) > tolerance {
			return fmt.Errorf("%s is %s, but its values give %s", one.name, written(one.has), written(one.want))
		}
	}
	if s.ReplicationsNeeded != want.ReplicationsNeeded && tolerance == 0 { // a step of it turns on the last digit
		return fmt.Errorf("replications_needed is %d, but its values give %d", s.ReplicationsNeeded, want.ReplicationsNeeded)
	}
	return nil
}

// recomputed returns the summary that the values of the replications give, and how far its
// numbers may be off.
func (s Summary) recomputed() (want Summary, tolerance float64) {
	switch s.Pooled {
	case PooledRatio:
		return SummarizeRatio(s.Values, s.Numerators, s.Denominators), 0
	case PooledLargest:
		largest := math.Inf(-1)
		for _, x := range s.Values {
			if x != nil {
				largest = max(largest, *x)
			}
		}
		return SummarizeLargest(s.Values, largest), 0
	case PooledQuantile: // the document lacks the observations, whose quantile Mean is
		for _, x := range s.Without {
			tolerance = max(tolerance, 1e-12*float64(len(s.Without))*math.Abs(x))
		}
		return SummarizeQuantile(s.Values, *s.Mean, s.Without), tolerance
	}
	return Summarize(lists.Map(s.Values, func(x *float64) float64 { return *x })), 0
}

func written(x *float64) string {
	if x == nil {
		return "null"
	}
	return fmt.Sprint(*x)
}
