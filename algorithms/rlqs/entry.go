// Package rlqs implements Envoy's rate limit quota service: clients report what they
// have admitted and rejected at intervals, and a server answers with assignments, a
// rate for each client for some time. Run a [Client] in each process and a [Server]
// per replica, and deliver their messages. The package has no clock, no I/O and no
// random numbers of its own: now is an argument, in nanoseconds from 0.
//
// At one timestamp the caller lets clients Report, then servers Count all reports,
// then Assign or Rebalance, then clients Apply the assignments that are due, and only
// then Decide.
//
// The package makes no promise: it can change at any time.
package rlqs

import (
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "rlqs",
		Summary: "clients report their usage at intervals and enforce the quota that a service assigns to each",
		Idea: "A client reports a key's first request to the key's server at once, and then what it has admitted and rejected of all its keys every `report_interval`. " +
			"The server takes the reported cost per second as the client's demand, divides the limit among the clients that report the key (`allocation`), and assigns each a rate for `ttl`. " +
			"A demand is at least one request per report interval, so that a rarely used key has an assignment; that of a new client is the limit. " +
			"The client decides with a token bucket of that rate. Before its first assignment it does what `no_assignment` states. If no report is answered until an assignment expires, " +
			"`expired` applies for `expired_for`; then the client forgets the key. The protocol leaves the division to the server.",
		Bound: "with `rebalance` the assignments of one instant add up to the limit at most; otherwise assignments of different times can add up to more: n new clients with equal demands are assigned up to limit*(1 + 1/2 + ... + 1/n), for up to a report interval. " +
			"A change of demand takes effect after one to two intervals. If each assignment differs from the one before, its full bucket admits the policy's burst once more per interval (`on_change`). " +
			"With `allocation: whole` n clients together admit n times the limit.",
		Source: "envoyproxy/envoy: api/envoy/service/rate_limit_quota/v3/rlqs.proto, extensions/filters/http/rate_limit_quota (proto, global_client_impl.cc); grpc/proposal A77",
		Over:   []string{"token-bucket"},
		Fields: append(serving(), asking()...),
	}
}

// serving returns the fields about the server.
func serving() []catalog.Field {
	return []catalog.Field{
		{Name: "allocation", Kind: catalog.Enum, Enum: []string{"fair", "proportional", "greedy", "whole"}, Default: "fair",
			Doc: "how the limit is divided by the reported demands: fair is max-min fair and shares out the part beyond all demands equally; proportional gives parts in proportion to the demands; greedy gives a client its whole demand, as far as the unexpired assignments of the others leave it; whole gives each client the whole limit"},
		{Name: "conserves", Needs: catalog.Needs{"allocation: not greedy", "allocation: not whole"}, Kind: catalog.Bool, Default: "false",
			Doc: "whether the server assigns no more than the unexpired assignments of the other clients leave"},
		{Name: "rebalance", Kind: catalog.Duration, Min: "1us",
			Doc: "interval at which the server assigns all clients of all keys anew (default: it answers each report with assignments for this client alone)"},
		{Name: "ttl", Kind: catalog.Duration, Min: "1us", Doc: "how long an assignment is active after its arrival (default: three report intervals)"},
		{Name: "forget", Kind: catalog.Duration, Min: "1us", Doc: "time without a report after which the server no longer counts a client (default: as long as ttl)"},
		{Name: "fill_interval", Kind: catalog.Duration, Min: "1us", Doc: "assignments are whole tokens per this time, rounded down (default: not rounded to tokens)"},
	}
}

// asking returns the fields about the client.
func asking() []catalog.Field {
	limit := catalog.Entry{Name: "limit", Summary: "decide with a token bucket of this rate, which starts full", Fields: []catalog.Field{
		{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "refill of each client's bucket"},
		{Name: "burst", Kind: catalog.Int, Unit: "requests", Default: "1", Min: "1", Max: "1000000000", Doc: "depth of each client's bucket"},
	}}
	allow, deny := catalog.Entry{Name: "allow", Summary: "admit all requests"}, catalog.Entry{Name: "deny", Summary: "reject all requests"}
	return []catalog.Field{
		{Name: "report_interval", Kind: catalog.Duration, Default: "10s", Min: "1us", Doc: "time between two reports of a client, each about all its keys"},
		{Name: "phase", Kind: catalog.Enum, Enum: append([]string{"first-request"}, ticks.Names...), Default: "random",
			Doc: "when within the interval each client reports. In Envoy a client's timer starts with its first request: random stands for clients that started at different times, first-request for a fleet whose first requests are those of the run"},
		{Name: "no_assignment", Kind: catalog.Union, Default: "allow", Doc: "what a client does before the first assignment of a key",
			Choices: []catalog.Entry{allow, deny, limit}},
		{Name: "expired", Kind: catalog.Union, Default: "discard", Doc: "what a client does after an assignment has expired",
			Choices: []catalog.Entry{
				{Name: "discard", Summary: "the same as before the first assignment"},
				{Name: "reuse", Summary: "continue with the last assignment"},
				allow, deny, limit,
			}},
		{Name: "expired_for", Kind: catalog.Duration, Min: "0s",
			Doc: "time after an expiry from which the client forgets the key; the next request subscribes to it anew (default: never)"},
		{Name: "on_change", Kind: catalog.Enum, Enum: []string{"full", "carry-over"}, Default: "full",
			Doc: "bucket of an assignment that differs from the one before: a full one, as in Envoy, or with the tokens of the one before"},
		{Name: "client_burst", Kind: catalog.Int, Unit: "requests", Min: "1", Max: "1000000000",
			Doc: "depth of a client's bucket (default: the same part of the policy's burst as the assignment is of the limit, rounded up)"},
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{Source: "envoyproxy/envoy: rlqs.proto and the filter rate_limit_quota; grpc/proposal A77", System: "Envoy", Counter: "token-bucket"},
		catalog.Preset{
			Name:    "envoy-quota",
			Summary: "Envoys report their usage every 10 s and enforce the fair part of the quota that the service assigns to each",
			Idea: "Envoy's rate limit quota filter with a service that divides the quota fairly, as gRPC's proposal A77 says of it. Each report is answered with a new assignment for its Envoy, " +
				"which lasts for three intervals. Before the first one all requests are admitted.",
			Bound: "under steady demand the assignments add up to the limit; a change of demand takes one to two intervals; n Envoys that start together are assigned up to limit*(1 + 1/2 + ... + 1/n) until their second reports",
		},
		catalog.Preset{
			Name:    "envoy-quota-whole",
			Summary: "Envoys that are assigned the whole quota each, by a service with a static configuration",
			Idea: "Envoy's rate limit quota filter with the open server jukie/rlqs. It counts usage but assigns a configured rate to every Envoy that asks, " +
				"however many they are.",
			Bound:   "n Envoys together admit n times the limit",
			Options: map[string]string{"allocation": "whole"},
			Source:  "jukie/rlqs: internal/quota/quota.go, internal/policy/policy.go, internal/config/config.go",
		},
	)
}
