package counting

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var traefikBucketKind = kind{
	entry: catalog.Entry{
		Name:    "traefik-bucket",
		With:    []string{"with a burst"},
		Queues:  true,
		Summary: "Traefik's RateLimit: a bucket for which a request waits up to half a second, and that is forgotten some seconds after its last request",
		Idea: "A request is charged at once and waits until its token has been earned, at most 500 ms below one request a second, otherwise 1 s/(2*floor(rate)); one that would wait longer is refused and charged nothing. " +
			"A key is forgotten when the second of its latest request, refused or not, lies `ttl` seconds back: 2 s from one request a second on, otherwise 1 s + floor(1/rate). It then has a full bucket again.",
		Bound:  "burst + rate*t + 1 in any t seconds of a key that is not forgotten; with pauses of ttl seconds a whole burst each time, so a burst above (ttl - 1)*rate is not kept",
		Source: "Traefik 3.7.13, pkg/middlewares/ratelimiter (rate_limiter.go, in_memory_limiter.go); golang.org/x/time/rate, which counts in floats: here all is exact",
		Fields: []catalog.Field{
			{Name: "burst", Kind: catalog.Int, Unit: "requests", Min: "1", Doc: "depth of the bucket (default: the policy's burst)"},
		},
		State: append(slices.Clone(tokenBucketKind.entry.State), catalog.Member{Name: "seen_s", Unit: "s", Doc: "second of the latest request; -1 before the first one"}),
	},
	keyBytes: 24,
	make: makerOf(func(limit Limit, v catalog.Values) TraefikBucketOptions {
		return TraefikBucketOptions{Burst: burstOf(limit, v)}
	}, NewTraefikBuckets),
	changing: func(t any, limits []Limit, v catalog.Values) (setLimit, error) {
		table := t.(*TraefikBuckets)
		return func(i int, _ int64) {
			table.rule = newTraefikRule(limits[i], TraefikBucketOptions{Burst: burstOf(limits[i], v)})
			clear(table.state)
		}, nil
	},
	waiting: func(limit Limit, _ catalog.Values) *Waiting { return &Waiting{Time: traefikWait(limit)} },
}

// TraefikBucketOptions are the options of buckets as Traefik counts them.
type TraefikBucketOptions struct {
	Burst int64 // requests, at least 1
	Redis bool  // a Redis holds the buckets, which forgets a key ttl after its latest request to the ms
}

// Check returns an error if the limit cannot be counted exactly.
func (o TraefikBucketOptions) Check(limit Limit) error {
	empty := catalog.ErrorIf(o.Burst < 1, "buckets of Traefik hold at least one request")
	return cmp.Or(empty, TokenBucketOptions{Burst: o.Burst}.Check(limit))
}

// traefikRate returns the rate in requests a second, rounded down.
func traefikRate(limit Limit) int64 { return integers.MulDiv(limit.Count, 1e9, limit.Window, 1e18) }

// traefikWait returns the longest wait of a request in ns.
func traefikWait(limit Limit) int64 {
	if rate := traefikRate(limit); rate >= 1 {
		return 1e9 / (2 * rate)
	}
	return 500e6
}

// traefikState is a key's bucket, and the second, or of Redis the ms, after that of its
// latest request; 0 without one.
type traefikState struct {
	bucketState
	seen int64
}

type traefikRule struct {
	bucketRule
	longest, ttl int64 // wait in ns; s, or ms of Redis
	redis        bool
}

// tick returns the second of a time, or of Redis the ms.
func (r *traefikRule) tick(now int64) int64 {
	if r.redis {
		return now / 1e6
	}
	return now / 1e9
}

func newTraefikRule(limit Limit, o TraefikBucketOptions) traefikRule {
	must(o.Check(limit))
	r := traefikRule{bucketRule: newTokenBucketRule(limit, TokenBucketOptions{Burst: o.Burst}), longest: traefikWait(limit), ttl: 2, redis: o.Redis}
	if traefikRate(limit) < 1 {
		r.ttl = 1 + limit.Window/(limit.Count*1e9)
	}
	if r.redis { // which still has a key in the ms in which its time is over
		r.ttl = r.ttl*1000 + 1
	}
	return r
}

// at returns the state as it is at now: refilled, or forgotten.
func (r *traefikRule) at(s traefikState, now int64) traefikState {
	if s.seen > 0 && r.tick(now) >= s.seen-1+r.ttl {
		return traefikState{bucketState: bucketState{last: now}}
	}
	s.bucketState = r.bucketRule.at(s.bucketState, now)
	return s
}

// waits returns how long a request of this cost would wait, in ns, rounded down.
func (r *traefikRule) waits(s traefikState, cost int64) int64 {
	return max(s.missing+integers.Mul(cost, r.p, maxDebt)-r.depth, 0) / r.n
}

func (r *traefikRule) queue(s *traefikState, now, cost int64) (Verdict, int64) {
	*s = r.at(*s, now)
	s.seen = max(s.seen, r.tick(now)+1)
	wait := r.waits(*s, max(cost, 0))
	if cost > r.maxCost || cost > 0 && wait > r.longest {
		return Rejected, now
	}
	s.missing += max(cost, 0) * r.p
	return Admitted, integers.Add(now, wait)
}

func (r *traefikRule) level(s *traefikState, now int64) int64 {
	at := r.at(*s, now)
	return max(0, (r.depth-at.missing+integers.Mul(r.longest, r.n, maxDebt)+r.n-1)/r.p)
}

func (r *traefikRule) largest() int64 { return r.maxCost }

func (r *traefikRule) retryAt(s *traefikState, now, cost int64) int64 {
	at := r.at(*s, now)
	over := at.missing + cost*r.p - r.depth - integers.Mul(r.longest, r.n, maxDebt) - (r.n - 1)
	if over <= 0 {
		return now
	}
	earned := integers.Add(max(now, at.last), integers.CeilDiv(over, r.n))
	return max(now, min(earned, integers.Mul(s.seen-1+r.ttl, 1e9/r.tick(1e9), Never)))
}

func (r *traefikRule) fields(s *traefikState) []StateField {
	return append(r.bucketRule.fields(&s.bucketState), StateField{"seen_s", s.seen - 1})
}

// TraefikBuckets is a table of buckets as Traefik counts them. It takes 24 bytes per key. A
// change of the limit is a new configuration, after which every key has a full bucket.
type TraefikBuckets struct {
	states[traefikState, traefikRule, *traefikRule]
}

var _ Queue = (*TraefikBuckets)(nil)

// NewTraefikBuckets returns full buckets for keys 0 to keys-1. It panics if o.Check(limit)
// fails.
func NewTraefikBuckets(limit Limit, o TraefikBucketOptions, keys int) *TraefikBuckets {
	return &TraefikBuckets{newStates[traefikState](newTraefikRule(limit, o), keys)}
}

// Take decides one request.
func (t *TraefikBuckets) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	return t.rule.queue(&t.state[key], now, cost)
}
