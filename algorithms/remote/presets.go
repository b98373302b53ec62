package remote

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const databricks = "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025)"

// Presets declares the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "remote",
				Summary: "each request asks a server replica, which asks one store (stage A0)",
				Idea: "The gateway calls any replica of the rate limit service, and that calls the one Redis that counts fixed windows: two hops and a queue " +
					"before each request may go on. After 20 ms, Envoy's default, it goes on anyway.",
				Bound: "never over the limit in a calendar window as the store sees it, while nothing times out; " +
					"what times out is let through. The tail is that of the sum of two hops and the store's queue",
				Source: databricks + "; Envoy's rate limit filter",
			},
			System: "Databricks, remote calls", Counter: "fixed-window",
		},
		{
			Entry: catalog.Entry{
				Name:    "remote-cached",
				Summary: "requests go to a replica by consistent hashing, which counts in memory and syncs with the store (stage A1)",
				Idea: "A ring of replicas gives each key one place where it is counted in memory, and a key over its limit is refused from a cache until its window ends. " +
					"Counts go to the store every 100 ms. One hop remains; a change of the ring moves keys, and a hot key overloads its replica.",
				Bound:  "never over the limit in a calendar window while the ring stays; after a key has moved, what its new replica lets through before its first sync",
				Source: databricks + "; it leaves open how often replicas sync, which is an option",
			},
			System: "Databricks, remote calls", Counter: "fixed-window",
			Options: map[string]string{"route": "ring", "sync_interval": "100ms", "over_limit_cache": "true"},
		},
		{
			Entry: catalog.Entry{
				Name:    "sharded-memory",
				Summary: "an autosharder gives each key an owner that counts in its memory; no store (stage A2)",
				Idea: "Callers ask the owner of a key directly, one hop. An autosharder (Dicer) assigns slices of the hash space to replicas and moves them to balance load. " +
					"A key that moves, or whose owner restarts, is counted afresh, and for a moment two replicas may count it.",
				Bound:  "never over the limit in a calendar window while a key stays with its owner; each move or restart may grant the limit once more",
				Source: databricks + "; databricks/dicer",
			},
			System: "Databricks, remote calls", Counter: "fixed-window",
			Options: map[string]string{"route": "slices", "store": "false"},
		},
		{
			Entry: catalog.Entry{
				Name:    "blocking-batches",
				Summary: "a gateway collects requests, asks about all at once and lets them wait for the answer (rejected option R2)",
				Idea: "Up to 100 requests or 10 ms become one call and one operation of the store. Fewer calls, but each request waits for its batch to be full and for the answer, " +
					"parked in the gateway's memory.",
				Bound: "never over the limit in a calendar window as the store sees it, while nothing times out; " +
					"every request waits up to 10 ms on top of the call",
				Source: databricks + ", which rejected it; size and time are open there",
			},
			System: "Databricks, remote calls", Counter: "fixed-window",
			Options: map[string]string{"batch_size": "100", "batch_time": "10ms"},
		},
	}
}
