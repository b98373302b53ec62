package remote

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const databricks = "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025)"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "remote",
				Summary: "each request calls a server replica, which calls one store (stage A0)",
				Idea: "The gateway calls any replica of the rate limit service, and the replica calls the one Redis that counts fixed windows: two hops and a queue " +
					"before each request can proceed. After 20 ms, Envoy's default, it proceeds without a response.",
				Bound: "never over the limit in a calendar window as the store sees it, while no call times out; " +
					"requests that time out are admitted. The tail latency is that of the sum of two hops and the store's queue",
				Source: databricks + "; Envoy's rate limit filter",
			},
			System: "Databricks, remote calls", Counter: "fixed-window",
		},
		{
			Entry: catalog.Entry{
				Name:    "remote-cached",
				Summary: "requests go to a replica by consistent hashing, which counts in memory and syncs with the store (stage A1)",
				Idea: "A ring of replicas gives each key one replica that counts it in memory, and a key over its limit is rejected from a cache until its window ends. " +
					"Counts go to the store every 100 ms. One hop remains; a change of the ring moves keys, and a hot key overloads its replica.",
				Bound:  "never over the limit in a calendar window while the ring does not change; after a key has moved, plus what its new replica admits before its first sync",
				Source: databricks + "; it leaves open how often replicas sync, which is an option",
			},
			System: "Databricks, remote calls", Counter: "fixed-window",
			Options: map[string]string{"route": "ring", "sync_interval": "100ms", "over_limit_cache": "true"},
		},
		{
			Entry: catalog.Entry{
				Name:    "sharded-memory",
				Summary: "an autosharder gives each key an owner that counts in its memory; there is no store (stage A2)",
				Idea: "Callers call the owner of a key directly, in one hop. An autosharder (Dicer) assigns slices of the hash space to replicas and moves them to balance load. " +
					"A key starts with a new count when it moves or its owner restarts, and for a short time two replicas may count it.",
				Bound:  "never over the limit in a calendar window while a key stays with its owner; each move or restart can grant the limit once more",
				Source: databricks + "; databricks/dicer",
			},
			System: "Databricks, remote calls", Counter: "fixed-window",
			Options: map[string]string{"route": "slices", "store": "false"},
		},
		{
			Entry: catalog.Entry{
				Name:    "blocking-batches",
				Summary: "a gateway collects requests into one call, and they wait for the response (rejected option R2)",
				Idea: "Up to 100 requests or 10 ms become one call and one operation of the store. There are fewer calls, but each request waits for its batch to be full and for the response, " +
					"in the gateway's memory.",
				Bound: "never over the limit in a calendar window as the store sees it, while no call times out; " +
					"every request waits up to 10 ms in addition to the call",
				Source: databricks + ", which rejected it and leaves size and time open",
			},
			System: "Databricks, remote calls", Counter: "fixed-window",
			Options: map[string]string{"batch_size": "100", "batch_time": "10ms"},
		},
	}
}
