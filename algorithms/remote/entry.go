// Package remote implements the parts of a limiter that is called over the network
// for every request: queues of servers, counters in a store or in a server's
// memory, counts that replicas sync with a store, and a cache of keys over their
// limit. Combine its types as [Config] says; the caller delivers the calls. All
// types are pure state machines without a clock: now is an argument, in
// nanoseconds.
//
// The package makes no promise: it can change at any time.
package remote

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "remote",
		Summary: "a call for every request: gateway to server replica to store, and the caller waits for the response",
		Idea: "A gateway calls a server replica for each request, and the replica calls the store that counts. Both hops delay the caller, " +
			"the store is a single queue and a single point of failure, and after `timeout` the caller continues without a response. A replica can also remember which " +
			"keys are over their limit, count in its own memory and sync with the store periodically, or work without a store; then each key needs one owner. " +
			"With `batch_size` or `batch_time` a gateway collects requests into one call, and all of them wait.",
		Bound: "with a counter in the store, exactly the counter's own bound, for requests in the order in which the store serves them and while no call times out. Two hops with " +
			"exponential round trips and a p99 of T take longer than T for 0.01*(1 + ln 100) = 5.6 % of calls. A store of concurrency 1 is an M/D/1 " +
			"or M/M/1 queue, with a mean wait of rho*s/(2*(1-rho)) or rho*s/(1-rho) for a service time of s.",
		Source: "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025): the initial design and the steps after it; " +
			"envoyproxy/ratelimit; Envoy's rate limit filter (timeout of 20 ms, then fail open)",
		Over:   counting.Deciding(),
		Fields: slices.Concat(calling(), serving(), placing(), counting.JointFields()),
	}
}

// calling returns the fields about a gateway's calls.
func calling() []catalog.Field {
	return []catalog.Field{
		{Name: "route", Needs: catalog.Needs{"servers: above 1"}, Kind: catalog.Union, Default: "any", Doc: "which replica a gateway calls for a key",
			Choices: append([]catalog.Entry{{Name: "any", Summary: "the replicas in turn, whatever the key, except those known to be down"}}, routing.Choices()...)},
		{Name: "timeout", Kind: catalog.Duration, Default: "20ms", Min: "0s", Doc: "time after which the caller continues without a response; 0 means no timeout"},
		{Name: "on_timeout", Needs: catalog.Needs{"timeout: above 0"}, Kind: catalog.Enum, Enum: []string{"fail-open", "fail-closed"}, Default: "fail-open", Doc: "whether the caller then admits or rejects the request"},
		{Name: "abandoned", Needs: catalog.Needs{"timeout: above 0"}, Kind: catalog.Enum, Enum: []string{"counted", "dropped"}, Default: "counted",
			Doc: "whether calls that are served after their caller timed out are counted, or dropped without service"},
		sidecar(),
		{Name: "batch_size", Kind: catalog.Int, Unit: "requests", Default: "1", Min: "1", Max: "100000", Doc: "requests that a gateway collects for one call"},
		{Name: "batch_time", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "longest time for which it collects them; required with a batch_size above 1"},
		{Name: "fan_out", Needs: catalog.Needs{"policies: above 1", "route: not any"}, Kind: catalog.Enum, Enum: []string{"by-owner", "by-descriptor"}, Default: "by-owner",
			Doc: "calls for a request with several keys, if keys have owners: one call to each owner of any of them, or one call per key"},
	}
}

// sidecar declares the option for a sidecar that makes the calls. A gateway's timeout
// covers the hop to it.
func sidecar() catalog.Field {
	f := catalog.Sidecar()
	f.Doc += " that makes the call; it counts towards the timeout"
	return f
}

// serving returns the fields about the queues.
func serving() []catalog.Field {
	return []catalog.Field{
		{Name: "service_time", Met: true, Kind: catalog.Union, Choices: serviceTimes(), Default: "constant", Bare: "constant", Doc: "time that a replica works on a call before it responds or calls the store"},
		{Name: "concurrency", Met: true, Needs: catalog.Needs{"service_time: above 0"}, Kind: catalog.Int, Unit: "calls", Default: "1", Min: "1", Max: "100000", Doc: "calls that a replica works on at once; the others queue"},
		{Name: "connections", Needs: catalog.Needs{"store: true"}, Kind: catalog.Int, Unit: "calls", Default: "0", Min: "0", Max: "1000000", Doc: "calls of a replica to the store that can be in flight at once; the others wait in the replica; 0 means no limit"},
		{Name: "store_network", Met: true, Needs: catalog.Needs{"store: true"}, Kind: catalog.Union, Default: "same", Bare: "constant",
			Choices: append([]catalog.Entry{{Name: "same", Summary: "the distribution of the topology's network, with independent draws"}}, catalog.Latencies()...),
			Doc:     "round-trip latency of a replica's call to the store"},
		{Name: "store_service_time", Met: true, Needs: catalog.Needs{"store: true"}, Kind: catalog.Union, Choices: serviceTimes(), Default: "10us", Bare: "constant",
			Doc: "time that the store works on an operation; 10 us corresponds to the 100,000 operations per second of one Redis thread"},
		{Name: "store_commands", Met: true, Needs: catalog.Needs{"store: true"}, Kind: catalog.Int, Unit: "commands", Default: "2", Min: "1", Max: "1000",
			Doc: "commands that the store executes for each key of an operation, for `store_commands_per_s` alone: 2 for a pipeline or a script of INCRBY and EXPIRE"},
		{Name: "store_writes", Needs: catalog.Needs{"store: true", "batch_size: above 1 or policies: above 1"}, Kind: catalog.Enum, Enum: []string{"per-batch", "per-key"}, Default: "per-batch",
			Doc: "whether a call with several requests is one operation at the store (a script), or one operation per key"},
	}
}

// placing returns the fields about the place of the counts.
func placing() []catalog.Field {
	return []catalog.Field{
		{Name: "store", Kind: catalog.Bool, Default: "true", Doc: "counts are in the store; if false, in the memory of the called replica"},
		{Name: "sync_interval", Kind: catalog.Duration, Default: "0s", Min: "0s",
			Doc: "with a store: a replica counts fixed windows in its memory and syncs with the store at this interval; 0 means a call to the store for each request"},
		{Name: "over_limit_cache", Kind: catalog.Bool, Default: "false",
			Doc: "a replica remembers until when a key is over its limit, and rejects it without calling the store"},
		{Name: "moved_state", Needs: catalog.Needs{"store: false", "servers: above 1", "route: slices or faults: reshard | server-crash | server-added | server-removed"}, Kind: catalog.Enum, Enum: []string{"lost", "kept"}, Default: "lost",
			Doc: "without a store: whether a key that moves to another owner loses its count or keeps it"},
	}
}

func serviceTimes() []catalog.Entry {
	return catalog.Times("constant service time", "exponential service time", "service time")
}

const databricks = "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025)"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{System: "Databricks, remote calls", Counter: "fixed-window"},
		catalog.Preset{
			Name:    "remote",
			Summary: "each request calls a server replica, which calls one store (stage A0)",
			Idea: "The gateway calls any replica of the rate limit service, and the replica calls the one Redis that counts fixed windows: two hops and a queue " +
				"before each request can proceed. After 20 ms, Envoy's default, it proceeds without a response.",
			Bound: "never over the limit in a calendar window as the store sees it, while no call times out; " +
				"requests that time out are admitted. The tail latency is that of the sum of two hops and the store's queue",
			Source: databricks + "; Envoy's rate limit filter",
		},
		catalog.Preset{
			Name:    "remote-cached",
			Summary: "requests go to a replica by consistent hashing, which counts in memory and syncs with the store (stage A1)",
			Idea: "A ring of replicas gives each key one replica that counts it in memory, and a key over its limit is rejected from a cache until its window ends. " +
				"Counts go to the store every 100 ms. One hop remains; a change of the ring moves keys, and a hot key overloads its replica.",
			Bound:   "never over the limit in a calendar window while the ring does not change; after a key has moved, plus what its new replica admits before its first sync",
			Source:  databricks + "; it leaves open how often replicas sync, which is an option",
			Options: map[string]string{"route": "ring", "sync_interval": "100ms", "over_limit_cache": "true"},
		},
		catalog.Preset{
			Name:    "sharded-memory",
			Summary: "an autosharder gives each key an owner that counts in its memory; there is no store (stage A2)",
			Idea: "Callers call the owner of a key directly, in one hop. An autosharder (Dicer) assigns slices of the hash space to replicas and moves them to balance load. " +
				"A key starts with a new count when it moves or its owner restarts, and for a short time two replicas may count it.",
			Bound:   "never over the limit in a calendar window while a key stays with its owner; each move or restart can grant the limit once more",
			Source:  databricks + "; databricks/dicer",
			Options: map[string]string{"route": "slices", "store": "false"},
		},
		catalog.Preset{
			Name:    "blocking-batches",
			Summary: "a gateway collects requests into one call, and they wait for the response (rejected option R2)",
			Idea: "Up to 100 requests or 10 ms become one call and one operation of the store. There are fewer calls, but each request waits for its batch to be full and for the response, " +
				"in the gateway's memory.",
			Bound: "never over the limit in a calendar window as the store sees it, while no call times out; " +
				"every request waits up to 10 ms in addition to the call",
			Source:  databricks + ", which rejected it and leaves size and time open",
			Options: map[string]string{"batch_size": "100", "batch_time": "10ms"},
		},
	)
}
