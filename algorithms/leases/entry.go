// Package leases implements rate limiting by leases of capacity, as in Doorman: a
// client requests a rate, a server that knows the demands of all clients grants
// each of them a rate for some time, and the client keeps to it by itself. Run a
// [Client] in each process and a [Server] per replica, and deliver their messages.
// The package has no clock, no I/O and no random numbers of its own: now is an
// argument, in nanoseconds from 0.
//
// At one timestamp the caller lets clients Ask, then servers Decide, then clients
// Apply the answers that are due, and only then Decide.
//
// The package makes no promise: it can change at any time.
package leases

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "leases",
		Summary: "clients lease a part of the rate from a server and enforce it locally",
		Idea: "A client requests capacity from the key's server with the first request for the key, and again every `refresh`, with its own estimate of its demand: at first an even part of the limit, and at least one request per refresh. " +
			"It rejects until the first answer about a key. " +
			"The server shares the limit out among the clients that have requested capacity (`sharing`), and never grants more than its known leases leave. " +
			"A lease holds for `lease` after it was granted, so a client can continue while the server is down; after that `without_lease` determines what it does. " +
			"A restarted server knows no leases, and for `learning` grants clients the leases that they report. " +
			"Within its lease a client decides with a token bucket of that rate.",
		Bound: "the leases never add up to more than the limit, so admitted cost in any span of t seconds is at most rate*t plus the depths of the clients' buckets, which is about the policy's burst. " +
			"Exceptions are clients that use a safe or an optimistic rate, and answers that lower a lease but are late or lost: the client then continues with the earlier lease. A change of demand takes effect after the client's next refresh, and for the other clients after theirs.",
		Source: "Doorman (youtube/doorman): doc/design.md, doc/algorithms.md, go/server/doorman/algorithm.go",
		Over:   []string{"token-bucket"},
		Fields: append(append(leasing(), wanting()...), counting.ChargeField()),
	}
}

// leasing returns the fields about the server and the life of a lease.
func leasing() []catalog.Field {
	return []catalog.Field{
		{Name: "sharing", Kind: catalog.Enum, Enum: []string{"proportional", "fair"}, Default: "proportional",
			Doc: "how the limit is shared: proportional gives an equal share plus a part of the rest in proportion to the remaining demand; fair gives an equal share plus equal parts of the rest in two rounds"},
		{Name: "lease", Kind: catalog.Duration, Default: "300s", Min: "1us", Doc: "how long a lease holds"},
		{Name: "refresh", Kind: catalog.Duration, Default: "5s", Min: "1us", Doc: "time from an answer to the client's next request for capacity; a client refreshes all its keys together"},
		{Name: "learning", Needs: catalog.Needs{"first: learning or faults: any"}, Kind: catalog.Duration, Min: "0s", Doc: "how long a restarted server grants clients the leases that they report (default: as long as a lease)"},
		{Name: "first", Kind: catalog.Enum, Enum: []string{"known", "learning"}, Default: "known", Doc: "whether servers have been running for long when the run begins, or start in learning mode"},
		{Name: "timeout", Needs: catalog.Needs{"network: above 0 or faults: any"}, Kind: catalog.Duration, Default: "1s", Min: "1us", Doc: "how long a client waits for an answer"},
		{Name: "retry", Needs: catalog.Needs{"network: above 0 or faults: any"}, Kind: catalog.Duration, Default: "1s", Min: "1us", Doc: "wait before an unanswered request for capacity is retried; it grows by a factor of 1.3 with each retry"},
		{Name: "retry_at_most", Needs: catalog.Needs{"network: above 0 or faults: any"}, Kind: catalog.Duration, Default: "60s", Min: "1us", Doc: "largest wait before a retry"},
		{Name: "without_lease", Kind: catalog.Enum, Enum: []string{"safe", "pessimistic", "optimistic"}, Default: "safe",
			Doc: "what a client does after its lease has expired: use the safe capacity, reject, or admit everything"},
		{Name: "safe_capacity", Needs: catalog.Needs{"without_lease: safe"}, Kind: catalog.Rate, Doc: "safe capacity of one client (default: the limit divided by the number of clients that the server knew in its last answer)"},
	}
}

// wanting returns the fields about the client.
func wanting() []catalog.Field {
	return []catalog.Field{
		{Name: "wants", Kind: catalog.Union, Default: "recent", Doc: "how a client estimates its demand from its requests, including rejected ones",
			Choices: []catalog.Entry{
				{Name: "recent", Summary: "the cost of the last seconds, weighted more the newer it is, as in Doorman's adaptive limiter", Fields: []catalog.Field{
					{Name: "seconds", Kind: catalog.Int, Unit: "seconds", Default: "10", Min: "1", Max: "100", Doc: "number of seconds; the newest weighs this many times as much as the oldest"},
				}},
				{Name: "fixed", Summary: "a constant rate", Fields: []catalog.Field{
					{Name: "rates", Kind: catalog.List, Required: true, Elem: &catalog.Field{Kind: catalog.Rate, Doc: "of one client"}, Doc: "rates of client 0, 1 and so on; a shorter list repeats"},
				}},
			}},
		{Name: "idle", Kind: catalog.Duration, Min: "0s", Doc: "time without a request after which a key's lease is given back at the next refresh (default: as long as a lease)"},
		{Name: "client_burst", Kind: catalog.Int, Unit: "requests", Min: "1", Max: "1000000000",
			Doc: "depth of a client's bucket (default: the same part of the policy's burst as the lease is of the limit, rounded up)"},
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{Source: "youtube/doorman, doc/algorithms.md and go/server/doorman/algorithm.go; lease and refresh times as typical in doc/configuration.md", System: "Doorman", Counter: "token-bucket"},
		catalog.Preset{
			Name:    "doorman-proportional",
			Summary: "clients lease capacity: an equal share, plus a part of the rest in proportion to the remaining demand",
			Idea: "Doorman with PROPORTIONAL_SHARE: leases of 300 s that are refreshed every 5 s. A client that wants less than an equal share gets what it wants; " +
				"the rest is shared in proportion to the demand beyond the equal share.",
			Bound:   "leases never exceed the limit; with a limit of 120 and demands of 1000, 50 and 10 they are 69.69, 40.31 and 10 once all have refreshed",
			Options: map[string]string{"sharing": "proportional"},
		},
		catalog.Preset{
			Name:    "doorman-fair",
			Summary: "clients lease capacity: an equal share, plus equal parts of the rest in two rounds",
			Idea: "Doorman with FAIR_SHARE: as doorman-proportional, but the parts that clients with less demand than their share do not use are divided equally among those that want more, " +
				"and the parts that these do not use are divided once more. This is max-min fairness stopped after two rounds.",
			Bound:   "leases never exceed the limit; with a limit of 120 and demands of 1000, 50 and 10 they are 60, 50 and 10 once all have refreshed",
			Options: map[string]string{"sharing": "fair"},
		},
	)
}
