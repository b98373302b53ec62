// Package described describes the rover bucket for scenario files: its catalog entry,
// and how the entry's options become a [rover.Config]. The bucket itself, in the
// package rover, depends on nothing of scenarios.
//
// The package makes no promise: it can change at any time.
package described

import (
	"fmt"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/rover"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the counter "rover". Its fields describe the
// bucket and, from when_short on, its use as a limiter.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "rover",
		With:    []string{"with a burst"},
		Queues:  true,
		Summary: "Seastar's lock-free shared token bucket: claims never fail, callers queue by ticket",
		Idea: "Two counters only grow: tail, the claimed tokens, and head, the replenished tokens. A caller claims tokens by moving tail. " +
			"The new tail is its ticket, and it proceeds when head has reached the ticket, so callers queue as with a ticket lock. " +
			"Time moves head, at most to tail + burst. With capped release a third counter, ceil, follows the tokens returned " +
			"by completed requests, and head may not pass it: at most burst tokens are in use at a time. A caller that does not wait " +
			"refunds its claim; without the refund tail grows faster than head and no later caller is served. " +
			"By default a caller waits as in the original's document: it polls until a timer has replenished its tokens, and a poll takes no time. " +
			"Unlike the original, it gives up after max_wait.",
		Bound: "long-run rate: exact with stamp by-tokens; with stamp now and threshold N between N/(N+0.5) and N/(N-0.5) of the configured rate " +
			"(0.667 to 2.0 at threshold 1, within 0.5 % at 100). Capped: throughput = min(rate, burst / hold time), with at most burst tokens in use. " +
			"Uncapped: claims made before a replenish increase the burst.",
		Source: "Seastar, doc/shared-token-bucket.md and include/seastar/util/shared_token_bucket.hh; ScyllaDB's posts on I/O scheduling",
		Fields: []catalog.Field{
			{Name: "burst", Kind: catalog.Int, Unit: "tokens", Min: "1",
				Doc: "the bucket's depth (the original's limit) (default: the policy's burst)"},
			{Name: "threshold", Kind: catalog.Int, Unit: "tokens", Default: "1", Min: "1",
				Doc: "least credit of a replenish, at most burst; if less has been earned, the time is credited later"},
			{Name: "capped", Kind: catalog.Bool, Default: "false",
				Doc: "capped release: tokens become available again only when the requests that used them complete"},
			{Name: "stamp", Kind: catalog.Enum, Enum: []string{"by-tokens", "now"}, Default: "by-tokens",
				Doc: "how a replenish moves the timestamp: by the time in which the whole tokens were earned (exact), or to now with a rounded credit (like the original)"},
			{Name: "initial", Kind: catalog.Enum, Enum: []string{"full", "empty"}, Default: "full",
				Doc: "full makes burst tokens available at once (with stamp now, the first replenish credits up to an hour, like the original); empty starts with none"},
			{Name: "when_short", Kind: catalog.Enum, Enum: []string{"wait", "refuse"}, Default: "wait",
				Doc: "what a request does when tokens are missing: wait for its turn, or be rejected at once and refund"},
			{Name: "max_wait", Needs: catalog.Needs{"when_short: wait"}, Kind: catalog.Duration, Default: "1s", Min: "0s",
				Doc: "time after which a waiting request is rejected and refunds"},
			{Name: "refund", Kind: catalog.Bool, Default: "true",
				Doc: "give back a claim that is not used, as in later versions of the original; without it tail grows faster than head and no later caller is served"},
			{Name: "replenish", Kind: catalog.Enum, Enum: []string{"timer", "on-poll", "on-look", "on-wait", "continuous"}, Default: "timer",
				Doc: "what replenishes the bucket: a timer; each caller before its claim and at every later poll; each caller just before it reads the bucket, after its claim; each caller that waits, when it looks again (like the loops of the original's test and bandwidth limits, which sleep for whole microseconds); or time itself, as soon as a token is due"},
			{Name: "replenish_interval", Needs: catalog.Needs{"replenish: timer"}, Kind: catalog.Duration, Default: "1ms", Min: "1ns",
				Doc: "period of the replenish timer"},
			{Name: "token_resolution", Kind: catalog.Int, Unit: "bits", Default: "0", Min: "0", Max: "40",
				Doc: "fixed-point tokens: a token is 2^k units, so a credit is rounded to a fraction of a token (the original's I/O queue uses 24 bits)"},
		},
		State: []catalog.Member{
			{Name: "tail", Unit: "units of a rover", Doc: "sum of all claims, modulo 2^64"},
			{Name: "head", Unit: "units of a rover", Doc: "sum of all credits, modulo 2^64"},
			{Name: "ceil", Unit: "units of a rover", Doc: "only with `capped`: the largest value of `head` until more is released"},
			{Name: "stamp_ns", Unit: "ns", Doc: "time stamp that the row, or the bucket, stores"},
			{Name: "rate", Unit: "tokens per period of the limit", Doc: "rate of the bucket"},
		},
	}
}

// Configure reads a bucket's Config from the fields of Entry, for a policy of count
// requests per window ns with a burst. The bucket starts at the time start. Fields
// that are not set have their defaults. With a token_resolution of k bits the bucket
// counts in units of 2^-k token; without one, a rate above [rover.MaxRate] is cut to
// it. It returns an error if a value is out of range.
func Configure(count, window, burst int64, options catalog.Values, start int64) (rover.Config, error) {
	if options.Set("burst") {
		burst = options.Int("burst")
	}
	threshold := max(options.Int("threshold"), 1)
	bits := uint(options.Int("token_resolution"))
	per := time.Duration(window)
	switch {
	case count < 0:
		return rover.Config{}, fmt.Errorf("rover: rate of %d tokens is negative", count)
	case window < 1:
		return rover.Config{}, fmt.Errorf("rover: period of %d ns: want at least 1", window)
	case burst < 1:
		return rover.Config{}, fmt.Errorf("rover: burst of %d tokens: want at least 1", burst)
	case bits > 0 && (burst > rover.MaxLimit>>bits || uint64(count) > rover.MaxRate(per)>>bits):
		return rover.Config{}, fmt.Errorf("rover: token_resolution of %d bits: %d tokens a period or a burst of %d do not fit 62 bits", bits, count, burst)
	}
	cfg := rover.Config{
		Rate: min(uint64(count)<<bits, rover.MaxRate(per)), Per: per, Limit: uint64(burst) << bits, Threshold: uint64(min(threshold, burst)) << bits,
		Capped: options.Bool("capped"), Start: start, Full: options.String("initial") != "empty",
	}
	if options.String("stamp") == "now" {
		cfg.Stamp = rover.Faithful
	}
	return cfg, nil
}
