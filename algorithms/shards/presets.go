package shards

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const ioQueue = "Seastar, src/core/io_queue.cc and src/core/fair_queue.cc"

// Presets declares the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "rover-shards",
				Summary: "shards that poll one rover bucket and claim for one request at a time",
				Idea: "Seastar's I/O queue until 2025: each shard replenishes as it polls, claims for the request at the head of its queue, and holds that " +
					"claim until its ticket is served. Order is per request, whatever its size.",
				Bound:  "the rover's rate; shards that always have requests get equal numbers of requests, so shares of tokens go by request size",
				Source: ioQueue + " before commit 23309298b",
			},
			System: "Seastar", Counter: "rover", Options: map[string]string{"replenish": "on-poll"},
		},
		{
			Entry: catalog.Entry{
				Name:    "rover-shards-batch",
				Summary: "shards that poll one rover bucket and reserve burst/N tokens at a time",
				Idea: "Seastar's I/O queue since 2025: a shard reserves a batch of tokens for whatever comes, and exchanges what is left of it for a new one " +
					"at the tail when a request needs more. Order is per batch, so shares are equal in tokens.",
				Bound:  "the rover's rate; shards that always have requests get equal numbers of tokens as long as each polls once a round of batches",
				Source: ioQueue,
			},
			System: "Seastar", Counter: "rover", Options: map[string]string{"replenish": "on-poll", "reserve": "batch"},
		},
		{
			Entry: catalog.Entry{
				Name:    "rover-shards-capped",
				Summary: "shards on one rover bucket with capped release, completions reaped by a timer in each shard",
				Idea: "Tokens come back when their request has completed and its shard has noticed, which it does by a timer of 0.5 ms, " +
					"at the rate's share of the shard. A shard that stalls holds its tokens back.",
				Bound:  "throughput = min(rate, limit / hold time), the wait for the timer being part of the hold time",
				Source: "Seastar, tests/perf/shared_token_bucket.cc (commit 7051efb9d)",
			},
			System: "Seastar", Counter: "rover",
			Options: map[string]string{"replenish": "on-poll", "capped": "true", "reap_interval": "500us", "reap": "share"},
		},
	}
}
