package algorithms

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const (
	sharedTokenBucket = "Seastar, include/seastar/util/shared_token_bucket.hh"
	ioQueue           = "Seastar, src/core/io_queue.cc and src/core/fair_queue.cc"
)

// seastarPresets are the rover bucket's stages: its specimen with each known
// defect, and the ways in which shards share it.
func seastarPresets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "rover-capped",
				Summary: "rover bucket that hands a token out again only after the request that used it has completed",
				Idea: "A third rover, ceil, follows completions: tokens are replenished by time, but only as many as the guarded backend has given back. " +
					"When the backend slows down, the bucket slows down with it and the queue stays with the callers.",
				Bound:  "throughput = min(rate, limit / hold time); in-flight cost never above the limit",
				Source: sharedTokenBucket + " (capped_release::yes)",
			},
			Enforcement: "central", Counter: "rover", Options: map[string]string{"capped": "true"},
		},
		{
			Entry: catalog.Entry{
				Name:    "rover-faithful",
				Summary: "rover bucket with the original's arithmetic: rounded credits and a stamp that moves to now",
				Idea: "Each look credits what the time since the stamp has earned, rounded, and moves the stamp to now, so rounding errors add up. " +
					"Callers replenish as they look, each after its claim.",
				Bound: "long-run rate between N/(N+0.5) and N/(N-0.5) of the configured one for threshold N: 0.667 to 2.0 at 1, where busy pollers get 2.0, " +
					"and within 0.5 % at 100",
				Source: sharedTokenBucket,
			},
			Enforcement: "central", Counter: "rover", Options: map[string]string{"stamp": "now", "replenish": "on-look"},
		},
		{
			Entry: catalog.Entry{
				Name:    "rover-no-refund",
				Summary: "rover bucket whose callers refuse to wait and do not give their claims back: it starves everybody",
				Idea: "A claim never fails, so a refused caller has moved tail all the same. Under overload tail runs away from head, and from then on " +
					"every caller is behind more claims than the rate can pay. The original got refund for this later.",
				Bound:  "none: with offered k times the rate, k > 1, everything is refused once the bucket is empty",
				Source: sharedTokenBucket + " before refund (commit 23309298b)",
			},
			Enforcement: "central", Counter: "rover", Options: map[string]string{"when_short": "refuse", "refund": "false"},
		},
		{
			Entry: catalog.Entry{
				Name:    "rover-shards",
				Summary: "shards that poll one rover bucket and claim for one request at a time",
				Idea: "Seastar's I/O queue until 2025: each shard replenishes as it polls, claims for the request at the head of its queue, and holds that " +
					"claim until its ticket is served. Order is per request, whatever its size.",
				Bound:  "the rover's rate; shards that always have requests get equal numbers of requests, so shares of tokens go by request size",
				Source: ioQueue + " before commit 23309298b",
			},
			Enforcement: "shards", Counter: "rover", Options: map[string]string{"replenish": "on-poll"},
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
			Enforcement: "shards", Counter: "rover", Options: map[string]string{"replenish": "on-poll", "reserve": "batch"},
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
			Enforcement: "shards", Counter: "rover",
			Options: map[string]string{"replenish": "on-poll", "capped": "true", "reap_interval": "500us", "reap": "share"},
		},
	}
}
