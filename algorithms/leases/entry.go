// Package leases is rate limiting by leases of capacity, as Doorman does it: a
// client says what rate it wants, a server that knows what all clients want
// grants each a rate for a while, and the client keeps to it by itself.
//
// Client and Server exchange the plain values of this package. They hold no
// clock, do no I/O and draw no random numbers: now is an argument, in
// nanoseconds from 0 on, and the caller carries the messages. At one instant the
// caller lets clients ask, then servers grant, then clients Apply the answers
// that are due, and only then decide.
package leases

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Entry declares the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "leases",
		Summary: "clients lease a part of the rate from a server and keep to it by themselves",
		Idea: "A client asks the key's server for capacity as soon as it has a request for the key, and every `refresh` after that, saying what it wants: its own estimate of its demand. " +
			"The server shares the limit out among the clients that have asked (`sharing`), never granting more than is left beside the leases it knows of. " +
			"A lease holds for `lease` after it was granted, so a client goes on alone while the server is away; after that `without_lease` says what it may do. " +
			"A server that has restarted knows of no leases, and for `learning` grants clients what they say they have. " +
			"Within its lease a client decides with a token bucket of that rate.",
		Bound: "the leases never add up to more than the limit, so admitted cost in any span of t seconds is at most rate*t plus the depths of the clients' buckets, about the policy's burst, " +
			"except while clients go by a safe or an optimistic rate, or an answer that lowers a lease is late or lost: its client goes on with the lease before. A change of demand is followed after the client's next refresh, and by the others after theirs.",
		Source: "Doorman (youtube/doorman): doc/design.md, doc/algorithms.md, go/server/doorman/algorithm.go",
		Over:   []string{"token-bucket"},
		Fields: append(leasing(), wanting()...),
	}
}

// leasing are the fields about the server and the life of a lease.
func leasing() []catalog.Field {
	return []catalog.Field{
		{Name: "sharing", Kind: catalog.Enum, Enum: []string{"proportional", "fair", "static", "none"}, Default: "proportional",
			Doc: "who gets what: an equal share and a top-up in proportion to what is wanted beyond it; the same with two rounds of equal top-ups; each client up to the whole limit; each what it wants"},
		{Name: "lease", Kind: catalog.Duration, Default: "300s", Min: "1us", Doc: "how long a lease holds"},
		{Name: "refresh", Kind: catalog.Duration, Default: "5s", Min: "1us", Doc: "time from an answer to the client's next question; a client asks about all its keys together"},
		{Name: "learning", Kind: catalog.Duration, Min: "0s", Doc: "how long a server that has restarted grants what clients say they have; as long as a lease unless given"},
		{Name: "first", Kind: catalog.Enum, Enum: []string{"known", "learning"}, Default: "known", Doc: "whether servers have been up for long when the run begins, or start in learning mode"},
		{Name: "timeout", Kind: catalog.Duration, Default: "1s", Min: "1us", Doc: "how long a client waits for an answer"},
		{Name: "retry", Kind: catalog.Duration, Default: "1s", Min: "1us", Doc: "wait before a question that got no answer is asked again, 1.3 times as long each time"},
		{Name: "retry_at_most", Kind: catalog.Duration, Default: "60s", Min: "1us", Doc: "and at most this"},
		{Name: "without_lease", Kind: catalog.Enum, Enum: []string{"safe", "pessimistic", "optimistic"}, Default: "safe",
			Doc: "what a client does whose lease has run out: go by the safe capacity, reject, or admit everything"},
		{Name: "safe_capacity", Kind: catalog.Rate, Doc: "of one client; the limit over the number of clients that the server knew of in its last answer unless given"},
	}
}

// wanting are the fields about the client.
func wanting() []catalog.Field {
	return []catalog.Field{
		{Name: "wants", Kind: catalog.Union, Default: "recent", Doc: "how a client estimates what it wants, from the requests it gets, refused ones included",
			Choices: []catalog.Entry{
				{Name: "recent", Summary: "the cost of the last seconds, each weighing less than the one after it, as Doorman's adaptive limiter has it", Fields: []catalog.Field{
					{Name: "seconds", Kind: catalog.Int, Unit: "seconds", Default: "10", Min: "1", Max: "100", Doc: "how many; the newest weighs so many times what the oldest does"},
				}},
				{Name: "since-refresh", Summary: "the cost since the last question, over that time"},
				{Name: "fixed", Summary: "always the same", Fields: []catalog.Field{
					{Name: "rates", Kind: catalog.List, Required: true, Elem: &catalog.Field{Kind: catalog.Rate, Doc: "of one client"}, Doc: "of client 0, 1 and so on; a shorter list starts over"},
				}},
			}},
		{Name: "first_wants", Kind: catalog.Rate, Doc: "what a client asks for that has a key's first request, before it can estimate; an even part of the limit unless given"},
		{Name: "least_wants", Kind: catalog.Rate, Doc: "what a client asks for at least, so that a seldom key has a lease; one request in each refresh unless given"},
		{Name: "idle", Kind: catalog.Duration, Min: "0s", Doc: "a key that has had no request for so long is given back with the next refresh; as long as a lease unless given"},
		{Name: "before_lease", Kind: catalog.Enum, Enum: []string{"reject", "admit"}, Default: "reject", Doc: "what a client does until the first answer about a key"},
		{Name: "client_burst", Kind: catalog.Int, Unit: "requests", Min: "1", Max: "1000000000",
			Doc: "depth of a client's bucket; unless given, the part of the policy's burst that the lease is of the limit, rounded up"},
	}
}
