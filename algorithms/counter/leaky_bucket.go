package counter

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var leakyBucketKind = kind{
	entry: catalog.Entry{
		Name:    "leaky-bucket",
		Queues:  true,
		Summary: "a queue that drains at the limit's rate, like nginx limit_req: delays requests above the rate and rejects those beyond the burst",
		Idea: "Each key has a backlog that drains at the limit's rate. A request that finds a backlog of b requests exceeds the rate by b + cost - 1. " +
			"If this excess is above `burst`, the request is rejected. Otherwise it joins the backlog and is dispatched when the backlog before it has drained. " +
			"With `delay: N` the first N excess requests are dispatched at once, with `nodelay` all of them.",
		Bound:  "admitted cost in any span of t seconds is at most the largest cost + rate*t when requests are delayed, and burst + 1 + rate*t with nodelay; the wait is at most burst/rate",
		Source: "nginx, ngx_http_limit_req_module: limit_req (burst, delay, nodelay); J. Turner, New directions in communications, IEEE Communications Magazine 24(10), 1986",
		Fields: []catalog.Field{
			{Name: "burst", Kind: catalog.Int, Unit: "requests", Min: "0", Doc: "largest excess that is admitted (default: the policy's burst)"},
			{Name: "delay", Kind: catalog.IntOrEnum, Unit: "requests", Default: "off", Enum: []string{"off"}, Min: "0",
				Doc: "excess up to which requests are not delayed; off delays all excess requests"},
			{Name: "nodelay", Kind: catalog.Bool, Default: "false", Doc: "dispatch the whole burst at once, without delay"},
		},
	},
	queue: func(limit Limit, v catalog.Values, keys int) (Queue, error) {
		o, err := LeakyBucketOptionsOf(limit, v)
		if err != nil {
			return nil, err
		}
		if err := o.Check(limit); err != nil {
			return nil, err
		}
		return NewLeakyBuckets(limit, o, keys), nil
	},
	changing: changingLeakyBuckets,
}

// LeakyBucketOptions are the options of a leaky bucket. The zero value has no
// burst: it delays nothing and rejects every request above the rate.
type LeakyBucketOptions struct {
	Burst   int64 // largest excess, in requests; Limit.Burst is not used
	Delay   int64 // excess up to which a request is not delayed
	NoDelay bool  // delay no request; Delay is then not used
}

// LeakyBucketOptionsOf reads the options from bound fields. It returns an error
// if both delay and nodelay are set.
func LeakyBucketOptionsOf(limit Limit, v catalog.Values) (LeakyBucketOptions, error) {
	o := LeakyBucketOptions{Burst: burstOf(limit, v), NoDelay: v.Bool("nodelay")}
	n, word := v.IntOr("delay")
	if delayed := word == "" && v.Set("delay"); delayed {
		if o.NoDelay {
			return o, fmt.Errorf("delay and nodelay exclude each other")
		}
		o.Delay = n
	}
	return o, nil
}

// Check returns an error if a leaky bucket cannot be made of these options.
func (o LeakyBucketOptions) Check(limit Limit) error {
	if o.Burst < 0 || o.Burst == math.MaxInt64 {
		return fmt.Errorf("burst of %d requests is out of range", o.Burst)
	}
	if o.Delay < 0 {
		return fmt.Errorf("delay of %d requests is negative", o.Delay)
	}
	// The backlog holds the burst and the one request that is being served.
	return limit.withBurst(o.Burst + 1).Check()
}

// leakyState is one key's backlog at the time last, in units.
type leakyState struct {
	backlog int64
	last    int64
}

type leakyRule struct {
	n, p     int64
	capacity int64 // largest backlog, in units: burst + 1 requests
	maxCost  int64 // burst + 1; a larger cost is always rejected
	free     int64 // backlog that causes no delay, in units
	longest  int64
}

func newLeakyRule(limit Limit, o LeakyBucketOptions) leakyRule {
	must(o.Check(limit))
	n, p := limit.Rate()
	r := leakyRule{n: n, p: p, capacity: (o.Burst + 1) * p, maxCost: o.Burst + 1, longest: math.MaxInt64 / n}
	r.free = min(o.Delay, r.maxCost) * p
	if o.NoDelay {
		r.free = r.capacity
	}
	return r
}

// at returns the backlog as it has drained by now.
func (r *leakyRule) at(s leakyState, now int64) leakyState {
	elapsed := now - s.last
	if uint64(elapsed) > uint64(r.longest) {
		now, elapsed = irregular(s.last, now, r.longest)
	}
	return leakyState{backlog: max(s.backlog-elapsed*r.n, 0), last: now}
}

func (r *leakyRule) take(s *leakyState, now, cost int64) (Verdict, int64) {
	*s = r.at(*s, now)
	if cost > r.maxCost || cost > 0 && s.backlog+cost*r.p > r.capacity {
		return Rejected, s.last
	}
	wait := integers.CeilDiv(max(s.backlog-r.free, 0), r.n)
	s.backlog += max(cost, 0) * r.p
	return Admitted, integers.Add(s.last, wait)
}

func (r *leakyRule) level(s leakyState, now int64) int64 {
	return (r.capacity - r.at(s, now).backlog) / r.p
}

func (r *leakyRule) retryAt(s leakyState, now, cost int64) int64 {
	switch {
	case cost <= 0:
		return now
	case cost > r.maxCost:
		return Never
	}
	s = r.at(s, now)
	over := s.backlog + cost*r.p - r.capacity
	if over <= 0 {
		return now
	}
	return integers.Add(s.last, integers.CeilDiv(over, r.n))
}

func (r *leakyRule) state(s leakyState) []StateField {
	return []StateField{
		{"backlog_units", s.backlog},
		{"units_per_token", r.p},
		{"leak_units_per_ns", r.n},
		{"capacity_units", r.capacity},
		{"last_ns", s.last},
	}
}

// LeakyBuckets is a table of queues. It takes 16 bytes per key.
//
// A request that finds a backlog of b requests (exact, with fractions) is
// rejected if b + cost - 1 > burst. Otherwise its cost joins the backlog and it
// is dispatched at the first whole nanosecond at which the backlog before it is
// down to Delay requests, or at once with NoDelay. Cost 0 is always admitted and
// waits in the queue. The requests of a key are dispatched in the order of their
// arrival. Times are nanoseconds, 0 or later.
type LeakyBuckets struct {
	rule  leakyRule
	state []leakyState
}

var _ Queue = (*LeakyBuckets)(nil)

// NewLeakyBuckets returns empty queues for keys 0 to keys-1. It panics if
// o.Check(limit) fails.
func NewLeakyBuckets(limit Limit, o LeakyBucketOptions, keys int) *LeakyBuckets {
	return &LeakyBuckets{rule: newLeakyRule(limit, o), state: make([]leakyState, keys)}
}

// Take decides one request.
func (t *LeakyBuckets) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	return t.rule.take(&t.state[key], now, cost)
}

// Level returns the largest cost that the key could admit at now.
func (t *LeakyBuckets) Level(key int32, now int64) int64 { return t.rule.level(t.state[key], now) }

// RetryAt returns the earliest time at which this cost would be admitted, or Never.
func (t *LeakyBuckets) RetryAt(key int32, now, cost int64) int64 {
	return t.rule.retryAt(t.state[key], now, cost)
}

// State returns the key's state as named numbers.
func (t *LeakyBuckets) State(key int32) []StateField { return t.rule.state(t.state[key]) }
