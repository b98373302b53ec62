package counting

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var sampledAverageKind = kind{
	loose: true,
	entry: catalog.Entry{
		Name:    "sampled-average",
		Summary: "the average rate over a number of samples; rejects while it is above the limit",
		Idea: "Each key has `samples` samples of `sample_window` each. A sample begins with the first request after the previous sample was full, " +
			"and is dropped `samples` windows later. The average is the cost in all samples divided by the time since the oldest one began; " +
			"missing samples count as empty ones. A request is admitted if the average without it is within the limit, and then counts in full, " +
			"whatever its cost. Rejected requests do not count.",
		Bound: "over the averaged time, samples - 1 to samples windows, at most the limit plus the largest cost; " +
			"one large request keeps the average above the limit until its sample is dropped, even if a bucket would have paid it off earlier, " +
			"but never longer than that, whatever its cost",
		Source: "Apache Kafka: Rate and SampledStat of org.apache.kafka.common.metrics.stats, KIP-599",
		Fields: []catalog.Field{
			{Name: "samples", Kind: catalog.Int, Unit: "samples", Default: "11", Min: "2", Max: "10000", Doc: "number of samples in the average, including the current one"},
			{Name: "sample_window", Kind: catalog.Duration, Default: "1s", Min: "1us", Max: "15h", Doc: "time for which a sample collects cost"},
		},
		State: []catalog.Member{
			{Name: "samples", Unit: "samples", Doc: "samples in the average"},
			{Name: "sum", Unit: "cost", Doc: "cost in these samples"},
			{Name: "oldest_start_ns", Unit: "ns", Doc: "start of the oldest sample; `last_ns` if there is none"},
			{Name: "averaged_ns", Unit: "ns", Doc: "time by which the sum is divided"},
			{Name: "throttle_ns", Unit: "ns", Doc: "by how much the averaged time is too short for the sum; 0 if the average is within the limit"},
			lastMember,
		},
	},
	keyBytes: 40,
	make:     makerOf(optionsOf[SampledAverageOptions], NewSampledAverages),
	changing: changingSampledAverages,
}

// SampledAverageOptions are the options of a sampled average. The zero value is
// Kafka's default: 11 samples of one second.
type SampledAverageOptions struct {
	Samples int64 `option:"samples"`       // 2 to 10000; 0 means 11
	Window  int64 `option:"sample_window"` // ns for which a sample collects cost; 0 means one second
}

// Check returns an error if an average cannot be made of these options.
func (o SampledAverageOptions) Check(limit Limit) error {
	return cmp.Or(
		limit.withBurst(0).Check(),
		catalog.ErrorIf(o.Samples != 0 && (o.Samples < 2 || o.Samples > 10000),
			"%d samples are outside 2 to 10000", o.Samples),
		catalog.ErrorIf(o.Window < 0 || o.Window > maxSpan/20000,
			"sample window of %d ns is outside 1 to %d", o.Window, maxSpan/20000),
	)
}

// sample is the cost counted from start on.
type sample struct{ start, value int64 }

// averageState holds one key's samples, oldest first, and their sum.
type averageState struct {
	samples []sample
	sum     int64
	last    int64 // latest time seen
}

// averageRule holds the options without defaults to fill in.
type averageRule struct {
	SampledAverageOptions
	limit, period int64 // limit units of cost per period ns
}

func newAverageRule(limit Limit, o SampledAverageOptions) averageRule {
	must(o.Check(limit))
	o.Samples, o.Window = cmp.Or(o.Samples, 11), cmp.Or(o.Window, 1e9)
	return averageRule{o, limit.Count, limit.Window}
}

// expiry returns the time from which on a sample no longer counts.
func (r *averageRule) expiry(s *sample) int64 {
	return integers.Add(s.start, r.Samples*r.Window)
}

// live returns the samples that count at now, and their sum.
func (r *averageRule) live(s *averageState, now int64) ([]sample, int64) {
	first := 0
	for first < len(s.samples) && r.expiry(&s.samples[first]) <= now {
		first++
	}
	if first == 0 {
		return s.samples, s.sum
	}
	sum := int64(0)
	for i := first; i < len(s.samples); i++ {
		sum = integers.Add(sum, s.samples[i].value)
	}
	return s.samples[first:], sum
}

// averaged returns the time over which the samples are averaged, if the oldest
// began elapsed ns ago. Up to samples - 1 missing windows are added as empty
// ones. Until there are enough samples, the result therefore grows from
// samples - 1 to samples windows and falls back, again and again.
func (r *averageRule) averaged(elapsed int64) int64 {
	if missing := r.Samples - 1 - elapsed/r.Window; missing > 0 {
		elapsed += missing * r.Window
	}
	return elapsed
}

// due returns the ns in which the limit grants sum, rounded up.
func (r *averageRule) due(sum int64) int64 {
	return integers.MulDivUp(sum, r.period, r.limit, Never)
}

// throttle returns how much longer the averaged time would have to be for the
// sum to be within the limit: (average - limit)/limit times that time, or 0 if
// the average is within the limit.
func (r *averageRule) throttle(samples []sample, sum, now int64) int64 {
	if len(samples) == 0 {
		return 0
	}
	return max(0, r.due(sum)-r.averaged(now-samples[0].start))
}

func (r *averageRule) take(s *averageState, now, cost int64) Verdict {
	now = max(now, s.last)
	s.last = now
	if live, sum := r.live(s, now); len(live) < len(s.samples) {
		s.samples, s.sum = s.samples[:copy(s.samples, live)], sum
	}
	if cost <= 0 {
		return Admitted
	}
	if r.throttle(s.samples, s.sum, now) > 0 {
		return Rejected
	}
	r.count(s, now, cost)
	return Admitted
}

// count adds cost to the current sample, or to a new one if that is full.
func (r *averageRule) count(s *averageState, now, cost int64) {
	n := len(s.samples)
	if n == 0 || now-s.samples[n-1].start >= r.Window {
		s.samples = append(s.samples, sample{start: now})
		n++
	}
	c := &s.samples[n-1]
	c.value = integers.Add(c.value, cost)
	s.sum = integers.Add(s.sum, cost)
}

// level returns the cost by which the average may still grow, and 1 for the
// request that takes it above the limit. It is 0 or less if no request is
// admitted.
func (r *averageRule) level(s *averageState, now int64) int64 {
	now = max(now, s.last)
	samples, sum := r.live(s, now)
	elapsed := int64(0)
	if len(samples) > 0 {
		elapsed = now - samples[0].start
	}
	return integers.MulDiv(r.limit, r.averaged(elapsed), r.period, Never-1) - sum + 1
}

func (*averageRule) largest() int64 { return Never }

// retryAt follows the average through the times at which samples are dropped.
// Between two of these the average falls while the averaged time grows, and rises
// when the averaged time falls back.
func (r *averageRule) retryAt(s *averageState, asked, _ int64) int64 {
	now := max(asked, s.last)
	samples, sum := r.live(s, now)
	if r.throttle(samples, sum, now) == 0 {
		return asked
	}
	for at := now; ; {
		oldest := &samples[0]
		gone := r.expiry(oldest)
		if x, ok := r.reaches(at-oldest.start, r.due(sum)); ok && x < gone-oldest.start {
			return oldest.start + x
		}
		if gone == Never {
			return Never
		}
		at = gone
		if samples, sum = r.live(s, at); len(samples) == 0 {
			return at
		}
	}
}

// reaches returns the least elapsed time, from the given one on, at which the
// averaged time is at least need.
func (r *averageRule) reaches(elapsed, need int64) (int64, bool) {
	full := (r.Samples - 1) * r.Window
	switch {
	case need == Never:
		return 0, false
	case elapsed >= full || need >= full+r.Window:
		return max(elapsed, need), true
	}
	return max(elapsed, elapsed-elapsed%r.Window+need-full), true
}

func (r *averageRule) fields(s *averageState) []StateField {
	samples, sum := r.live(s, s.last)
	oldest := s.last
	if len(samples) > 0 {
		oldest = samples[0].start
	}
	return []StateField{
		{"samples", int64(len(samples))}, {"sum", sum}, {"oldest_start_ns", oldest}, {"averaged_ns", r.averaged(s.last - oldest)},
		{"throttle_ns", r.throttle(samples, sum, s.last)}, {"last_ns", s.last},
	}
}
