package results

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// checkDerived returns an error for the first figure that does not follow from the values of
// its replications: a document that was changed, or written by a program that computes
// otherwise. A document without these values cannot be checked.
func (d *Document) checkDerived() error {
	for _, s := range d.Scenarios {
		if err := s.checkDerived(); err != nil {
			return fmt.Errorf("scenario %q: %w", s.Name, err)
		}
	}
	for i, in := range d.Input {
		if err := in.checkDerived(); err != nil {
			return fmt.Errorf("input[%d]: %w", i, err)
		}
	}
	for _, list := range [][]Result{d.Results, d.ByPolicy} {
		for _, r := range list {
			if err := r.checkDerived(); err != nil {
				return fmt.Errorf("scenario %q, %s: %w", r.Scenario, r.Label(), err)
			}
		}
	}
	return nil
}

func (s *Scenario) checkDerived() error {
	keys := int64(0)
	for _, p := range append([]Policy{s.Policy}, s.Policies...) {
		if want := float64(p.Limit) * 1e9 / float64(p.WindowNs); p.WindowNs > 0 && p.RatePerS != want {
			return fmt.Errorf("policy %s: rate_per_s is %v, but its limit gives %v", p.Name, p.RatePerS, want)
		}
		keys += p.Keys
	}
	if len(s.Policies) > 0 {
		first := s.Policies[0]
		if first.Keys = 0; first != s.Policy || keys != s.Keys {
			return fmt.Errorf("policies: the first is not policy, or their %d keys are not the %d of the scenario", keys, s.Keys)
		}
	}
	if s.BestFixed != nil {
		if err := s.BestFixed.check(); err != nil {
			return err
		}
	}
	for _, e := range s.Expectations {
		_, number, _ := strings.Cut(e.Text, strings.TrimSuffix(e.Op, ":"))
		if x, err := strconv.ParseFloat(strings.Trim(number, ":% "), 64); err == nil && x != e.Threshold {
			return fmt.Errorf("expectation of %s for %s: threshold is %v, but its text is %q", e.Metric, e.Algorithm, e.Threshold, e.Text)
		}
	}
	for _, f := range s.Faults {
		last := f.FromNs
		for i, span := range f.Spans {
			if last = max(last, span.ToNs); i == 0 && span.FromNs != f.FromNs {
				return fmt.Errorf("fault %s: from_ns is %d, but its first span begins at %d", f.Text, f.FromNs, span.FromNs)
			}
		}
		if last != f.ToNs {
			return fmt.Errorf("fault %s: to_ns is %d, but its spans end at %d", f.Text, f.ToNs, last)
		}
	}
	return nil
}

func (in *Input) checkDerived() error {
	seconds := in.LastNs/1e9 - in.FirstNs/1e9 + 1
	if want := float64(in.Rows) / float64(seconds); in.MeanPerS != want {
		return fmt.Errorf("mean_per_s is %v, but %d rows give %v", in.MeanPerS, in.Rows, want)
	}
	rows, malformed := int64(0), int64(0)
	for _, c := range in.Choices {
		rows, malformed = rows+c.Rows, malformed+c.Malformed
	}
	if len(in.Choices) > 0 && (rows < in.Rows || malformed != in.Malformed) { // a part of the rows may be asked for
		return fmt.Errorf("%d rows and %d malformed, but %d and %d in choices", in.Rows, in.Malformed, rows, malformed)
	}
	return nil
}

func (r Result) checkDerived() error {
	for i, t := range r.Touched {
		n, least, most := float64(r.Replications), float64(t.Min), float64(t.Max)
		sum := math.Round(t.Mean * n)
		if sum/n != t.Mean || sum < most+(n-1)*least || sum > least+(n-1)*most || (t.Missed > 0) != (t.Min == 0) {
			return fmt.Errorf("touched[%d] is %+v, which no %d replications give", i, t, r.Replications)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Metrics)) {
		if err := r.Metrics[name].checkDerived(r); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := r.checkExcess(); err != nil {
		return err
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

// checkExcess compares what a row loses against the best fixed limit with its parts.
func (r Result) checkExcess() error {
	lost, refused, late := r.Metrics["goodput_lost_pct"], r.Metrics["refused_excess_pct"], r.Metrics["late_excess_pct"]
	for i, n := range lost.Numerators {
		if len(refused.Numerators) != len(lost.Numerators) || len(late.Numerators) != len(lost.Numerators) || n != refused.Numerators[i]+late.Numerators[i] {
			return fmt.Errorf("goodput_lost_pct of replication %d is not the sum of refused_excess_pct and late_excess_pct", i+1)
		}
	}
	return nil
}

// BestOf returns the limit of a grid with the most good answers, the least of equal ones, and
// those around it that have at least 99 % of them.
func BestOf(grid [][2]int64) (limit int64, within1Pct [2]int64) {
	at := 0
	for i := range grid {
		if grid[i][1] > grid[at][1] {
			at = i
		}
	}
	close := func(i int) bool { return i >= 0 && i < len(grid) && 100*grid[i][1] >= 99*grid[at][1] }
	lo, hi := at, at
	for close(lo - 1) {
		lo--
	}
	for close(hi + 1) {
		hi++
	}
	return grid[at][0], [2]int64{grid[lo][0], grid[hi][0]}
}

// check returns an error if the limit is not the best of its grid.
func (b *BestFixedLimit) check() error {
	rises := slices.IsSortedFunc(b.Grid, func(x, y [2]int64) int { return cmp.Or(cmp.Compare(x[0], y[0]), 1) })
	if len(b.Grid) == 0 || !rises || b.Grid[0][0] < 1 {
		return errors.New("best_fixed: the grid is empty, or its limits do not rise from 1 on")
	}
	if limit, within := BestOf(b.Grid); b.Limit != limit || b.Within1Pct != within {
		return fmt.Errorf("best_fixed: limit is %d and within_1_pct %v, but its grid gives %d and %v", b.Limit, b.Within1Pct, limit, within)
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
	for i, d := range s.Denominators {
		if x := s.Values[i]; (x == nil) != (d == 0) || x != nil && math.Abs(*x-s.Numerators[i]/d) > 4e-16*math.Abs(*x) {
			return fmt.Errorf("values[%d] is %s, but its numerator and denominator are %v and %v", i, written(x), s.Numerators[i], d)
		}
	}
	own := present(s.Values)
	if len(own) == 0 || s.Pooled == "" && len(own) < len(s.Values) {
		return errors.New("a figure without the values of its replications")
	}
	want, tolerance := s.recomputed()
	if !slices.Equal(s.Without, want.Without) {
		return errors.New("without does not follow from its values, which are equal")
	}
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
		return SummarizeLargest(s.Values, slices.Max(present(s.Values))), 0
	case PooledQuantile: // the document lacks the observations, whose quantile Mean is
		for _, x := range s.Without {
			tolerance = max(tolerance, 1e-12*float64(len(s.Without))*math.Abs(x))
		}
		return SummarizeQuantile(s.Values, *s.Mean, s.Without), tolerance
	}
	return Summarize(present(s.Values)), 0
}

func written(x *float64) string {
	if x == nil {
		return "null"
	}
	return fmt.Sprint(*x)
}
