package shards

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "shards",
		Summary: "the topology's clients are shards that poll one shared rover bucket, each with a queue of its own",
		Idea: "Each shard queues its own requests. At every poll it claims tokens for the request at the head of its queue, dispatches requests while " +
			"its tickets are served, and then waits for its next poll, or sleeps for as long as the rate needs to earn the missing tokens. The shards thus take " +
			"turns, by request or by batch of tokens. A shard can stall; it then neither polls nor releases completed requests.",
		Bound: "the bucket's bound: see rover. Shares: with reserve request, shards that always have requests get equal numbers of requests, so their shares of tokens depend on " +
			"the size of requests; with reserve batch, equal numbers of tokens. A shard gets at most depth requests per poll while tokens are short, so a shard that polls " +
			"rarely starves.",
		Source: "Seastar, src/core/io_queue.cc, src/core/fair_queue.cc and tests/perf/shared_token_bucket.cc (commits 7051efb9d and 23309298b)",
		Over:   []string{"rover"},
		Lacks:  catalog.Lacks{"sidecar": "the threads of one process share the bucket in its memory, so no hop lies between a request and its shard"},
		Fields: append(polling(), reserving()...),
	}
}

// polling returns the fields about when a shard polls.
func polling() []catalog.Field {
	return []catalog.Field{
		{Name: "poll_interval", Kind: catalog.Duration, Default: "100us", Min: "1us",
			Doc: "time between two polls of a shard that has work"},
		{Name: "idle", Kind: catalog.Enum, Enum: []string{"poll", "sleep"}, Default: "poll",
			Doc: "how a shard waits: it continues to poll, or it sleeps for as long as the rate needs to earn the missing tokens (at least poll_interval); a request that arrives at a shard without work wakes it"},
		{Name: "phase", Kind: catalog.Enum, Enum: []string{"aligned", "staggered", "random"}, Default: "staggered",
			Doc: "when within an interval each shard polls and releases: all at its multiples (in the order of their numbers), shard i of N at (i+0.5)/N of it, or each at a random point"},
		{Name: "rare", Met: true, Needs: catalog.Needs{"shards: above 0"}, Kind: catalog.Group, Doc: "shards that poll less often than the others", Fields: []catalog.Field{
			shareOfShards(),
			{Name: "poll_interval", Kind: catalog.Duration, Default: "1ms", Min: "1us", Doc: "time between two of their polls"},
		}},
		{Name: "stalls", Met: true, Needs: catalog.Needs{"shards: above 0"}, Kind: catalog.Group, Doc: "other work that repeatedly blocks a shard; a poll or release that falls into a stall happens at its end", Fields: []catalog.Field{
			shareOfShards(),
			{Name: "busy", Kind: catalog.Duration, Default: "300us", Min: "1ns", Max: "1d", Doc: "mean duration of a stall, exponential"},
			{Name: "rest", Kind: catalog.Duration, Default: "100us", Min: "1ns", Max: "1d", Doc: "mean time between two stalls, exponential"},
		}},
	}
}

func shareOfShards() catalog.Field {
	return catalog.Field{Name: "shards", Kind: catalog.Share, Default: "100%", Min: "0", Max: "1", Doc: "share of the shards concerned, spread evenly"}
}

// reserving returns the fields about what a shard does at a poll.
func reserving() []catalog.Field {
	return []catalog.Field{
		{Name: "reserve", Kind: catalog.Enum, Enum: []string{"request", "batch"}, Default: "request",
			Doc: "what a shard claims: the tokens of each request (until 2025), or per_poll tokens at a time for any requests (since then)"},
		{Name: "depth", Needs: catalog.Needs{"reserve: request"}, Kind: catalog.Int, Unit: "claims", Default: "1", Min: "1", Max: "1024",
			Doc: "reserve request: number of claims that a shard may have pending"},
		{Name: "unused", Needs: catalog.Needs{"reserve: request"}, Kind: catalog.Enum, Enum: []string{"passed-on", "refunded"}, Default: "passed-on",
			Doc: "reserve request: what happens to the claim of a request whose max_wait ends: the next request in the shard's queue gets it if it costs no more, or the claim is refunded and the next request claims anew, at the tail"},
		{Name: "per_poll", Kind: catalog.Int, Unit: "tokens", Min: "1",
			Doc: "reserve request: a shard stops for this poll after dispatching this many tokens; reserve batch: the size of a batch (default: burst/N for N shards, at least 1)"},
		{Name: "reap_interval", Kind: catalog.Duration, Default: "0s", Min: "0s",
			Doc: "capped: period of the timer by which a shard releases completed requests; 0s releases at once"},
		{Name: "reap", Needs: catalog.Needs{"capped: true", "reap_interval: above 0"}, Kind: catalog.Enum, Enum: []string{"all", "share"}, Default: "all",
			Doc: "capped, with a reap_interval: what a tick releases: all completed requests, or at most rate/N for N shards times the time since the last tick, rounded down, as in the original's test, which models a disk that serves each shard at that rate (a tick worth less than one token leaves its time to the next tick)"},
	}
}

const ioQueue = "Seastar, src/core/io_queue.cc and src/core/fair_queue.cc"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{System: "Seastar", Counter: "rover"},
		catalog.Preset{
			Name:    "rover-shards",
			Summary: "shards that poll one rover bucket and claim tokens for one request at a time",
			Idea: "Seastar's I/O queue until 2025: each shard replenishes when it polls, claims tokens for the request at the head of its queue, and holds that " +
				"claim until its ticket is served. The order is by request, whatever its size.",
			Bound:   "the rover's rate; shards that always have requests get equal numbers of requests, so their shares of tokens depend on the request sizes",
			Source:  ioQueue + " before commit 23309298b",
			Options: map[string]string{"replenish": "on-poll"},
		},
		catalog.Preset{
			Name:    "rover-shards-batch",
			Summary: "shards that poll one rover bucket and reserve burst/N tokens at a time",
			Idea: "Seastar's I/O queue since 2025: a shard reserves a batch of tokens for any requests, and exchanges the rest of it for a new batch " +
				"at the tail when a request needs more. The order is by batch, so shares are equal in tokens.",
			Bound:   "the rover's rate; shards that always have requests get equal numbers of tokens if each polls once per round of batches",
			Source:  ioQueue,
			Options: map[string]string{"replenish": "on-poll", "reserve": "batch"},
		},
		catalog.Preset{
			Name:    "rover-shards-capped",
			Summary: "shards on one rover bucket with capped release; a timer in each shard collects completions",
			Idea: "Tokens are released when their request has completed and its shard has noticed, which it does by a timer of 0.5 ms, " +
				"at the shard's part of the rate. A shard that stalls delays the release of its tokens.",
			Bound:   "throughput = min(rate, limit / hold time), where the hold time includes the wait for the timer",
			Source:  "Seastar, tests/perf/shared_token_bucket.cc (commit 7051efb9d)",
			Options: map[string]string{"replenish": "on-poll", "capped": "true", "reap_interval": "500us", "reap": "share"},
		},
	)
}
