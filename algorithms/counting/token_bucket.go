package counting

import (
	"cmp"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var tokenBucketKind = kind{
	entry: catalog.Entry{
		Name:    "token-bucket",
		With:    []string{"with a burst"},
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
			blockField,
		},
		State: []catalog.Member{
			{Name: "level_units", Unit: "units", Doc: "level at the last call that changed the state; below 0 in debt. `level` and `retry_at` do not change it."},
			tokenMember,
			{Name: "refill_units_per_ns", Unit: "units/ns", Doc: "refill rate"},
			{Name: "depth_units", Unit: "units", Doc: "depth of the bucket"},
			lastMember,
		},
	},
	keyBytes: 16,
	make:     makerOf(TokenBucketOptionsOf, NewTokenBuckets),
	changing: changingTokenBuckets,
	refills:  true,
	worst:    worstBucket,
}

// burstField is the depth of a bucket.
var burstField = catalog.Field{Name: "burst", Kind: catalog.Int, Unit: "requests", Min: "0",
	Doc: "depth of the bucket (default: the policy's burst)"}

// tokenMember is the unit in which a bucket counts.
var tokenMember = catalog.Member{Name: "units_per_token", Unit: "units per token", Doc: "size of a token"}

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
	return cmp.Or(
		limit.withBurst(o.Burst).Check(),
		catalog.ErrorIf(o.Burst == 0 && !o.Debt, "a token bucket of burst 0 without debt admits nothing"),
		catalog.ErrorIf(o.Initial.given && (o.Initial.tokens < 0 || o.Initial.tokens > o.Burst),
			"initial level of %d tokens is outside 0 to burst %d", o.Initial.tokens, o.Burst),
	)
}
