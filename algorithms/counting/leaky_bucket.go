package counting

import (
	"cmp"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var leakyBucketKind = kind{
	entry: catalog.Entry{
		Name:    "leaky-bucket",
		With:    []string{"with a burst"},
		Queues:  true,
		Summary: "a queue that drains at the limit's rate, like nginx limit_req: delays requests above the rate and rejects those beyond the burst",
		Idea: "Each key has a backlog that drains at the limit's rate. A request that finds a backlog of b requests exceeds the rate by b + cost - 1. " +
			"If this excess is above `burst`, the request is rejected. Otherwise it joins the backlog and is dispatched when the backlog before it has drained. " +
			"With `delay: N` the first N excess requests are dispatched at once, with `nodelay` all of them.",
		Bound: "what leaves conforms to a token bucket of depth `delay` + 1 (1 with `delay: off`, `burst` + 1 with `nodelay`): admitted cost in any span of t seconds is at most " +
			"delay + the largest cost + rate*t; the wait is at most (burst - delay)/rate",
		Source: "nginx, ngx_http_limit_req_module: limit_req (burst, delay, nodelay); J. Turner, New directions in communications, IEEE Communications Magazine 24(10), 1986",
		Fields: []catalog.Field{
			{Name: "burst", Kind: catalog.Int, Unit: "requests", Min: "0", Doc: "largest excess that is admitted (default: the policy's burst)"},
			{Name: "delay", Kind: catalog.IntOrEnum, Unit: "requests", Default: "off", Enum: []string{"off"}, Min: "0",
				Doc: "excess up to which requests are not delayed; off delays all excess requests"},
			{Name: "nodelay", Kind: catalog.Bool, Default: "false", Doc: "dispatch the whole burst at once, without delay"},
		},
		State: []catalog.Member{
			{Name: "backlog_units", Unit: "units", Doc: "backlog of the queue, including the request in service"},
			tokenMember,
			{Name: "leak_units_per_ns", Unit: "units/ns", Doc: "rate at which the backlog leaks"},
			{Name: "capacity_units", Unit: "units", Doc: "largest backlog: the burst and one request"},
			lastMember,
		},
	},
	keyBytes: 16,
	make:     makerOf(LeakyBucketOptionsOf, NewLeakyBuckets),
	changing: changingLeakyBuckets,
	waiting: func(limit Limit, v catalog.Values) *Waiting {
		o := LeakyBucketOptionsOf(limit, v)
		if o.NoDelay {
			return nil
		}
		return &Waiting{Time: Never, Queue: true, Burst: o.Burst, Delay: o.Delay, LimitsBurst: !v.Set("burst")}
	},
	worst: worstLeakyBucket,
}

// LeakyBucketOptions are the options of a leaky bucket. The zero value has no
// burst: it delays nothing and rejects every request above the rate.
type LeakyBucketOptions struct {
	Burst   int64 // largest excess, in requests; Limit.Burst is not used
	Delay   int64 // excess up to which a request is not delayed
	NoDelay bool  // delay no request; Delay is then not used
	both    bool  // delay and nodelay are set, which is an error
}

// LeakyBucketOptionsOf reads the options from bound fields.
func LeakyBucketOptionsOf(limit Limit, v catalog.Values) LeakyBucketOptions {
	o := LeakyBucketOptions{Burst: burstOf(limit, v), NoDelay: v.Bool("nodelay")}
	if n, word := v.IntOr("delay"); word == "" && v.Set("delay") {
		o.Delay, o.both = n, o.NoDelay
	}
	return o
}

func (o LeakyBucketOptions) exclusive() error {
	return catalog.ErrorIf(o.both, "delay and nodelay exclude each other")
}

// Check returns an error if a leaky bucket cannot be made of these options.
func (o LeakyBucketOptions) Check(limit Limit) error {
	return cmp.Or(
		o.exclusive(),
		catalog.ErrorIf(o.Burst < 0 || o.Burst == math.MaxInt64, "burst of %d requests is out of range", o.Burst),
		catalog.ErrorIf(o.Delay < 0, "delay of %d requests is negative", o.Delay),
		limit.withBurst(o.Burst+1).Check(), // the backlog holds the burst and the one request that is being served
	)
}

// leakyRule is the rule of a bucket whose missing tokens are the backlog: at
// most burst + 1 requests.
type leakyRule struct {
	bucketRule
	free int64 // backlog that causes no delay, in requests
}

func newLeakyRule(limit Limit, o LeakyBucketOptions) leakyRule {
	must(o.Check(limit))
	r := leakyRule{bucketRule: newBucketRule(limit.withBurst(o.Burst + 1))}
	r.free = min(o.Delay, r.maxCost)
	if o.NoDelay {
		r.free = r.maxCost
	}
	return r
}

func (r *leakyRule) queue(s *bucketState, now, cost int64) (Verdict, int64) {
	*s = r.at(*s, now)
	backlog := s.missing
	if !r.take(s, s.last, cost).Admitted() {
		return Rejected, s.last
	}
	return Admitted, integers.Add(s.last, integers.CeilDiv(max(backlog-r.free*r.p, 0), r.n))
}

// level rounds towards zero. It is negative after the limit was lowered below the
// backlog.
func (r *leakyRule) level(s *bucketState, now int64) int64 {
	return (r.depth - r.at(*s, now).missing) / r.p
}

func (r *leakyRule) fields(s *bucketState) []StateField {
	return []StateField{
		{"backlog_units", s.missing},
		{"units_per_token", r.p},
		{"leak_units_per_ns", r.n},
		{"capacity_units", r.depth},
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
	states[bucketState, leakyRule, *leakyRule]
}

var _ Queue = (*LeakyBuckets)(nil)

// NewLeakyBuckets returns empty queues for keys 0 to keys-1. It panics if
// o.Check(limit) fails.
func NewLeakyBuckets(limit Limit, o LeakyBucketOptions, keys int) *LeakyBuckets {
	return &LeakyBuckets{newStates[bucketState](newLeakyRule(limit, o), keys)}
}

// Take decides one request.
func (t *LeakyBuckets) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	return t.rule.queue(&t.state[key], now, cost)
}
