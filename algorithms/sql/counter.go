package sql

import (
	"fmt"
	"math/bits"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// CounterEntry declares the counter.
func CounterEntry() catalog.Entry {
	return catalog.Entry{
		Name:    "sql-token-bucket",
		Summary: "a token bucket in one row of a SQL table: whole tokens and a time stamp, changed by one UPDATE",
		Idea: "A key's row holds a whole number of tokens and a time stamp. r is the refill per second, w the window in seconds. The first call stores r*w - 1 tokens. " +
			"Every later one stores tokens - 1 + r*elapsed, cut to -1 and r*w and rounded to a whole number, and is admitted when that is not " +
			"negative; a refusal is stored too. The stamp stored is the start of the call's transaction, elapsed is counted up to the call itself. " +
			"r is the policy's limit and w its burst divided by r, so that r*w is the burst.",
		Bound: "x is what a key earns between two of its calls. As published: x < 0.5 rounds away, so r*w calls pass and then none; 0.5 <= x < 1.5 admits everything " +
			"from a full bucket (up to twice the limit) and nothing from an empty one, since a refusal takes a token too; after a long idle spell r*w + 1 pass. " +
			"With rounding kept, stamp call, refusal_writes false, cap before-take and a clock of 1ns it is the exact token bucket.",
		Source: "F. Pachot, Rate limiting with PostgreSQL / YugabyteDB (token buckets function), dev.to, January 2022",
		Fields: []catalog.Field{
			{Name: "refill", Kind: catalog.Limit, Doc: "r, the tokens a key earns; the policy's limit unless given (the published default is 2/s)"},
			{Name: "window", Kind: catalog.Duration, Min: "1ns", Doc: "w, so that the bucket holds r*w tokens, a whole number up to 2^31-1; the policy's burst divided by r unless given (the published default is 60s)"},
			{Name: "rounding", Kind: catalog.Enum, Enum: []string{"integer", "kept"}, Default: "integer", Doc: "what is stored of a fraction of a token: the nearest whole number, or the fraction, exactly"},
			{Name: "ties", Kind: catalog.Enum, Enum: []string{"away", "even"}, Default: "away",
				Doc: "how a half is rounded: away from zero, by exact decimals (PostgreSQL 14 and later), or to even, by double precision (PostgreSQL before 14, YugabyteDB of 2022)"},
			{Name: "stamp", Kind: catalog.Enum, Enum: []string{"transaction-start", "call"}, Default: "transaction-start", Doc: "the instant that a call stores"},
			{Name: "refusal_writes", Kind: catalog.Bool, Default: "true", Doc: "a refusal is stored: it takes a token, down to -1, and restarts the clock"},
			{Name: "cap", Kind: catalog.Enum, Enum: []string{"after-take", "before-take"}, Default: "after-take", Doc: "when the level is cut to r*w: after the call's token was taken, or before"},
			{Name: "clock", Kind: catalog.Duration, Default: "1us", Min: "1ns", Max: "1h", Doc: "what the database's time stamps are counted in"},
		},
	}
}

// Configure reads a rule out of the fields of Entry, for a policy of count
// requests per window ns with a burst. Fields that are not set have their
// defaults.
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
	return NewRule(refill.Count, refill.Per, depth, Options{
		KeepFraction: v.String("rounding") == "kept",
		TiesToEven:   v.String("ties") == "even",
		StampCall:    v.String("stamp") == "call",
		NoRefusal:    v.Set("refusal_writes") && !v.Bool("refusal_writes"),
		CapBefore:    v.String("cap") == "before-take",
		Clock:        v.Duration("clock"),
	})
}

// tokens is r*w, which must be whole.
func tokens(refill units.Rate, window int64) (int64, error) {
	hi, lo := bits.Mul64(uint64(refill.Count), uint64(window))
	if hi >= uint64(refill.Per) {
		return 0, fmt.Errorf("refill of %s times window of %s is above 2^31-1 tokens: out of range for the database's integers", refill, units.FormatDuration(window))
	}
	depth, rest := bits.Div64(hi, lo, uint64(refill.Per))
	switch {
	case depth > maxDepth:
		return 0, fmt.Errorf("refill of %s times window of %s is %d tokens, above 2^31-1: out of range for the database's integers", refill, units.FormatDuration(window), depth)
	case rest != 0:
		return 0, fmt.Errorf("refill of %s times window of %s is no whole number of tokens", refill, units.FormatDuration(window))
	}
	return int64(depth), nil
}
