package batchreported

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "batch-reported",
		Summary: "clients decide at once and report counts asynchronously; the server answers what to reject",
		Idea: "A client admits a key's requests optimistically and counts what it admits and rejects. Every `interval` it reports these " +
			"counts to the servers that own the keys. Each server answers, per key, until when to reject (`reject_til`), which share of requests " +
			"to reject (`rejection_rate`), or both. A request never waits for the network; in return, the fleet admits excess until the answers arrive.",
		Bound: "d interval, w window, k = offered/limit; traffic is steady, each client has requests in every interval, and the network has no delay. " +
			"Fixed window, overshoot as a share of the limit: staggered reports about k*d/w if w/k + 1.5*d <= w, and with less of the window left " +
			"k*d/w*(sqrt(1+2*(w-w/k)/d)-1); aligned reports k*ceil(w/(k*d))*d/w - 1 if k*(w-d) >= w, which is exactly 0 at some ratios, " +
			"and below that k-1 in every other window. Token bucket with debt: " +
			"exactly the limit in the long run; what the fleet admits in one interval and until the answer arrives may exceed it and is paid back, except with `order: literal`, which forgives it after an idle time.",
		Source: "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025); what the post leaves open is an option here",
		Over:   []string{"fixed-window", "token-bucket"},
		Fields: slices.Concat(reporting(), serving(), answering(), deciding(), counting.JointFields()),
	}
}

// reporting returns the fields about reports and their way to the server.
func reporting() []catalog.Field {
	return []catalog.Field{
		{Name: "interval", Kind: catalog.Duration, Default: "100ms", Min: "1us", Doc: "time between two reports of a client"},
		{Name: "phase", Kind: catalog.Union, Default: "random", Bare: "offsets", Doc: "when within the interval each client reports",
			Choices: []catalog.Entry{
				{Name: "aligned", Summary: "all clients at multiples of the interval"},
				{Name: "staggered", Summary: "client i of N at (i+0.5)/N of the interval"},
				{Name: "random", Summary: "each client at a random point of the interval"},
				{Name: "common-random", Summary: "all clients at one random point of the interval"},
				{Name: "offsets", Summary: "as listed", Fields: []catalog.Field{
					{Name: "at", Kind: catalog.List, Required: true,
						Elem: &catalog.Field{Kind: catalog.Duration, Min: "0s", Doc: "less than the interval"},
						Doc:  "offsets of client 0, 1 and so on; a shorter list repeats"},
				}},
			}},
		{Name: "sample", Kind: catalog.Share, Default: "100%", Min: "0.0001", Max: "1",
			Doc: "share of requests that are counted in reports, each independently; a counted request stands for 1/sample requests"},
		{Name: "group_by_owner", Kind: catalog.Bool, Default: "true", Doc: "send one call with all rows of a report that one server owns; if false, one call per row"},
		{Name: "report_loss", Met: true, Kind: catalog.Share, Default: "0%", Min: "0", Max: "1", Doc: "share of reports that are lost"},
		{Name: "lost_reports", Needs: catalog.Needs{"report_loss: above 0 or sharding: slices or faults: any"}, Kind: catalog.Enum, Enum: []string{"dropped", "resent"}, Default: "dropped",
			Doc: "what happens to the counts in a report that is lost or has no answer: dropped, or sent again with the next report"},
		{Name: "clock_skew", Met: true, Needs: catalog.Needs{"by: above 0", "share: above 0", "reject_til: true or count_in: sent", "reject_til_as: absolute or count_in: sent"}, Kind: catalog.Group, Doc: "error of client clocks; the server's clock is right", Fields: []catalog.Field{
			{Name: "by", Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1h", Doc: "size of the error"},
			{Name: "share", Kind: catalog.Share, Default: "100%", Min: "0", Max: "1", Doc: "share of the clients with that error, spread evenly"},
			{Name: "direction", Kind: catalog.Enum, Enum: []string{"ahead", "behind", "both"}, Default: "ahead", Doc: "direction of the error; both alternates"},
		}},
	}
}

// serving returns the fields about servers and the place of the counts.
func serving() []catalog.Field {
	return []catalog.Field{
		{Name: "sharding", Needs: catalog.Needs{"servers: above 1", "store: memory"}, Kind: catalog.Union, Choices: routing.Choices(), Default: "hash",
			Doc: "which server owns a key; clients learn of a new owner one after the other, the last one after the propagation time"},
		{Name: "moved_state", Needs: catalog.Needs{"servers: above 1", "store: memory", "sharding: slices or faults: reshard | server-crash | server-added | server-removed"}, Kind: catalog.Enum, Enum: []string{"lost", "kept"}, Default: "lost",
			Doc: "whether a key that moves to another owner loses its count or keeps it"},
		{Name: "server_time", Met: true, Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1h", Doc: "time that a server works on a report; it works on one at a time"},
		{Name: "store", Kind: catalog.Union, Default: "memory", Doc: "where the counts are",
			Choices: []catalog.Entry{
				{Name: "memory", Summary: "in the memory of the server that owns a key"},
				{Name: "redis", Summary: "in a store that all servers share; any server takes any report, in turn", Fields: []catalog.Field{
					{Name: "write", Kind: catalog.Enum, Enum: []string{"script", "batch", "descriptor"}, Default: "script",
						Doc: "how a report is written to the store: as one operation, as one operation per row sent together, or row by row, each after the response to the one before"},
					{Name: "network", Kind: catalog.Union, Default: "same", Bare: "constant", Doc: "round-trip latency of a server's call to the store",
						Choices: append([]catalog.Entry{{Name: "same", Summary: "the distribution of the topology's network, with independent draws"}}, catalog.Latencies()...)},
					{Name: "service_time", Kind: catalog.Duration, Default: "10us", Min: "0s", Max: "1h", Doc: "time that the store works on an operation; it works on one at a time"},
					{Name: "commands", Kind: catalog.Int, Unit: "commands", Default: "2", Min: "1", Max: "1000",
						Doc: "commands that the store executes for each row, for `store_commands_per_s` alone: 2 for INCRBY and EXPIRE"},
					{Name: "row_time", Kind: catalog.Duration, Default: "1us", Min: "0s", Max: "1h", Doc: "additional time per row of a script"},
				}},
			}},
	}
}

// answering returns the fields about the server's answers.
func answering() []catalog.Field {
	return []catalog.Field{
		{Name: "count_in", Needs: catalog.Needs{"counter: fixed-window"}, Kind: catalog.Enum, Enum: []string{"arrival", "sent"}, Default: "arrival",
			Doc: "fixed window: count hits in the window in which their report arrives, or only in the window in which it was sent"},
		{Name: "order", Needs: catalog.Needs{"counter: token-bucket"}, Kind: catalog.Enum, Enum: []string{"debit-refill", "refill-debit", "literal"}, Default: "debit-refill",
			Doc: "token bucket: how a report's hits and the refill meet. debit-refill: the refill of the last interval pays for the hits of all reports, and what was earned before is capped by the burst first; " +
				"refill-debit: all refill is capped before the hits, so a burst of 0 admits only k/(k+1) of the limit; " +
				"literal: the refill of all time since the last report pays for the hits, so the first report after an idle time is forgiven whatever the burst"},
		{Name: "reject_til", Kind: catalog.Bool, Default: "true", Doc: "answer the time until which to reject a key that is over its limit"},
		{Name: "reject_til_as", Needs: catalog.Needs{"reject_til: true"}, Kind: catalog.Enum, Enum: []string{"absolute", "duration"}, Default: "absolute",
			Doc: "how that time is sent: as a time of the server's clock, or as a duration from the answer's arrival"},
		{Name: "rejection_rate", Kind: catalog.Bool, Default: "false",
			Doc: "answer the share of requests to reject: (estimate - limit)/estimate, which assumes that the next second is like the last one"},
		{Name: "estimate", Needs: catalog.Needs{"rejection_rate: true"}, Kind: catalog.Union, Default: "previous-second", Doc: "how the server estimates a key's demand per second from the reports",
			Choices: []catalog.Entry{
				{Name: "previous-second", Summary: "the count reported in the last whole calendar second"},
				{Name: "trailing-second", Summary: "the count reported in the second up to now"},
				{Name: "ewma", Summary: "a*count + (1-a)*estimate after every calendar second", Fields: []catalog.Field{
					{Name: "a", Kind: catalog.Share, Default: "0.5", Min: "0.001", Max: "1", Doc: "weight of the newest second"},
				}},
			}},
		{Name: "count_rejected_in_estimate", Needs: catalog.Needs{"rejection_rate: true"}, Kind: catalog.Bool, Default: "true",
			Doc: "rejected cost counts as demand; if false, an offered load of k times the limit settles at sqrt(k) times the limit, after oscillating with a period of two seconds"},
	}
}

// deciding returns the fields about the client's decisions.
func deciding() []catalog.Field {
	return []catalog.Field{
		{Name: "thinning", Needs: catalog.Needs{"rejection_rate: true"}, Kind: catalog.Enum, Enum: []string{"coin", "diffusion"}, Default: "coin",
			Doc: "how a client applies a rejection rate: coin draws independently for each request, diffusion spaces rejections evenly without randomness"},
		{Name: "rate_ttl", Needs: catalog.Needs{"rejection_rate: true"}, Kind: catalog.Duration, Default: "1s", Min: "1ns", Doc: "time for which a client uses a rejection rate after its arrival"},
		{Name: "unknown", Kind: catalog.Enum, Enum: []string{"optimistic", "pessimistic"}, Default: "optimistic",
			Doc: "whether a client admits or rejects a key before its first answer, and after a server refused a report of the key, unless a later one has been answered"},
		{Name: "local_limit", Kind: catalog.Union, Default: "off", Doc: "a token bucket in each client for each key, which works without the server",
			Choices: []catalog.Entry{
				{Name: "off", Summary: "no local limit"},
				{Name: "share", Summary: "a multiple of an even split: rate share*L/N, depth share*B/N rounded up, for limit L, burst B (L if the burst is 0) and N clients; " +
					"it refuses what a client has beyond that, although the limit is not reached: of half the limit from one of 20 clients, 85 % with a share of 150 %",
					Fields: []catalog.Field{
						{Name: "share", Kind: catalog.Share, Required: true, Min: "0.001", Max: "1000000", Doc: "multiple of L/N, such as 1.5 or 150%"},
					}},
				{Name: "auto", Summary: "the whole policy: rate L, and as depth the burst or the largest cost (token-bucket), L (sliding-log) or 2L (fixed-window), by the policy's reference, " +
					"and at least the depth of the server's bucket; it refuses nothing of demand that conforms to the policy, however that is spread over clients, and N clients without a server admit up to N times the limit"},
				{Name: "rate", Summary: "a rate and a depth of its own", Fields: []catalog.Field{
					{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "tokens per time"},
					{Name: "burst", Kind: catalog.Int, Unit: "requests", Required: true, Min: "1", Doc: "depth of the bucket"},
				}},
			}},
	}
}
