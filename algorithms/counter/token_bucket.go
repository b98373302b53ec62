package counter

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var tokenBucketKind = kind{
	entry: catalog.Entry{
		Name:    "token-bucket",
		Summary: "a bucket that refills at the limit's rate; a request takes its cost or is refused",
		Idea: "Every key owns a bucket of `burst` tokens that refills continuously at the limit's rate and stops when full. " +
			"A request is admitted when the bucket holds its cost, and takes it. With `debt` a request is admitted while the level is " +
			"not negative and then subtracts its whole cost, so that the bucket remembers what was let through too much. " +
			"A key's bucket is created, with its initial level, by the first request for it.",
		Bound:  "admitted cost in any span of t seconds is at most burst + rate*t; with debt, at most burst + rate*t plus the largest cost",
		Source: "J. Turner, New directions in communications, IEEE Communications Magazine 24(10), 1986; RFC 2697 and RFC 2698 (meters); RFC 3290 section 5.1.3 and appendix A (debt is its loose conformance)",
		Fields: []catalog.Field{
			burstField,
			{Name: "debt", Kind: catalog.Bool, Default: "false", Doc: "admit while the level is not negative, then subtract the whole cost: the level may go below zero"},
			{Name: "initial", Kind: catalog.IntOrEnum, Unit: "tokens", Default: "full", Enum: []string{"full", "empty"}, Min: "0",
				Doc: "the level of a key's bucket when the first request for the key arrives"},
		},
	},
	table: func(limit Limit, v catalog.Values, keys int) (Table, error) {
		o := TokenBucketOptionsOf(limit, v)
		if err := o.Check(limit); err != nil {
			return nil, err
		}
		return NewTokenBuckets(limit, o, keys), nil
	},
	changing: changingTokenBuckets,
	rational: true,
	largest: func(limit Limit, v catalog.Values) (int64, bool) {
		return burstOf(limit, v), !v.Bool("debt")
	},
}

// burstField is the depth that every bucket takes from the policy unless told.
var burstField = catalog.Field{Name: "burst", Kind: catalog.Int, Unit: "requests", Min: "0",
	Doc: "depth of the bucket; the policy's burst unless given"}

// burstOf reads burstField.
func burstOf(limit Limit, v catalog.Values) int64 {
	if v.Set("burst") {
		return v.Int("burst")
	}
	return limit.Burst
}

// Initial is the level at which a bucket starts. The zero Initial is Full.
type Initial struct {
	given  bool
	tokens int64
}

// Full and Empty are the usual initial levels.
var (
	Full  = Initial{}
	Empty = Tokens(0)
)

// Tokens is an initial level of n tokens.
func Tokens(n int64) Initial { return Initial{given: true, tokens: n} }

// TokenBucketOptions are what a token bucket has beside its limit.
type TokenBucketOptions struct {
	Burst   int64 // depth in requests (Limit.Burst is not read); 0 only with Debt
	Debt    bool  // admit while the level is >= 0, then subtract the whole cost
	Initial Initial
}

// TokenBucketOptionsOf reads the options from bound fields.
func TokenBucketOptionsOf(limit Limit, v catalog.Values) TokenBucketOptions {
	o := TokenBucketOptions{Burst: burstOf(limit, v), Debt: v.Bool("debt")}
	switch n, word := v.IntOr("initial"); {
	case word == "empty":
		o.Initial = Empty
	case word == "" && v.Set("initial"):
		o.Initial = Tokens(n)
	}
	return o
}

// Check says whether a bucket can be made of these options.
func (o TokenBucketOptions) Check(limit Limit) error {
	if err := limit.withBurst(o.Burst).Check(); err != nil {
		return err
	}
	switch {
	case o.Burst == 0 && !o.Debt:
		return fmt.Errorf("a token bucket of burst 0 without debt admits nothing")
	case o.Initial.given && (o.Initial.tokens < 0 || o.Initial.tokens > o.Burst):
		return fmt.Errorf("initial level of %d tokens is outside 0 to burst %d", o.Initial.tokens, o.Burst)
	}
	return nil
}

// unseen is the time stamp of a bucket nobody has asked yet. Its distance from
// any real instant, read as unsigned, is longer than every rule's longest.
const unseen = math.MinInt64

// bucketState is one key's bucket: what is missing from a full one, in units,
// as of the instant last. Counting what is missing makes the cap a floor at
// zero, so that a refill of any length cannot overflow.
type bucketState struct {
	missing int64
	last    int64
}

// bucketRule is what the buckets of one table share.
type bucketRule struct {
	n, p    int64 // n units a nanosecond, p units a token
	depth   int64 // units
	longest int64 // elapsed ns after which any bucket is full
	maxCost int64 // tokens; a larger cost is refused
	strict  int64 // -1: the level must cover the cost; 0: debt
	initial int64 // units missing at creation
}

// maxMissing keeps missing + one refill's rounding inside an int64: a depth of
// up to 2^62 units and a debt of up to 2^61 (73 years of refill at n = 1).
const maxMissing = maxDepth + maxDepth/2

func newBucketRule(limit Limit, o TokenBucketOptions) bucketRule {
	must(o.Check(limit))
	n, p := limit.Rate()
	r := bucketRule{n: n, p: p, depth: o.Burst * p, longest: math.MaxInt64 / n, maxCost: o.Burst, strict: -1}
	if o.Debt {
		r.maxCost, r.strict = maxDepth/2/p, 0
	}
	if o.Initial.given {
		r.initial = r.depth - o.Initial.tokens*p
	}
	return r
}

func (r *bucketRule) fresh() bucketState { return bucketState{missing: r.initial, last: unseen} }

// at is the bucket as it will have been refilled by now.
func (r *bucketRule) at(s bucketState, now int64) bucketState {
	elapsed := now - s.last
	if uint64(elapsed) > uint64(r.longest) {
		now, elapsed = irregular(s.last, now, r.longest)
	}
	return bucketState{missing: max(s.missing-elapsed*r.n, 0), last: now}
}

// irregular settles what an unsigned comparison of the elapsed time with the
// longest one has caught: a key first seen, time going backwards, a long idle
// spell.
func irregular(last, now, longest int64) (at, elapsed int64) {
	switch {
	case last == unseen:
		return now, 0
	case now < last:
		return last, 0
	}
	return now, longest
}

func (r *bucketRule) take(s *bucketState, now, cost int64) Verdict {
	*s = r.at(*s, now)
	if cost <= 0 {
		return Admitted
	}
	if cost > r.maxCost || s.missing > r.depth-(cost*r.p)&r.strict {
		return Rejected
	}
	s.missing += cost * r.p
	return Admitted
}

func (r *bucketRule) level(s bucketState, now int64) int64 {
	return integers.FloorDiv(r.depth-r.at(s, now).missing, r.p)
}

func (r *bucketRule) retryAt(s bucketState, now, cost int64) int64 {
	if cost <= 0 {
		return now
	}
	if cost > r.maxCost {
		return Never
	}
	s = r.at(s, now)
	short := s.missing - (r.depth - (cost*r.p)&r.strict)
	if short <= 0 {
		return now
	}
	return integers.Add(s.last, integers.CeilDiv(short, r.n))
}

func (r *bucketRule) debit(s *bucketState, cost int64) {
	hi, units := bits.Mul64(uint64(max(cost, 0)), uint64(r.p))
	if hi != 0 || units > uint64(maxMissing-s.missing) {
		s.missing = maxMissing
		return
	}
	s.missing += int64(units)
}

func (r *bucketRule) state(s bucketState) []StateField {
	return []StateField{
		{"level_units", r.depth - s.missing},
		{"units_per_token", r.p},
		{"refill_units_per_ns", r.n},
		{"depth_units", r.depth},
		{"last_ns", s.last},
	}
}

// TokenBucket is one bucket.
//
// The level counts in units of 1/p of a token, where the limit is n tokens
// every p nanoseconds in lowest terms; every nanosecond adds n units up to
// burst*p. A request of cost c is admitted when the level is at least c*p, or
// with Debt when it is at least 0, and then takes c*p. Cost 0 is always
// admitted; a cost above the burst never is, nor, with Debt, one above 2^61
// units. The first call that names an instant creates the bucket there, with
// its initial level. Instants are nanoseconds from 0 on.
type TokenBucket struct {
	rule  bucketRule
	state bucketState
}

// NewTokenBucket panics if o.Check(limit) fails.
func NewTokenBucket(limit Limit, o TokenBucketOptions) *TokenBucket {
	b := &TokenBucket{rule: newBucketRule(limit, o)}
	b.state = b.rule.fresh()
	return b
}

// Take decides one request.
func (b *TokenBucket) Take(now, cost int64) Verdict { return b.rule.take(&b.state, now, cost) }

// Level is the level at now in whole tokens, rounded down.
func (b *TokenBucket) Level(now int64) int64 { return b.rule.level(b.state, now) }

// RetryAt is the earliest instant from now on at which a request of this cost
// would be admitted, or Never. A bucket not asked yet is taken as created now.
func (b *TokenBucket) RetryAt(now, cost int64) int64 { return b.rule.retryAt(b.state, now, cost) }
