// Package remote holds what a limiter is made of that is asked over the network
// for every request: where calls go, the queues they pass, the counts in a
// store or in a server's memory, and the cache of keys over their limit.
//
// Everything is a pure state machine: now is an argument in nanoseconds, and
// the caller owns the wire.
package remote

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry declares the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "remote",
		Summary: "a call for every request: gateway to server replica to store, and the caller waits for the answer",
		Idea: "A gateway asks a server replica about each request, and the replica asks the store that counts. Both hops cost the caller time, " +
			"the store is one queue and one point of failure, and after `timeout` the caller goes on without an answer. A replica may also remember which " +
			"keys are over their limit, count in its own memory and sync with the store now and then, or do without a store; then a key needs one owner. " +
			"With `batch_size` or `batch_time` a gateway collects requests into one call, and all of them wait.",
		Bound: "with the store's counter exactly the counter's own bound, on requests in the order in which the store serves them, while nothing times out. Two hops of " +
			"exponential round trips with a p99 of T exceed T on 0.01*(1 + ln 100) = 5.6 % of calls. A store of concurrency 1 is an M/D/1 " +
			"or M/M/1 queue: a wait of rho*s/(2*(1-rho)) or rho*s/(1-rho) for a service time of s.",
		Source: "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025): the design it started from and the steps on the way; " +
			"envoyproxy/ratelimit; Envoy's rate limit filter (timeout of 20 ms, then fail open)",
		Over:   counter.Deciding(),
		Fields: slices.Concat(inFlight(), serving(), counting(), counter.JointFields()),
	}
}

// asking are the fields about the way of a call.
func inFlight() []catalog.Field {
	return []catalog.Field{
		{Name: "route", Kind: catalog.Union, Default: "any", Doc: "which replica a gateway asks about a key",
			Choices: append([]catalog.Entry{{Name: "any", Summary: "one after the other, whatever the key, but not those that are known to be down"}}, routing.Choices()...)},
		{Name: "timeout", Kind: catalog.Duration, Default: "20ms", Min: "0s", Doc: "how long a call may take before its caller goes on without an answer; 0 is for ever"},
		{Name: "on_timeout", Kind: catalog.Enum, Enum: []string{"fail-open", "fail-closed"}, Default: "fail-open", Doc: "what the caller does then: let the request through, or refuse it"},
		{Name: "abandoned", Kind: catalog.Enum, Enum: []string{"counted", "dropped"}, Default: "counted",
			Doc: "calls that are served after their caller has gone: they count all the same, or are thrown away unserved"},
		{Name: "sidecar", Kind: catalog.Union, Choices: append([]catalog.Entry{{Name: "none", Summary: "the gateway asks by itself"}}, catalog.Latencies()...), Default: "none", Bare: "constant",
			Doc: "a local hop before the call, there and back"},
		{Name: "batch_size", Kind: catalog.Int, Unit: "requests", Default: "1", Min: "1", Max: "100000", Doc: "requests that a gateway collects before it asks about all of them"},
		{Name: "batch_time", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long it collects them at most; needed with a batch_size above 1"},
		{Name: "fan_out", Kind: catalog.Enum, Enum: []string{"by-owner", "by-descriptor"}, Default: "by-owner",
			Doc: "a request with several keys, where keys have owners: one call to each owner of any of them, or one call for each key"},
	}
}

// serving are the fields about the queues.
func serving() []catalog.Field {
	return []catalog.Field{
		{Name: "service_time", Kind: catalog.Union, Choices: serviceTimes(), Default: "constant", Bare: "constant", Doc: "time a replica works on a call before it answers or asks the store"},
		{Name: "concurrency", Kind: catalog.Int, Unit: "calls", Default: "1", Min: "1", Max: "100000", Doc: "calls that a replica works on at once; the others queue"},
		{Name: "connections", Kind: catalog.Int, Unit: "calls", Default: "0", Min: "0", Max: "1000000", Doc: "calls of a replica to the store that may be under way at once; the others wait in the replica; 0 is no bound"},
		{Name: "store_network", Kind: catalog.Union, Default: "same", Bare: "constant",
			Choices: append([]catalog.Entry{{Name: "same", Summary: "like the topology's network, with draws of its own"}}, catalog.Latencies()...),
			Doc:     "latency of a replica's call to the store, there and back"},
		{Name: "store_service_time", Kind: catalog.Union, Choices: serviceTimes(), Default: "10us", Bare: "constant",
			Doc: "time the store works on an operation; 10 us is the 100,000 operations a second of one Redis thread"},
		{Name: "store_concurrency", Kind: catalog.Int, Unit: "operations", Default: "1", Min: "1", Max: "100000", Doc: "operations that the store works on at once; the others queue"},
		{Name: "store_writes", Kind: catalog.Enum, Enum: []string{"per-batch", "per-key"}, Default: "per-batch",
			Doc: "a call with several requests is one operation at the store (a script), or one for each key it holds"},
	}
}

// counting are the fields about where counts live.
func counting() []catalog.Field {
	return []catalog.Field{
		{Name: "store", Kind: catalog.Bool, Default: "true", Doc: "counts live in the store; without it in the memory of the replica that is asked"},
		{Name: "sync_interval", Kind: catalog.Duration, Default: "0s", Min: "0s",
			Doc: "with a store: a replica counts fixed windows in its memory and syncs with the store this often; 0 is to ask the store about each request"},
		{Name: "over_limit_cache", Kind: catalog.Bool, Default: "false",
			Doc: "a replica remembers until when a key is over its limit, and refuses it without asking"},
		{Name: "moved_state", Kind: catalog.Enum, Enum: []string{"lost", "kept"}, Default: "lost",
			Doc: "without a store: a key that moves to another owner starts afresh there, or takes its count along"},
	}
}

func serviceTimes() []catalog.Entry {
	return []catalog.Entry{
		{Name: "constant", Summary: "always the same", Fields: []catalog.Field{
			{Name: "time", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "service time"},
		}},
		{Name: "exponential", Summary: "exponential service time", Fields: []catalog.Field{
			{Name: "mean", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "mean service time"},
		}},
	}
}
