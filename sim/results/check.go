package results

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// MaxScenarios and MaxRows limit the size of a document, so that its readers
// finish within seconds. A scenario file that would exceed them is rejected
// before it runs.
const (
	MaxScenarios = 1_000
	MaxRows      = 10_000 // limit of results, one for each algorithm of a scenario, and of expectations
)

// Check returns the first error that would break a reader of the document: a
// row of an unknown scenario, a duplicate row, lists of unequal length, a
// number that is not finite, a negative count, an interval with its bounds
// swapped.
func (d *Document) Check() error {
	if d.SchemaVersion != SchemaVersion {
		return &SchemaError{Got: d.SchemaVersion, Want: SchemaVersion}
	}
	for _, l := range []struct {
		rows, most int
		what       string
	}{
		{len(d.Scenarios), MaxScenarios, "scenarios"},
		{len(d.Results), MaxRows, "rows of results"},
		{len(d.ByPolicy), MaxRows, "rows by policy"},
		{len(d.Curves), MaxScenarios, "curves"},
	} {
		if l.rows > l.most {
			return fmt.Errorf("%d %s, at most %d are read", l.rows, l.what, l.most)
		}
	}
	expectations := 0
	for _, s := range d.Scenarios {
		if expectations += len(s.Expectations); expectations > MaxRows {
			return fmt.Errorf("more than %d expectations", MaxRows)
		}
	}
	known := make(map[string]bool, len(d.Scenarios))
	for i, s := range d.Scenarios {
		if known[s.Name] {
			return fmt.Errorf("scenarios[%d]: %q is there twice", i, s.Name)
		}
		known[s.Name] = true
		if err := s.check(); err != nil {
			return fmt.Errorf("scenarios[%d] (%s): %w", i, s.Name, err)
		}
	}
	for i, in := range d.Input {
		if err := in.check(known); err != nil {
			return fmt.Errorf("input[%d]: %w", i, err)
		}
	}
	return cmp.Or(
		checkRows("results", d.Results, known),
		d.checkTouched(),
		checkRows("series", d.Series, known),
		checkRows("shares", d.Shares, known),
		checkRows("client_shares", d.ClientShares, known),
		checkRows("server_loads", d.ServerLoads, known),
		checkRows("histograms", d.Histograms, known),
		checkRows("rejections", d.Rejections, known),
		checkRows("by_policy", d.ByPolicy, known),
		checkRows("policy_series", d.PolicySeries, known),
		checkRows("key_series", d.KeySeries, known),
	)
}

// rowKey identifies a row among those of its kind.
type rowKey struct {
	scenario, algorithm, part string
	reference                 bool
}

func (r Result) key() rowKey       { return rowKey{r.Scenario, r.Algorithm, r.Policy, r.Reference} }
func (s Series) key() rowKey       { return rowKey{s.Scenario, s.Algorithm, "", false} }
func (s Shares) key() rowKey       { return rowKey{s.Scenario, s.Algorithm, "", false} }
func (s ClientShares) key() rowKey { return rowKey{s.Scenario, s.Algorithm, "", false} }
func (s PolicySeries) key() rowKey { return rowKey{s.Scenario, s.Algorithm, s.Policy, false} }
func (s KeySeries) key() rowKey    { return rowKey{s.Scenario, s.Algorithm, s.Key, false} }
func (h Histogram) key() rowKey    { return rowKey{h.Scenario, h.Algorithm, h.Name, false} }
func (r Rejections) key() rowKey   { return rowKey{r.Scenario, r.Algorithm, "", false} }

func checkRows[T interface {
	key() rowKey
	check() error
}](list string, rows []T, known map[string]bool) error {
	seen := make(map[rowKey]bool, len(rows))
	for i, row := range rows {
		k := row.key()
		if !known[k.scenario] {
			return fmt.Errorf("%s[%d]: scenario %q is not among the document's scenarios", list, i, k.scenario)
		}
		if seen[k] {
			return fmt.Errorf("%s[%d]: %q, %q is there twice", list, i, k.scenario, k.algorithm)
		}
		seen[k] = true
		if err := row.check(); err != nil {
			return fmt.Errorf("%s[%d] (%s, %s): %w", list, i, k.scenario, k.algorithm, err)
		}
	}
	return nil
}

func (s Scenario) check() error {
	if s.EndNs < s.StartNs {
		return fmt.Errorf("the measured span ends at %d, before its start at %d", s.EndNs, s.StartNs)
	}
	if s.AdvisedWarmupNs < 0 || s.AdvisedWarmupNs > maxNs || s.DrainNs < 0 {
		return fmt.Errorf("advised_warmup_ns is %d, drain_ns is %d", s.AdvisedWarmupNs, s.DrainNs)
	}
	if !drawable(s.Policy.RatePerS) {
		return fmt.Errorf("policy rate_per_s is %v", s.Policy.RatePerS)
	}
	for i, p := range s.Policies {
		if !drawable(p.RatePerS) {
			return fmt.Errorf("policies[%d] rate_per_s is %v", i, p.RatePerS)
		}
	}
	for i, e := range s.Expectations {
		if math.IsNaN(e.Threshold) || math.IsInf(e.Threshold, 0) {
			return fmt.Errorf("expectations[%d]: threshold is %v", i, e.Threshold)
		}
	}
	return s.checkFaults()
}

func (in Input) check(known map[string]bool) error {
	switch {
	case !known[in.Scenario]:
		return fmt.Errorf("scenario %q is not among the document's scenarios", in.Scenario)
	case in.LastNs < in.FirstNs:
		return fmt.Errorf("last_ns %d is before first_ns %d", in.LastNs, in.FirstNs)
	case !drawable(in.MeanPerS):
		return fmt.Errorf("mean_per_s is %v", in.MeanPerS)
	}
	return nil
}

func (r Result) check() error {
	if r.Replications < 0 {
		return fmt.Errorf("%d replications", r.Replications)
	}
	for name, s := range r.Metrics {
		if err := s.check(r.Replications); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for name, halves := range r.Halves {
		for _, s := range halves {
			if err := s.check(r.Replications); err != nil {
				return fmt.Errorf("halves of %s: %w", name, err)
			}
		}
	}
	return r.Live.check()
}

func (s Summary) check(replications int) error {
	for _, x := range append([]*float64{s.Mean, s.Lo, s.Hi}, s.Values...) {
		if x != nil && !drawable(*x) {
			return fmt.Errorf("holds %v", *x)
		}
	}
	for _, list := range [][]float64{s.Numerators, s.Denominators, s.Without, {s.MayDifferPct}} {
		for _, x := range list {
			if !drawable(x) {
				return fmt.Errorf("holds %v", x)
			}
		}
	}
	if err := s.checkPool(); err != nil {
		return err
	}
	switch n := len(s.Values); {
	case (s.Lo == nil) != (s.Hi == nil):
		return fmt.Errorf("an interval with one end")
	case s.Mean == nil && s.Lo != nil:
		return fmt.Errorf("an interval without a mean")
	case s.Lo != nil && *s.Lo > *s.Hi:
		return fmt.Errorf("an interval from %v down to %v", *s.Lo, *s.Hi)
	case s.Bounds && (s.Lo == nil || *s.Mean < *s.Lo || *s.Mean > *s.Hi):
		return fmt.Errorf("bounds that do not hold the figure")
	case n != 0 && n != replications:
		return fmt.Errorf("%d values for %d replications", n, replications)
	}
	return nil
}

// checkPool checks what a pooled figure is made from, which a document without the values
// of single replications does not have.
func (s Summary) checkPool() error {
	n, num, den, without := len(s.Values), len(s.Numerators), len(s.Denominators), len(s.Without)
	switch s.Pooled {
	case "", PooledLargest:
		if num+den+without > 0 {
			return errors.New("numerators, denominators or quantiles of a figure that is not made from them")
		}
	case PooledRatio:
		if num != n || den != n || without > 0 {
			return fmt.Errorf("%d numerators and %d denominators for %d values", num, den, n)
		}
		if slices.ContainsFunc(s.Denominators, func(x float64) bool { return x < 0 }) || s.Mean != nil && n > 0 && !s.observed() {
			return errors.New("a ratio to nothing")
		}
	case PooledQuantile:
		if without != n || num+den > 0 {
			return fmt.Errorf("%d quantiles without a replication for %d values", without, n)
		}
	default:
		return fmt.Errorf("pooled as %q", s.Pooled)
	}
	return nil
}

func (s Series) check() error {
	if len(s.Offered) != len(s.Admitted) {
		return fmt.Errorf("%d bins offered, %d admitted", len(s.Offered), len(s.Admitted))
	}
	for _, column := range []struct {
		bins []int64
		what string
	}{
		{s.Offered, "offered"}, {s.Admitted, "admitted"}, {s.Inflight, "in flight"}, {s.Calls, "of calls"}, {s.Overspend, "of overspend"},
		{s.Stranded, "stranded"}, {s.Finished, "of jobs"}, {s.Retried, "of retries"}, {s.Limit, "of limits"}, {s.Probes, "of probes"},
	} {
		if n := len(column.bins); n != 0 && n != len(s.Offered) {
			return fmt.Errorf("%d bins offered, %d %s", len(s.Offered), n, column.what)
		}
		sum := int64(0)
		for i, n := range column.bins {
			if n < 0 {
				return fmt.Errorf("bin %d holds %d", i, n)
			}
			if sum += n; sum < 0 {
				return fmt.Errorf("the bins up to %d hold more than 2^63-1", i)
			}
		}
	}
	switch n := int64(len(s.Offered)); {
	case n > 0 && s.BinNs <= 0:
		return fmt.Errorf("bin_ns is %d", s.BinNs)
	case s.StartNs < 0 || n > 0 && s.BinNs > (math.MaxInt64-s.StartNs)/n: // a log may end in 2199
		return fmt.Errorf("%d bins of %d ns from %d do not lie between 0 and 2^63 ns", n, s.BinNs, s.StartNs)
	case !drawable(s.LimitPerBin) || s.LimitPerBin < 0:
		return fmt.Errorf("limit_per_bin is %v", s.LimitPerBin)
	}
	last := s.StartNs
	for i, c := range s.LimitChanges {
		if c.AtNs <= last || c.AtNs >= s.EndNs() || !drawable(c.LimitPerBin) || c.LimitPerBin < 0 {
			return fmt.Errorf("limit change %d is to %v at %d ns", i, c.LimitPerBin, c.AtNs)
		}
		last = c.AtNs
	}
	return nil
}

func (s Shares) check() error {
	for _, t := range s.Tenants {
		if t.Offered < 0 || t.Admitted < 0 || t.Rejected < 0 || !drawable(t.Fair) || t.Fair < 0 {
			return fmt.Errorf("tenant %q holds a number below zero or not finite", t.Tenant)
		}
	}
	return nil
}

func (s ClientShares) check() error {
	for _, c := range s.Clients {
		if c.Offered < 0 || c.Admitted < 0 || c.Rejected < 0 || !drawable(c.Fair) || c.Fair < 0 {
			return fmt.Errorf("client %d holds a number below zero or not finite", c.Client)
		}
	}
	return nil
}

func (r Rejections) check() error {
	if r.Refused < 0 || r.Seen < 0 {
		return fmt.Errorf("%d keys of %d are refused", r.Refused, r.Seen)
	}
	for _, k := range r.Keys {
		if k.Offered < 0 || k.Admitted < 0 || k.Rejected < 0 || k.Reference < 0 {
			return fmt.Errorf("key %q holds a count below zero", k.Key)
		}
	}
	return nil
}

func (h Histogram) check() error {
	sum := int64(0)
	for i, b := range h.Buckets {
		if sum += b.Count; b.Count >= 0 && sum < 0 {
			return fmt.Errorf("the buckets up to %d count more than 2^63-1", i)
		}
		if b.Lo < 0 || b.Hi <= b.Lo || b.Count < 0 {
			return fmt.Errorf("bucket %d is [%d, %d) with count %d", i, b.Lo, b.Hi, b.Count)
		}
		if i > 0 && b.Lo < h.Buckets[i-1].Hi {
			return fmt.Errorf("bucket %d starts at %d, inside the one before", i, b.Lo)
		}
	}
	return nil
}

// maxNs is the longest valid span: the sum of two still fits an int64.
const maxNs = 1 << 62

// drawable reports whether sums, products and axes of x stay finite. Values
// from a run are always drawable.
func drawable(x float64) bool { return math.Abs(x) <= 1e100 }
