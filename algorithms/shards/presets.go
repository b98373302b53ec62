package shards

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const ioQueue = "Seastar, src/core/io_queue.cc and src/core/fair_queue.cc"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "rover-shards",
				Summary: "shards that poll one rover bucket and claim tokens for one request at a time",
				Idea: "Seastar's I/O queue until 2025: each shard replenishes when it polls, claims tokens for the request at the head of its queue, and holds that " +
					"claim until its ticket is served. The order is by request, whatever its size.",
				Bound:  "the rover's rate; shards that always have requests get equal numbers of requests, so their shares of tokens depend on the request sizes",
				Source: ioQueue + " before commit 23309298b",
			},
			System: "Seastar", Counter: "rover", Options: map[string]string{"replenish": "on-poll"},
		},
		{
			Entry: catalog.Entry{
				Name:    "rover-shards-batch",
				Summary: "shards that poll one rover bucket and reserve burst/N tokens at a time",
				Idea: "Seastar's I/O queue since 2025: a shard reserves a batch of tokens for any requests, and exchanges the rest of it for a new batch " +
					"at the tail when a request needs more. The order is by batch, so shares are equal in tokens.",
				Bound:  "the rover's rate; shards that always have requests get equal numbers of tokens if each polls once per round of batches",
				Source: ioQueue,
			},
			System: "Seastar", Counter: "rover", Options: map[string]string{"replenish": "on-poll", "reserve": "batch"},
		},
		{
			Entry: catalog.Entry{
				Name:    "rover-shards-capped",
				Summary: "shards on one rover bucket with capped release; a timer in each shard reaps completions",
				Idea: "Tokens are released when their request has completed and its shard has noticed, which it does by a timer of 0.5 ms, " +
					"at the shard's part of the rate. A shard that stalls delays the release of its tokens.",
				Bound:  "throughput = min(rate, limit / hold time), where the hold time includes the wait for the timer",
				Source: "Seastar, tests/perf/shared_token_bucket.cc (commit 7051efb9d)",
			},
			System: "Seastar", Counter: "rover",
			Options: map[string]string{"replenish": "on-poll", "capped": "true", "reap_interval": "500us", "reap": "share"},
		},
	}
}
