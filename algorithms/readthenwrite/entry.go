// Package readthenwrite implements rate limiters that read a counter from a central
// store, decide, and write it back in a second call, without a lock or a transaction
// around the two. Requests that are read between another one's read and its write do
// not see it: this is the race that scripts in the store avoid. A [Store] holds the
// counters and what clients have read; the caller delivers the calls. The package
// has no clock and no I/O: now is an argument, in nanoseconds from 0.
//
// The package makes no promise: it can change at any time.
package readthenwrite

import (
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "read-then-write",
		Summary: "a client reads the counter from a central store, decides, and writes it back in a second call: not atomic",
		Idea: "A client sends GET to the one store that all clients share, compares the value with the limit, and after `client_time` of its own sends SET with the value read plus the cost, or INCR. " +
			"The race window tau is the time from the store's read to the store's write: a round trip plus the client's own time. Requests that are read in this window decide on the old value. " +
			"INCR counts all of them, late; of SETs that have read the same value, only one counts.",
		Bound: "under Poisson arrivals of rate r a full window admits L + r*tau in the mean with write: increment, and L*(1 + r*tau) with write: set, for unit costs and a mean tau, if windows fill before they end; " +
			"there is no bound below the offered load, because any number of requests can be read in one race window",
		Source: "idenplane/idenplane PR 417, tj/node-ratelimiter#6 and #19 (GET, then SET); rails/kredis PR 136, puppetlabs/vmpooler PR 699 (GET, then INCR); envoyproxy/ratelimit, src/memcached/cache_impl.go; the closed forms are ours",
		Over:   []string{fixedWindow, firstHitWindow, tokenBucket},
		Fields: []catalog.Field{
			{Name: "write", Kind: catalog.Enum, Enum: []string{"set", "increment"}, Default: "set",
				Doc: "what the second call does: set the value read plus the cost, or increment the value by the cost; a token-bucket can only be set"},
			{Name: "client_time", Met: true, Kind: catalog.Union, Choices: catalog.Times("constant time", "exponential time", "time"), Default: "constant", Bare: "constant",
				Doc: "time that the client takes between the response to its read and its write, which is part of the race window: scheduling, a connection from a pool, its own computing"},
			{Name: "wait_for_write", Kind: catalog.Bool, Default: "true",
				Doc: "an admitted request proceeds when its write has been answered; if false, when its client has decided"},
			{Name: "timeout", Kind: catalog.Duration, Default: "20ms", Min: "0s",
				Doc: "time after which a client stops waiting for the response to a call; 0 means no timeout. After a write without response the request proceeds as decided"},
			{Name: "on_timeout", Needs: catalog.Needs{"timeout: above 0"}, Kind: catalog.Enum, Enum: []string{"fail-open", "fail-closed"}, Default: "fail-open",
				Doc: "whether a request is admitted or rejected if its read gets no response in time"},
		},
	}
}

// Presets returns the published recipes that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{System: "Recipes", Counter: fixedWindow},
		catalog.Preset{
			Name:    "read-then-set",
			Summary: "GET, compare, SET of the value read plus one: concurrent requests overwrite each other's count",
			Idea: "A client reads the count of the calendar window, compares it with the limit, and sets the count to what it has read plus the cost. " +
				"All requests that are read between a read and its write set the same value, and count as one.",
			Bound:  "under Poisson arrivals of rate r a full window admits L*(1 + r*tau) in the mean, for a race window of mean tau",
			Source: "idenplane/idenplane PR 417, tj/node-ratelimiter#6 and #19, which replaced it; the closed form is ours",
		},
		catalog.Preset{
			Name:    "read-then-increment",
			Summary: "GET, compare, INCR: every admitted request is counted, but late",
			Idea: "A client reads the count of the calendar window, compares it with the limit, and increments it if the request is within the limit. " +
				"Requests that are read before the last increment arrives are admitted beyond the limit.",
			Bound:   "under Poisson arrivals of rate r a full window admits L + r*tau in the mean, for a race window of mean tau",
			Source:  "Redis documentation, INCR, \"Pattern: Rate limiter 1\" as published for years; rails/kredis PR 136 (exceeded?, then poke); puppetlabs/vmpooler PR 699, which replaced it; the closed form is ours",
			Options: map[string]string{"write": "increment"},
		},
		catalog.Preset{
			Name:    "read-then-set-bucket",
			Summary: "a token bucket that clients read, compute and write back",
			Idea: "A client reads level and time stamp of a bucket, refills it by its own clock, takes the cost and writes level and time stamp back. " +
				"Requests that have read the same bucket take the same token.",
			Bound:   "under Poisson arrivals of rate r well above the limit's, each write grants the requests of its race window, so up to 1 + r*tau times the limit",
			Source:  "peterkhayes/rolling-rate-limiter#66, which describes the race",
			Counter: tokenBucket,
		},
		catalog.Preset{
			Name:    "async-increment",
			Summary: "decides on a read and increments later, while the request proceeds",
			Idea: "The memcached backend of envoyproxy/ratelimit: one GET of the keys decides, and a goroutine increments them afterwards, for admitted and for rejected requests. " +
				"A key's name has the window's number, so a late increment belongs to the window of the read.",
			Bound:   "under Poisson arrivals of rate r a full window admits L + r*tau in the mean, for a mean tau from the read to the increment",
			Source:  "envoyproxy/ratelimit, src/memcached/cache_impl.go (commit f2fb157, July 2026)",
			System:  "Envoy",
			Options: map[string]string{"write": "increment", "wait_for_write": "false", "count_rejected": "true"},
		},
	)
}
