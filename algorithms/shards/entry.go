package shards

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Entry declares the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "shards",
		Summary: "the topology's clients are shards that poll one shared rover bucket, each with a queue of its own",
		Idea: "Each shard queues its own requests. Whenever it polls, it claims tokens for the request at the head of its queue, dispatches as long as " +
			"its tickets are served, and comes back at its next poll, or sleeps for as long as the rate takes to earn what is missing. Shards so take " +
			"turns, by the request or by the batch of tokens. A shard may stall, and then neither polls nor releases what has completed.",
		Bound: "the bucket's: see rover. Shares: shards that always have requests get equal numbers of requests with reserve request, so shares of tokens go by " +
			"the size of requests; equal numbers of tokens with reserve batch; and at most depth requests a poll where tokens are short, so one that polls " +
			"rarely starves.",
		Source: "Seastar, src/core/io_queue.cc, src/core/fair_queue.cc and tests/perf/shared_token_bucket.cc (commits 7051efb9d and 23309298b)",
		Over:   []string{"rover"},
		Fields: append(polling(), reserving()...),
	}
}

// polling are the fields about when a shard looks.
func polling() []catalog.Field {
	return []catalog.Field{
		{Name: "poll_interval", Kind: catalog.Duration, Default: "100us", Min: "1us",
			Doc: "time between two polls of a shard that has something to do"},
		{Name: "idle", Kind: catalog.Enum, Enum: []string{"poll", "sleep"}, Default: "poll",
			Doc: "how a shard waits: it polls on, or it sleeps for as long as the rate takes to earn what is missing (not less than poll_interval) and is woken by a request that finds it with nothing to do"},
		{Name: "phase", Kind: catalog.Enum, Enum: []string{"aligned", "staggered", "random"}, Default: "staggered",
			Doc: "when within an interval each shard polls and releases: all at its multiples (in the order of their numbers), shard i of N at (i+0.5)/N of it, or each at a random place"},
		{Name: "rare", Kind: catalog.Group, Doc: "shards that poll more rarely than the others", Fields: []catalog.Field{
			shareOfShards(),
			{Name: "poll_interval", Kind: catalog.Duration, Default: "1ms", Min: "1us", Doc: "time between two of their polls"},
		}},
		{Name: "stalls", Kind: catalog.Group, Doc: "other work that holds a shard up again and again; a poll or a release that falls into it happens at its end", Fields: []catalog.Field{
			shareOfShards(),
			{Name: "busy", Kind: catalog.Duration, Default: "300us", Min: "1ns", Max: "1d", Doc: "mean of its time, exponential"},
			{Name: "rest", Kind: catalog.Duration, Default: "100us", Min: "1ns", Max: "1d", Doc: "mean of the time between, exponential"},
		}},
	}
}

func shareOfShards() catalog.Field {
	return catalog.Field{Name: "shards", Kind: catalog.Share, Default: "100%", Min: "0", Max: "1", Doc: "which part of the shards it is about, spread evenly over them"}
}

// reserving are the fields about what a shard does when it looks.
func reserving() []catalog.Field {
	return []catalog.Field{
		{Name: "reserve", Kind: catalog.Enum, Enum: []string{"request", "batch"}, Default: "request",
			Doc: "what a shard claims: the tokens of each request by itself (until 2025), or per_poll tokens at a time for whatever comes (since)"},
		{Name: "depth", Kind: catalog.Int, Unit: "claims", Default: "1", Min: "1", Max: "1024",
			Doc: "reserve request: how many claims a shard may have pending"},
		{Name: "unused", Kind: catalog.Enum, Enum: []string{"passed-on", "refunded"}, Default: "passed-on",
			Doc: "reserve request: what becomes of the claim of a request whose max_wait ends: the next one in the shard's queue gets it, if it costs no more, or it is refunded and the next one claims anew, at the tail"},
		{Name: "per_poll", Kind: catalog.Int, Unit: "tokens", Min: "1",
			Doc: "reserve request: a shard stops for this poll once it has dispatched so much; reserve batch: the size of a batch; burst/N of N shards unless given, at least 1"},
		{Name: "reap_interval", Kind: catalog.Duration, Default: "0s", Min: "0s",
			Doc: "capped: period of the timer by which a shard releases what has completed; 0s releases at once"},
		{Name: "reap", Kind: catalog.Enum, Enum: []string{"all", "share"}, Default: "all",
			Doc: "capped, with a reap_interval: what a tick releases: all that has completed, or at most rate/N of N shards times the time since the last tick, rounded down, as the original's test has it (a tick that is worth less than one token leaves its time to the next), where each shard's part of the disk is just as fast as that"},
	}
}
