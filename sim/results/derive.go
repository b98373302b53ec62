package results

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// Total returns the number of values in the histogram.
func (h Histogram) Total() (n int64) {
	for _, b := range h.Buckets {
		n += b.Count
	}
	return n
}

// BinSeconds returns the width of a bin in seconds.
func (s Series) BinSeconds() float64 { return float64(s.BinNs) / 1e9 }

// Bins returns the number of bins.
func (s Series) Bins() int { return max(len(s.Offered), len(s.Inflight)) }

// Thin merges consecutive bins until at most most bins are left.
func (s Series) Thin(most int) Series { return s.Merge((s.Bins() + most - 1) / most) }

// Merge merges each group consecutive bins into one. It adds up cost and
// calls, keeps the largest load in flight and averages what is stranded.
func (s Series) Merge(group int) Series {
	if group <= 1 {
		return s
	}
	last := (s.Bins()-1)%group + 1
	s.Unfilled = 1 - (float64(last)-s.Unfilled)/float64(group)
	add := func(a, b int64) int64 { return a + b }
	s.Offered = join(s.Offered, group, add)
	s.Admitted = join(s.Admitted, group, add)
	s.Calls = join(s.Calls, group, add)
	s.Overspend = join(s.Overspend, group, add)
	s.Finished, s.Retried = join(s.Finished, group, add), join(s.Retried, group, add)
	s.Probes = join(s.Probes, group, add)
	s.Limit = means(join(s.Limit, group, add), group, len(s.Limit))
	s.Stranded = means(join(s.Stranded, group, add), group, len(s.Stranded))
	s.Inflight = join(s.Inflight, group, func(a, b int64) int64 { return max(a, b) })
	s.BinNs *= int64(group)
	s.LimitPerBin *= float64(group)
	s.LimitChanges = slices.Clone(s.LimitChanges)
	for i := range s.LimitChanges {
		s.LimitChanges[i].LimitPerBin *= float64(group)
	}
	return s
}

// EndNs returns the end of the last bin.
func (s Series) EndNs() int64 {
	return s.StartNs + int64(s.Bins())*s.BinNs
}

// HighestLimit returns the largest limit per bin at any time.
func (s Series) HighestLimit() float64 {
	highest := s.LimitPerBin
	for _, c := range s.LimitChanges {
		highest = max(highest, c.LimitPerBin)
	}
	return highest
}

// LimitSpan is a time span with one limit, in ns from the series' start.
type LimitSpan struct {
	From, To int64
	PerBin   float64
}

// LimitSpans returns the limits in force from the series' start to its end.
func (s Series) LimitSpans() []LimitSpan {
	spans := []LimitSpan{{PerBin: s.LimitPerBin}}
	for _, c := range s.LimitChanges {
		at := c.AtNs - s.StartNs
		spans[len(spans)-1].To = at
		spans = append(spans, LimitSpan{From: at, PerBin: c.LimitPerBin})
	}
	spans[len(spans)-1].To = s.EndNs() - s.StartNs
	return spans
}

// join merges each group of bins into one.
func join(bins []int64, group int, with func(a, b int64) int64) []int64 {
	var out []int64
	for i, n := range bins {
		if i%group == 0 {
			out = append(out, n)
		} else {
			out[len(out)-1] = with(out[len(out)-1], n)
		}
	}
	return out
}

// means divides the sums of groups of n values by their numbers, and rounds. The last
// group may be smaller.
func means(sums []int64, group, n int) []int64 {
	for i := range sums {
		in := int64(min(group, n-i*group))
		sums[i] = (sums[i] + in/2) / in
	}
	return sums
}

// Summary returns the row's summary of a metric. If the row has no value,
// Reason states why.
func (r Result) Summary(metric string) Summary {
	s, ok := r.Metrics[metric]
	switch {
	case !ok:
		return Summary{Reason: "not measured"}
	case s.Mean == nil && s.Reason == "":
		s.Reason = "no reason given"
	}
	return s
}

// Distance returns the distance of a row from the reference, in percent of what
// the reference admits: over_admission_pct plus under_admission_pct. In front of a backend
// with a deadline it is the good answers lost against the best fixed limit.
func (r Result) Distance() Summary {
	if lost, has := r.Metrics["goodput_lost_pct"]; has {
		return lost
	}
	return r.combine("over_admission_pct", "under_admission_pct", func(over, under float64) float64 { return over + under })
}

// Drift returns by how much a headline metric of the second half of the measured span is
// larger than that of the first, in each replication. It returns none if a half has no
// figure.
func (r Result) Drift(metric string) []float64 {
	first, second := r.Halves[metric][0], r.Halves[metric][1]
	if first.Mean == nil || second.Mean == nil {
		return nil
	}
	xs, ys := first.Replicates(), second.Replicates()
	if len(xs) != len(ys) {
		return nil
	}
	for i := range ys {
		ys[i] -= xs[i]
	}
	return ys
}

// combine returns the summary of a figure that is made from two metrics.
func (r Result) combine(a, b string, of func(a, b float64) float64) Summary {
	x, y := r.Summary(a), r.Summary(b)
	switch {
	case x.Mean == nil:
		return Summary{Reason: x.Reason}
	case y.Mean == nil:
		return Summary{Reason: y.Reason}
	}
	xs, ys := x.Replicates(), y.Replicates()
	if len(xs) == 0 || len(xs) != len(ys) {
		return Summary{Reason: "no values of single replications"}
	}
	for i := range xs {
		xs[i] = of(xs[i], ys[i])
	}
	return Summarize(xs)
}

// Label returns the name of the row's algorithm. It marks a row of the
// reference unless its name does so already.
func (r Result) Label() string {
	if r.Reference && !strings.HasPrefix(r.Algorithm, "reference") && r.Algorithm != BestFixed {
		return r.Algorithm + " (reference)"
	}
	return r.Algorithm
}

// Compared reports whether sweeps show the row: it is none of an exact limiter.
func (r Result) Compared() bool { return !r.Reference || r.Algorithm == BestFixed }

// Rows returns the results of a scenario: those of the reference first, each
// group in the document's order.
func (d *Document) Rows(scenario string) []Result {
	rows := func(reference bool) []Result {
		return lists.Where(d.Results, func(r Result) bool { return r.Scenario == scenario && r.Reference == reference })
	}
	return append(rows(true), rows(false)...)
}

// HasFigure reports whether a row has a figure of a metric.
func HasFigure(rows []Result, metric string) bool {
	return slices.ContainsFunc(rows, func(r Result) bool { return r.Metrics[metric].Mean != nil })
}

// Labels returns the labels of rows.
func Labels(rows []Result) []string {
	return lists.Map(rows, Result.Label)
}
