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
		Summary: "a queue that drains at the limit's rate, as nginx limit_req: delays what comes too fast, refuses beyond the burst",
		Idea: "Every key owns a backlog that leaks at the limit's rate. A request that finds a backlog of b requests exceeds the rate by b + cost - 1; " +
			"it is refused when that is above `burst`, else it joins the backlog and is let through once the backlog before it has drained. " +
			"`delay: N` lets the first N excess requests through at once, `nodelay` all of them.",
		Bound:  "admitted cost in any span of t seconds is at most the largest cost + rate*t when requests are delayed, burst + 1 + rate*t with nodelay; the wait is at most burst/rate",
		Source: "nginx, ngx_http_limit_req_module: limit_req (burst, delay, nodelay); J. Turner, New directions in communications, IEEE Communications Magazine 24(10), 1986",
		Fields: []catalog.Field{
			{Name: "burst", Kind: catalog.Int, Unit: "requests", Min: "0", Doc: "excess beyond which requests are refused; the policy's burst unless given"},
			{Name: "delay", Kind: catalog.IntOrEnum, Unit: "requests", Default: "off", Enum: []string{"off"}, Min: "0",
				Doc: "excess up to which requests are not delayed; off delays all excess"},
			{Name: "nodelay", Kind: catalog.Bool, Default: "false", Doc: "delay nothing: let the whole burst through at once"},
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

// LeakyBucketOptions are what a leaky bucket has beside its limit.
type LeakyBucketOptions struct {
	Burst   int64 // largest excess in requests (Limit.Burst is not read)
	Delay   int64 // excess up to which a request is not delayed
	NoDelay bool  // delay nothing; Delay is not read
}

// LeakyBucketOptionsOf reads the options from bound fields.
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

// Check says whether a leaky bucket can be made of these options.
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

// leakyState is one key's backlog in units as of the instant last.
type leakyState struct {
	backlog int64
	last    int64
}

type leakyRule struct {
	n, p     int64
	capacity int64 // units the backlog may hold: burst + 1 requests
	maxCost  int64 // burst + 1: a larger cost is refused
	free     int64 // units of backlog that delay nobody
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

// at is the backlog as it will have leaked by now.
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

// LeakyBucket is one queue. A request that finds a backlog of b requests
// (exact, fractions included) is refused when b + cost - 1 > burst; else it is
// dispatched once the backlog before it is down to Delay requests, on the next
// whole nanosecond, and adds its cost to the backlog. With NoDelay it is
// dispatched at once. Cost 0 is always admitted and waits in line. Dispatches
// are first in, first out. Instants are nanoseconds from 0 on.
type LeakyBucket struct {
	rule  leakyRule
	state leakyState
}

// NewLeakyBucket panics if o.Check(limit) fails.
func NewLeakyBucket(limit Limit, o LeakyBucketOptions) *LeakyBucket {
	return &LeakyBucket{rule: newLeakyRule(limit, o)}
}

// Take decides one request and says when it is dispatched.
func (b *LeakyBucket) Take(now, cost int64) (v Verdict, dispatch int64) {
	return b.rule.take(&b.state, now, cost)
}

// Level is the largest cost that would be accepted at now.
func (b *LeakyBucket) Level(now int64) int64 { return b.rule.level(b.state, now) }

// RetryAt is the earliest instant from now on at which a request of this cost
// would be accepted, or Never.
func (b *LeakyBucket) RetryAt(now, cost int64) int64 { return b.rule.retryAt(b.state, now, cost) }

// LeakyBuckets is a table of leaky buckets, 16 bytes a key.
type LeakyBuckets struct {
	rule  leakyRule
	state []leakyState
}

var _ Queue = (*LeakyBuckets)(nil)

// NewLeakyBuckets panics if o.Check(limit) fails.
func NewLeakyBuckets(limit Limit, o LeakyBucketOptions, keys int) *LeakyBuckets {
	return &LeakyBuckets{rule: newLeakyRule(limit, o), state: make([]leakyState, keys)}
}

func (t *LeakyBuckets) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	return t.rule.take(&t.state[key], now, cost)
}
func (t *LeakyBuckets) Level(key int32, now int64) int64 { return t.rule.level(t.state[key], now) }
func (t *LeakyBuckets) RetryAt(key int32, now, cost int64) int64 {
	return t.rule.retryAt(t.state[key], now, cost)
}
func (t *LeakyBuckets) State(key int32) []StateField { return t.rule.state(t.state[key]) }
