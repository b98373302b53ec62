package rover

import (
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry declares the counter "rover". Its fields say how a bucket is made and,
// from when_short on, how it is used as a limiter beside others.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "rover",
		Queues:  true,
		Summary: "Seastar's lock-free shared token bucket: claims never fail, callers queue by ticket",
		Idea: "Two counters only grow: tail, the tokens claimed, and head, the tokens replenished. A caller claims by moving tail, " +
			"gets the new tail as its ticket and goes ahead once head has reached it, so callers queue as with a ticket lock. " +
			"Time moves head, at most to tail + burst. With capped release a third counter, ceil, follows the tokens given back " +
			"by completed requests, and head may not pass it: at most burst tokens are out at a time. A caller that will not wait " +
			"refunds its claim; without the refund tail runs away and nobody is served again.",
		Bound: "long-run rate: exact with stamp by-tokens; with stamp now and threshold N between N/(N+0.5) and N/(N-0.5) of the configured rate " +
			"(0.667 to 2.0 at threshold 1, within 0.5 % at 100). Capped: throughput = min(rate, burst / hold time), never more than burst tokens out. " +
			"Uncapped: claims made before a replenish enlarge the burst.",
		Source: "Seastar, include/seastar/util/shared_token_bucket.hh; ScyllaDB's posts on I/O scheduling",
		Fields: []catalog.Field{
			{Name: "burst", Kind: catalog.Int, Unit: "tokens", Min: "1",
				Doc: "the bucket's depth (the original's limit); the policy's burst unless given"},
			{Name: "threshold", Kind: catalog.Int, Unit: "tokens", Default: "1", Min: "1",
				Doc: "the least a replenish credits; less earned stays open; at most burst"},
			{Name: "capped", Kind: catalog.Bool, Default: "false",
				Doc: "capped release: tokens come back only when the requests that used them complete"},
			{Name: "stamp", Kind: catalog.Enum, Enum: []string{"by-tokens", "now"}, Default: "by-tokens",
				Doc: "what a replenish does to the time stamp: move it by what the whole tokens are worth (exact), or to now with a rounded credit (as the original)"},
			{Name: "initial", Kind: catalog.Enum, Enum: []string{"full", "empty"}, Default: "full",
				Doc: "full lets burst tokens go at once (stamp now: the first replenish credits up to an hour, as the original); empty starts with none"},
			{Name: "when_short", Kind: catalog.Enum, Enum: []string{"wait", "refuse"}, Default: "wait",
				Doc: "what a request does when tokens are missing: wait its turn, or be rejected at once and refund"},
			{Name: "max_wait", Kind: catalog.Duration, Default: "1s", Min: "0s",
				Doc: "how long a request waits before it is rejected and refunds"},
			{Name: "refund", Kind: catalog.Bool, Default: "true",
				Doc: "a claim that is not used is given back, as by the original's later addition; without it tail runs away and nobody is served again"},
			{Name: "replenish", Kind: catalog.Enum, Enum: []string{"timer", "on-poll", "on-look", "continuous"}, Default: "timer",
				Doc: "who replenishes: a timer, each caller before it claims and whenever it comes back, each caller right before it looks at the bucket (a fresh claim already made), or time itself as soon as a token is due"},
			{Name: "replenish_interval", Kind: catalog.Duration, Default: "1ms", Min: "1ns",
				Doc: "the period of the replenish timer"},
			{Name: "token_resolution", Kind: catalog.Int, Unit: "bits", Default: "0", Min: "0", Max: "40",
				Doc: "fixed-point tokens: each is 2^k units, so a credit is rounded to a fraction of a token (the original's I/O queue uses 24 bits)"},
		},
	}
}

// Configure reads a bucket's Config out of the fields of Entry, for a policy
// of count requests per window ns with buckets of depth burst, starting at
// start. Fields that are not set have their defaults. With a token_resolution
// of k bits the bucket counts in units, 2^k a token.
func Configure(count, window, burst int64, options catalog.Values, start int64) (Config, error) {
	if options.Set("burst") {
		burst = options.Int("burst")
	}
	threshold := int64(1)
	if options.Set("threshold") {
		threshold = options.Int("threshold")
	}
	bits := uint(options.Int("token_resolution"))
	switch {
	case count < 0:
		return Config{}, fmt.Errorf("rover: rate of %d tokens is negative", count)
	case window < 1:
		return Config{}, fmt.Errorf("rover: period of %d ns: want at least 1", window)
	case burst < 1:
		return Config{}, fmt.Errorf("rover: burst of %d tokens: want at least 1", burst)
	case threshold < 1:
		return Config{}, errors.New("rover: threshold: want at least 1 token")
	case bits > 0 && (burst > maxLimit>>bits || uint64(count) > maxRateFor(window)>>bits):
		return Config{}, fmt.Errorf("rover: token_resolution of %d bits: %d tokens a period or a burst of %d do not fit 62 bits", bits, count, burst)
	}
	cfg := Config{
		Rate: uint64(count) << bits, Per: window, Limit: uint64(burst) << bits, Threshold: uint64(min(threshold, burst)) << bits,
		Capped: options.Bool("capped"), Start: start, Full: options.String("initial") != "empty",
	}
	if options.String("stamp") == "now" {
		cfg.Stamp = Faithful
	}
	return cfg, nil
}
