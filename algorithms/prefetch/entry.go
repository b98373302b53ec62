// Package prefetch implements rate limiting with prefetched tokens: a client
// fetches a lease of tokens from a server, spends them without a call, and fetches
// the next lease before the last token is spent. Run a [Client] in each process
// and a [Server] per replica, and deliver their messages. The package has no
// clock, no I/O and no random numbers of its own: now is an argument, in
// nanoseconds from 0.
//
// At one timestamp the caller lets servers Grant, then clients Apply the answers that
// are due, and only then Spend.
//
// The package makes no promise: it can change at any time.
package prefetch

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "prefetch",
		Summary: "clients prefetch tokens, spend them without a call, and fetch more before they run out",
		Idea: "For each key a client holds leases of tokens, from which it admits requests at once. When its tokens fall to `low_water` it requests " +
			"`lease_size` more from the key's server, which takes as many as it has from its counter immediately, whether or not they will be spent. The difficult parts are the time before the first lease, " +
			"a client that has run out, and unused tokens: each is an option.",
		Bound: "N clients hold at most N*(low_water + lease_size) tokens, or N*(lease_size - 1) tokens for which no request waits with a low_water of 0. Admitted cost " +
			"in any span exceeds the counter's own bound by at most that, however old the tokens are. Tokens that expire unused are lost to the limit.",
		Source: "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025), an option it rejected; bucket4j issue 8 (consumeAsMuchAsPossible in batches); " +
			"alibaba/Sentinel issue 3382 (a background job that prefetches)",
		Over: []string{"fixed-window", "token-bucket"},
		Fields: []catalog.Field{
			{Name: "lease_size", Kind: catalog.Int, Unit: "tokens", Default: "10", Min: "1", Max: "1000000000", Doc: "tokens that a client requests at a time; more if waiting requests need more"},
			{Name: "low_water", Kind: catalog.Int, Unit: "tokens", Default: "5", Min: "0", Max: "1000000000",
				Doc: "a client with this many tokens or fewer fetches the next lease; with 0 it fetches only when it has run out"},
			{Name: "expiry", Kind: catalog.Duration, Default: "1s", Min: "0s", Doc: "how long a lease is valid after the arrival of its answer; 0 means without end"},
			{Name: "when_empty", Kind: catalog.Enum, Enum: []string{"wait", "reject"}, Default: "wait",
				Doc: "what a request does that finds too few tokens: wait for the fetch, or be rejected while the fetch is in flight"},
			{Name: "at_start", Kind: catalog.Enum, Enum: []string{"empty", "admit"}, Default: "empty",
				Doc: "what a client does with a key before the first answer: the same as when it has run out, or admit without a token"},
			{Name: "refusal", Kind: catalog.Enum, Enum: []string{"remembered", "forgotten"}, Default: "remembered",
				Doc: "what a client does that received fewer tokens than requested: reject requests without tokens until the server expects to have more, or fetch again with the next request"},
			{Name: "timeout", Needs: catalog.Needs{"network: above 0 or faults: any"}, Kind: catalog.Duration, Default: "1s", Min: "1ns", Doc: "time after which waiting requests give up a fetch; its tokens are then lost"},
			{Name: "on_timeout", Needs: catalog.Needs{"network: above 0 or faults: any"}, Kind: catalog.Enum, Enum: []string{"fail-closed", "fail-open"}, Default: "fail-closed", Doc: "whether these requests are rejected or admitted"},
			counting.ChargeField("when_empty: reject"),
		},
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{Counter: "token-bucket"},
		catalog.Preset{
			Name:    "prefetch",
			Summary: "clients prefetch 10 tokens and answer from them; callers wait when there are none (option R1, rejected)",
			Idea: "A client keeps a small stock of tokens for each key and fetches the next 10 when 5 are left. Tokens are valid for one second; unused ones are lost. " +
				"A request without a token waits for the fetch.",
			Bound: "at most the counter's own bound plus what N clients hold, N*(low_water + lease_size) = 15*N; below the limit by the tokens that expire unused",
			Source: "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025), which rejected it: " +
				"start, exhaustion and expiry are the hard parts; all numbers are our choice",
			System: "Databricks, option R1",
		},
		catalog.Preset{
			Name:    "bucket4j-prefetch",
			Summary: "consumeAsMuchAsPossible in batches of 10 that never expire, fetched when the last token has been spent",
			Idea: "The limiter of bucket4j's issue 8: a node that has run out takes up to 10 tokens from the shared bucket, spends one and keeps the others " +
				"for any length of time.",
			Bound:   "N*(10 - 1) requests more than the bucket allows: 90 for 10 nodes, however long ago they fetched",
			Source:  "bucket4j issue 8, comment of 2016-12-31",
			System:  "bucket4j",
			Options: map[string]string{"low_water": "0", "expiry": "0s", "refusal": "forgotten"},
		},
	)
}
