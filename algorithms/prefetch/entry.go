// Package prefetch is rate limiting with tokens fetched ahead: a client asks a
// server for a lease of tokens, spends them without asking, and fetches the next
// lease before the last token is gone.
//
// Client and Server exchange the plain values of this package. They hold no
// clock, do no I/O and draw no random numbers: now is an argument, in
// nanoseconds from 0 on, and the caller carries the messages. At one instant the
// caller lets leases end, then servers take what is returned, then grant, then
// clients Apply the answers that are due, and only then spend.
package prefetch

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Entry declares the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "prefetch",
		Summary: "clients fetch tokens ahead, spend them without asking, and fetch again before they run out",
		Idea: "For each key a client holds leases of tokens and answers requests from them at once. When what it holds falls to `low_water` it asks the key's server " +
			"for `lease_size` more, which takes them from its counter then and there, spent or not. What is hard is what happens before the first lease, " +
			"when a client has run out, and to tokens that nobody used: each is an option.",
		Bound: "N clients hold at most N*(low_water + lease_size) tokens, or N*(lease_size - 1) that nobody waits for with a low_water of 0, and what can be let through " +
			"in any span exceeds the counter's own bound by that much, however old the tokens are. Tokens that expire unused are missing instead, unless they are returned.",
		Source: "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025), an option it rejected; bucket4j issue 8 (consumeAsMuchAsPossible in batches); " +
			"alibaba/Sentinel issue 3382 (a background job that prefetches)",
		Over: []string{"fixed-window", "token-bucket"},
		Fields: []catalog.Field{
			{Name: "lease_size", Kind: catalog.Int, Unit: "tokens", Default: "10", Min: "1", Max: "1000000000", Doc: "how many a client asks for at a time; more where those who wait ask more"},
			{Name: "low_water", Kind: catalog.Int, Unit: "tokens", Default: "5", Min: "0", Max: "1000000000",
				Doc: "a client that is left with this many, or fewer, fetches the next lease; at 0 only when it has run out"},
			{Name: "expiry", Kind: catalog.Duration, Default: "1s", Min: "0s", Doc: "how long a lease holds after its answer has arrived; 0 is for ever"},
			{Name: "unused", Kind: catalog.Enum, Enum: []string{"lost", "returned"}, Default: "lost",
				Doc: "what becomes of tokens that nobody spent before they expire: lost, or sent back to the counter; a fixed window takes them back only while it lasts"},
			{Name: "when_empty", Kind: catalog.Enum, Enum: []string{"wait", "reject", "ask"}, Default: "wait",
				Doc: "what a request does that finds too few tokens: wait for the fetch, be rejected while it is under way, or ask the server once, for itself alone"},
			{Name: "at_start", Kind: catalog.Enum, Enum: []string{"empty", "admit"}, Default: "empty",
				Doc: "what a client does with a key until the first answer: the same as when it has run out, or admit without a token"},
			{Name: "grant", Kind: catalog.Enum, Enum: []string{"as-much-as-there-is", "all-or-nothing"}, Default: "as-much-as-there-is",
				Doc: "what the server gives that has fewer tokens than were asked for"},
			{Name: "refusal", Kind: catalog.Enum, Enum: []string{"remembered", "forgotten"}, Default: "remembered",
				Doc: "a client that got less than it asked for rejects what it has no tokens for until the server expects to have them, or asks again with the next request"},
			{Name: "timeout", Kind: catalog.Duration, Default: "1s", Min: "1ns", Doc: "how long a fetch may take before those who wait for it go on without; what it granted is lost then"},
			{Name: "on_timeout", Kind: catalog.Enum, Enum: []string{"fail-closed", "fail-open"}, Default: "fail-closed", Doc: "what becomes of them: rejected, or let through"},
		},
	}
}
