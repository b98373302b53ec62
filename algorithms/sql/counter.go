package sql

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// CounterEntry returns the catalog entry of the counter.
func CounterEntry() catalog.Entry {
	return catalog.Entry{
		Name:    "sql-token-bucket",
		With:    []string{"with a burst"},
		Summary: "a token bucket in one row of a SQL table: whole tokens and a timestamp, changed by one UPDATE",
		Idea: "A key's row holds a whole number of tokens and a timestamp. r is the refill per second, w the window in seconds. The first call stores r*w - 1 tokens. " +
			"Every later call computes tokens - 1 + r*elapsed, cut to -1 and r*w and rounded to a whole number. It is admitted if the result is not " +
			"negative; the result of a rejection is stored too. The stored timestamp is the start of the call's transaction (of the first call, its own time), but elapsed is counted up to the call itself. " +
			"r is the policy's limit and w its burst divided by r, so that r*w is the burst.",
		Bound: "x is what a key earns between two of its calls. As published: x < 0.5 rounds to 0, so r*w calls are admitted and then none; with 0.5 <= x < 1.5, every call is admitted " +
			"from a full bucket (up to twice the limit) and no call from an empty one, since a rejection takes a token too; after a long idle period r*w + 1 calls are admitted. " +
			"With rounding kept, stamp call, refusal_writes false, cap before-take and a clock of 1ns it is the exact token bucket.",
		Source: "F. Pachot, Rate limiting with PostgreSQL / YugabyteDB (token buckets function), dev.to, January 2022",
		Fields: []catalog.Field{
			{Name: "refill", Kind: catalog.Limit, Doc: "r, the tokens that a key earns (default: the policy's limit; the published default is 2/s)"},
			{Name: "window", Kind: catalog.Duration, Min: "1ns", Doc: "w, so that the bucket holds r*w tokens, a whole number up to 2^31-1 (default: the policy's burst divided by r; the published default is 60s)"},
			{Name: "rounding", Kind: catalog.Enum, Enum: []string{"integer", "kept"}, Default: "integer", Doc: "whether levels are stored as the nearest whole number of tokens, or exactly, with the fraction kept"},
			{Name: "ties", Needs: catalog.Needs{"rounding: integer"}, Kind: catalog.Enum, Enum: []string{"away", "even"}, Default: "away",
				Doc: "how a half is rounded: away from zero, by exact decimals (PostgreSQL 14 and later), or to even, by double precision (PostgreSQL before 14, YugabyteDB of 2022)"},
			{Name: "stamp", Needs: catalog.Needs{"enforcement: sql"}, Kind: catalog.Enum, Enum: []string{"transaction-start", "call"}, Default: "transaction-start", Doc: "the time that a call stores"},
			{Name: "refusal_writes", Kind: catalog.Bool, Default: "true", Doc: "store rejections: each takes a token, down to -1, and restarts the clock"},
			{Name: "cap", Kind: catalog.Enum, Enum: []string{"after-take", "before-take"}, Default: "after-take", Doc: "whether the level is capped at r*w after the call has taken its token, or before"},
			{Name: "clock", Met: true, Kind: catalog.Duration, Default: "1us", Min: "1ns", Max: "1h", Doc: "resolution of the database's timestamps"},
		},
		State: []catalog.Member{
			{Name: "level_units", Unit: "units", Doc: "level at the last call that changed the state; below 0 in debt. `level` and `retry_at` do not change it."},
			{Name: "units_per_token", Unit: "units per token", Doc: "size of a token"},
			{Name: "depth_tokens", Unit: "tokens", Doc: "r*w, the depth of the row"},
			{Name: "stamp_ns", Unit: "ns", Doc: "time stamp that the row, or the bucket, stores"},
		},
	}
}

// Configure reads a rule from the fields of CounterEntry, for a policy of count
// requests per window ns with a burst. Fields that are not set have their defaults.
// It returns an error if the rule cannot be made of them.
func Configure(count, window, burst int64, v catalog.Values) (Rule, error) {
	refill := units.Rate{Count: count, Per: window}
	if v.Set("refill") {
		refill = v.Rate("refill")
	}
	depth := burst
	if v.Set("window") {
		var err error
		if depth, err = tokens(refill, v.Duration("window")); err != nil {
			return Rule{}, err
		}
	}
	o := Options{NoRefusal: v.Set("refusal_writes") && !v.Bool("refusal_writes")}
	v.Read(&o)
	return NewRule(refill.Count, refill.Per, depth, o)
}

// tokens returns r*w, which must be a whole number.
func tokens(refill units.Rate, window int64) (int64, error) {
	hi, lo := bits.Mul64(uint64(refill.Count), uint64(window))
	if hi >= uint64(refill.Per) {
		return 0, fmt.Errorf("refill of %s times window of %s is above 2^31-1 tokens: out of range for the database's integers", refill, units.FormatDuration(window))
	}
	depth, rest := bits.Div64(hi, lo, uint64(refill.Per))
	return int64(depth), cmp.Or(
		catalog.ErrorIf(depth > maxDepth, "refill of %s times window of %s is %d tokens, above 2^31-1: out of range for the database's integers",
			refill, units.FormatDuration(window), depth),
		catalog.ErrorIf(rest != 0, "refill of %s times window of %s is not a whole number of tokens", refill, units.FormatDuration(window)),
	)
}
