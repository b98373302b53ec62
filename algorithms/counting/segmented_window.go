package counting

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var segmentedWindowKind = kind{
	calendar: true,
	entry: catalog.Entry{
		Name:    "segmented-window",
		Summary: "counts the cost in segments and rejects what would exceed the limit in the last few of them",
		Idea: "The limit's period is divided into `segments` of equal length, which start at the multiples of that length, counted from time 0. " +
			"A request is admitted if the cost admitted in its own segment and in the ones before it, as many as make a period, does not exceed the limit with its own cost. " +
			"No segment is weighted: when one ends, the oldest is forgotten as a whole.",
		Bound: "at most the limit in each period of whole segments, but up to twice the limit in little more than the time between two of them: a burst at the end of a segment, " +
			"and another when it is forgotten",
		Source: "alibaba/Sentinel, LeapArray (two segments of 500 ms by default); .NET, System.Threading.RateLimiting.SlidingWindowRateLimiter (SegmentsPerWindow)",
		Fields: []catalog.Field{
			{Name: "segments", Kind: catalog.Int, Unit: "segments", Default: "2", Min: "2", Max: "1000", Doc: "number of segments in a period, each of whole ns, rounded up"},
		},
		State: []catalog.Member{
			{Name: "segment_start_ns", Unit: "ns", Doc: "start of the segment of the latest `take`"},
			{Name: "segment_ns", Unit: "ns", Doc: "length of a segment"},
			{Name: "current", Unit: "cost", Doc: "cost counted in this segment"},
			{Name: "count", Unit: "cost", Doc: "cost counted in it and in those before it that still count"},
			limitMember,
		},
	},
	keyBytes: 40,
	make:     makerOf(optionsOf[SegmentOptions], NewSegmentedWindows),
	changing: changingWindows,
}

// SegmentOptions are the options of a window of segments.
type SegmentOptions struct {
	Segments int64 `option:"segments"` // 2 to 1000
}

// Check returns an error if limit.Count or limit.Window is outside 1 to 2^60, or Segments
// is outside its range.
func (o SegmentOptions) Check(limit Limit) error {
	outside := catalog.ErrorIf(o.Segments < 2 || o.Segments > 1000, "%d segments are outside 2 to 1000", o.Segments)
	return cmp.Or(outside, limit.withBurst(0).Check())
}

// segmentState holds one key's counts: counts[i%n] is that of segment i, from latest-n+1 to
// latest. The zero state has none.
type segmentState struct {
	latest, total int64
	counts        []int64
}

type segmentRule struct {
	windowRule
	n, length int64
}

// drop returns the cost at now, and the number of its segment: without that of segments
// that no longer count. An earlier now belongs to the latest segment.
func (r *segmentRule) drop(s *segmentState, now int64) (total, segment int64) {
	segment, total = max(now/r.length, s.latest), s.total
	for i := s.latest - r.n + 1; i <= min(segment-r.n, s.latest); i++ {
		total -= *s.at(i)
	}
	return total, segment
}

// at returns the count of a segment that is not older than n-1 before the latest. Before
// the first request, and before time 0, it is that of none.
func (s *segmentState) at(segment int64) *int64 {
	if s.counts == nil || segment < 0 {
		return new(int64)
	}
	return &s.counts[segment%int64(len(s.counts))]
}

// move drops what no longer counts at now.
func (r *segmentRule) move(s *segmentState, now int64) {
	if s.counts == nil {
		s.counts = make([]int64, r.n)
	}
	total, segment := r.drop(s, now)
	for i := max(s.latest, segment-r.n) + 1; i <= segment; i++ {
		*s.at(i) = 0
	}
	s.total, s.latest = total, segment
}

func (r *segmentRule) take(s *segmentState, now, cost int64) Verdict {
	r.move(s, now)
	switch {
	case cost <= 0:
		return Admitted
	case cost > r.limit-s.total:
		return Rejected
	}
	*s.at(s.latest) += cost
	s.total += cost
	return Admitted
}

func (r *segmentRule) level(s *segmentState, now int64) int64 {
	total, _ := r.drop(s, now)
	return max(r.limit-total, 0)
}

// retryAt looks at the starts of the segments in which older ones are dropped.
func (r *segmentRule) retryAt(s *segmentState, now, cost int64) int64 {
	total, segment := r.drop(s, now)
	for at := now; ; at = integers.Mul(segment, r.length, Never) {
		if cost <= r.limit-total {
			return at
		}
		segment++
		total -= *s.at(segment - r.n)
	}
}

func (r *segmentRule) fields(s *segmentState) []StateField {
	return []StateField{{"segment_start_ns", s.latest * r.length}, {"segment_ns", r.length}, {"current", *s.at(s.latest)}, {"count", s.total}, {"limit", r.limit}}
}

func (r *segmentRule) correct(s *segmentState, now, taken, tokens int64, debt bool) {
	r.move(s, now)
	segment := s.latest
	if tokens < 0 {
		if segment = taken / r.length; segment <= s.latest-r.n || segment > s.latest {
			return
		}
		tokens = max(tokens, -*s.at(segment))
	} else {
		tokens = min(cut(tokens, r.limit-s.total, debt), Never-s.total)
	}
	*s.at(segment) += tokens
	s.total += tokens
}

func (r *segmentRule) countsUntil(taken int64) int64 {
	return integers.Mul(taken/r.length+r.n, r.length, Never)
}

// SegmentedWindows is a table of windows of segments. It takes 40 bytes per key, and 8 per
// segment of a key with requests.
type SegmentedWindows struct {
	correctable[segmentState, segmentRule, *segmentRule]
}

var _ Table = (*SegmentedWindows)(nil)

// NewSegmentedWindows returns a table of empty windows for keys 0 to keys-1. It panics if
// o.Check(limit) fails.
func NewSegmentedWindows(limit Limit, o SegmentOptions, keys int) *SegmentedWindows {
	must(o.Check(limit))
	rule := segmentRule{newWindowRule(limit, WindowOptions{}), o.Segments, integers.CeilDiv(limit.Window, o.Segments)}
	return &SegmentedWindows{newCorrectable[segmentState](rule, keys)}
}

// TakeBlock decides the requests of a block in order.
func (t *SegmentedWindows) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	for i := range verdicts {
		verdicts[i] = t.rule.take(&t.state[keys[i]], times[i], costs[i])
	}
}

// Take decides one request.
func (t *SegmentedWindows) Take(key int32, now, cost int64) Verdict {
	return t.rule.take(&t.state[key], now, cost)
}
