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
		Summary: "a bucket that refills at the limit's rate; a request takes its cost or is rejected",
		Idea: "Each key has a bucket of `burst` tokens that refills continuously at the limit's rate until it is full. " +
			"A request is admitted if the bucket holds its cost, and takes it. With `debt`, a request is admitted while the level is " +
			"not negative and then subtracts its whole cost, so the bucket pays later for cost admitted in excess. " +
			"The first request for a key creates its bucket with the initial level.",
		Bound:  "admitted cost in any span of t seconds is at most burst + rate*t; with debt, at most burst + rate*t plus the largest cost",
		Source: "J. Turner, New directions in communications, IEEE Communications Magazine 24(10), 1986; RFC 2697 and RFC 2698 (meters); RFC 3290 section 5.1.3 and appendix A (debt is its loose conformance)",
		Fields: []catalog.Field{
			burstField,
			{Name: "debt", Kind: catalog.Bool, Default: "false", Doc: "admit while the level is not negative, then subtract the whole cost: the level can fall below zero"},
			{Name: "initial", Kind: catalog.IntOrEnum, Unit: "tokens", Default: "full", Enum: []string{"full", "empty"}, Min: "0",
				Doc: "level of a key's bucket when the first request for the key arrives"},
		},
	},
	table:    tableOf(TokenBucketOptionsOf, NewTokenBuckets),
	changing: changingTokenBuckets,
	rational: true,
	largest: func(limit Limit, v catalog.Values) (int64, bool) {
		return burstOf(limit, v), !v.Bool("debt")
	},
}

// burstField is the depth of a bucket.
var burstField = catalog.Field{Name: "burst", Kind: catalog.Int, Unit: "requests", Min: "0",
	Doc: "depth of the bucket (default: the policy's burst)"}

// burstOf returns the value of burstField, or the limit's burst if it is not set.
func burstOf(limit Limit, v catalog.Values) int64 {
	if v.Set("burst") {
		return v.Int("burst")
	}
	return limit.Burst
}

// Initial is the level of a new bucket. The zero Initial is Full.
type Initial struct {
	given  bool
	tokens int64
}

// Full and Empty are the most common initial levels.
var (
	Full  = Initial{}
	Empty = Tokens(0)
)

// Tokens returns the initial level of n tokens.
func Tokens(n int64) Initial { return Initial{given: true, tokens: n} }

// TokenBucketOptions are the options of a token bucket.
type TokenBucketOptions struct {
	Burst   int64 // depth in requests; 0 is valid only with Debt; Limit.Burst is not used
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

// Check returns an error if a bucket cannot be made of these options.
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

// unseen is the timestamp of a bucket before its first request. Its distance
// from any real time, as an unsigned number, is longer than every rule's longest.
const unseen = math.MinInt64

// bucketState is one key's bucket: the units missing from a full bucket at the
// time last. Because it stores what is missing, the depth becomes a floor at
// zero, and a refill of any length cannot overflow.
type bucketState struct {
	missing int64
	last    int64
}

// bucketRule holds what the buckets of one table share.
type bucketRule struct {
	n, p    int64 // n units per nanosecond, p units per token
	depth   int64 // units
	longest int64 // elapsed ns after which any bucket is full
	maxCost int64 // tokens; a larger cost is rejected
	strict  int64 // -1: the level must cover the cost; 0: debt
	initial int64 // units missing from a new bucket
}

// maxMissing is small enough that missing plus one refill's rounding fits an
// int64. It covers a depth of up to 2^62 units and a debt of up to 2^61 (73 years
// of refill at n = 1).
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

// at returns the bucket as it has been refilled by now.
func (r *bucketRule) at(s bucketState, now int64) bucketState {
	elapsed := now - s.last
	if uint64(elapsed) > uint64(r.longest) {
		now, elapsed = irregular(s.last, now, r.longest)
	}
	return bucketState{missing: max(s.missing-elapsed*r.n, 0), last: now}
}

// irregular returns the time and the refill time to use when the elapsed time,
// as an unsigned number, exceeds the longest one: for a new key, for a time that
// goes backwards and for a long idle period.
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

// TokenBucket limits one key with a token bucket. It is not safe for concurrent
// use: guard it with a mutex, or use package rover, which needs no lock.
//
// The level counts in units of 1/p of a token, where the limit is n tokens per
// p nanoseconds in lowest terms; every nanosecond adds n units, up to burst*p. A
// request of cost c is admitted if the level is at least c*p (with Debt: at least
// 0) and then takes c*p. Cost 0 is always admitted. A cost above the burst is
// never admitted; with Debt, a cost above 2^61 units is never admitted. The
// first call with a time creates the bucket at that time, with its initial
// level. Times are nanoseconds, 0 or later.
type TokenBucket struct {
	rule  bucketRule
	state bucketState
}

// NewTokenBucket returns a bucket at its initial level. It panics if
// o.Check(limit) fails.
func NewTokenBucket(limit Limit, o TokenBucketOptions) *TokenBucket {
	b := &TokenBucket{rule: newBucketRule(limit, o)}
	b.state = b.rule.fresh()
	return b
}

// Take decides a request of this cost at now, in ns.
func (b *TokenBucket) Take(now, cost int64) Verdict { return b.rule.take(&b.state, now, cost) }

// Level returns the level at now in whole tokens, rounded down. It is negative
// while the bucket is in debt.
func (b *TokenBucket) Level(now int64) int64 { return b.rule.level(b.state, now) }

// RetryAt returns the earliest time, now or later, at which this cost would be
// admitted if nothing else were admitted before, or Never. For a bucket without
// requests it assumes that the bucket is created at now.
func (b *TokenBucket) RetryAt(now, cost int64) int64 { return b.rule.retryAt(b.state, now, cost) }
