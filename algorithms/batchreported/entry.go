package batchreported

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry declares the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "batch-reported",
		Summary: "clients decide at once and report counts off the request path; the server answers what to reject",
		Idea: "A client admits a key's requests optimistically and counts what it let through and what it refused. Every `interval` it reports these " +
			"counts to the servers that own the keys, and each answers, per key, until when to reject (`reject_til`), which share of requests " +
			"to reject (`rejection_rate`), or both. A request never waits for the network; the price is what a fleet lets through before it is told.",
		Bound: "d interval, w window, k = offered/limit; traffic is steady, each client has requests in every interval, and the network is free of delay. " +
			"Fixed window, overshoot in shares of the limit: staggered reports about k*d/w as long as w/k + 1.5*d <= w, and with less of the window left " +
			"k*d/w*(sqrt(1+2*(w-w/k)/d)-1); aligned reports k*ceil(w/(k*d))*d/w - 1 as long as k*(w-d) >= w, which is exactly 0 at lucky ratios, " +
			"and below that k-1 in every other window. Token bucket with debt: " +
			"exactly the limit in the long run when reports are aligned; one interval's traffic may go over it and is paid back.",
		Source: "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025); where the post is silent, each silence is an option here",
		Over:   []string{"fixed-window", "token-bucket"},
		Fields: slices.Concat(reporting(), serving(), answering(), deciding(), counter.JointFields()),
	}
}

// reporting are the fields about the way to the server.
func reporting() []catalog.Field {
	return []catalog.Field{
		{Name: "interval", Kind: catalog.Duration, Default: "100ms", Min: "1us", Doc: "time between two reports of a client"},
		{Name: "phase", Kind: catalog.Union, Default: "random", Bare: "offsets", Doc: "when within the interval each client reports",
			Choices: []catalog.Entry{
				{Name: "aligned", Summary: "all clients at multiples of the interval"},
				{Name: "staggered", Summary: "client i of N at (i+0.5)/N of the interval"},
				{Name: "random", Summary: "each client at a random place of the interval"},
				{Name: "common-random", Summary: "all clients at one random place of the interval"},
				{Name: "offsets", Summary: "as listed", Fields: []catalog.Field{
					{Name: "at", Kind: catalog.List, Required: true,
						Elem: &catalog.Field{Kind: catalog.Duration, Min: "0s", Doc: "less than the interval"},
						Doc:  "of client 0, 1 and so on; a shorter list starts over"},
				}},
			}},
		{Name: "sample", Kind: catalog.Share, Default: "100%", Min: "0.0001", Max: "1",
			Doc: "share of requests that are counted in reports, each by itself, and stand for the others"},
		{Name: "group_by_owner", Kind: catalog.Bool, Default: "true", Doc: "one call for all rows of a report that one server owns; without it one call for each row"},
		{Name: "report_loss", Kind: catalog.Share, Default: "0%", Min: "0", Max: "1", Doc: "share of reports that get lost"},
		{Name: "lost_reports", Kind: catalog.Enum, Enum: []string{"dropped", "resent"}, Default: "dropped",
			Doc: "what becomes of the counts in a report that a client gives up: forgotten, or sent again with the next one"},
		{Name: "report_timeout", Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1h",
			Doc: "how long a client waits for an answer before it gives up the report; with 0 it waits for late answers, and gives up a report when it gets lost"},
		{Name: "report_duplicate", Kind: catalog.Share, Default: "0%", Min: "0", Max: "1", Doc: "share of arriving reports that the server counts twice"},
		{Name: "clock_skew", Kind: catalog.Group, Doc: "clocks of clients that are off; the server's is right", Fields: []catalog.Field{
			{Name: "by", Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1h", Doc: "how far"},
			{Name: "share", Kind: catalog.Share, Default: "0%", Min: "0", Max: "1", Doc: "of the clients, spread evenly over them"},
			{Name: "direction", Kind: catalog.Enum, Enum: []string{"ahead", "behind", "both"}, Default: "ahead", Doc: "which way; both is in turn"},
		}},
	}
}

// serving are the fields about where the counts are.
func serving() []catalog.Field {
	return []catalog.Field{
		{Name: "sharding", Kind: catalog.Union, Choices: routing.Choices(), Default: "hash",
			Doc: "which server owns a key; clients learn of a new owner one after the other, the last when the propagation time is over"},
		{Name: "moved_state", Kind: catalog.Enum, Enum: []string{"lost", "kept"}, Default: "lost",
			Doc: "a key that moves to another owner starts afresh there, or takes its count along"},
		{Name: "server_time", Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1h", Doc: "time a server works on a report, one after the other"},
		{Name: "store", Kind: catalog.Union, Default: "memory", Doc: "where the counts are",
			Choices: []catalog.Entry{
				{Name: "memory", Summary: "in the memory of the server that owns a key"},
				{Name: "redis", Summary: "in a store that all servers share: any of them takes any report, in turn", Fields: []catalog.Field{
					{Name: "write", Kind: catalog.Enum, Enum: []string{"script", "batch", "descriptor"}, Default: "script",
						Doc: "how a report gets into the store: as one operation, as an operation for each row sent together, or row by row, each when the one before is answered"},
					{Name: "network", Kind: catalog.Union, Default: "same", Bare: "constant", Doc: "latency of a server's call to the store, there and back",
						Choices: append([]catalog.Entry{{Name: "same", Summary: "like the topology's network, with draws of its own"}}, catalog.Latencies()...)},
					{Name: "service_time", Kind: catalog.Duration, Default: "10us", Min: "0s", Max: "1h", Doc: "time the store works on an operation, one after the other"},
					{Name: "row_time", Kind: catalog.Duration, Default: "1us", Min: "0s", Max: "1h", Doc: "time that each row of a script adds to it"},
				}},
			}},
	}
}

// answering are the fields about the server.
func answering() []catalog.Field {
	return []catalog.Field{
		{Name: "count_in", Kind: catalog.Enum, Enum: []string{"arrival", "sent"}, Default: "arrival",
			Doc: "fixed window: hits count in the window in which their report arrives, or only in the one in which it was sent"},
		{Name: "order", Kind: catalog.Enum, Enum: []string{"debit-refill", "refill-debit"}, Default: "debit-refill",
			Doc: "token bucket: what comes first at an instant; with a burst of 0, refill-debit admits only k/(k+1) of the limit"},
		{Name: "reject_til", Kind: catalog.Bool, Default: "true", Doc: "answer an instant until which to reject a key that is over its limit"},
		{Name: "reject_til_as", Kind: catalog.Enum, Enum: []string{"absolute", "duration"}, Default: "absolute",
			Doc: "how that instant travels: by the server's clock, or as a span from the answer's arrival"},
		{Name: "rejection_rate", Kind: catalog.Bool, Default: "false",
			Doc: "answer the share of requests to reject: (estimate - limit)/estimate, taking the coming second to be like the last"},
		{Name: "estimate", Kind: catalog.Union, Default: "previous-second", Doc: "how the server estimates a key's demand per second from the reports",
			Choices: []catalog.Entry{
				{Name: "previous-second", Summary: "what was reported in the last whole calendar second"},
				{Name: "trailing-second", Summary: "what was reported in the second up to now"},
				{Name: "ewma", Summary: "a*count + (1-a)*estimate after every calendar second", Fields: []catalog.Field{
					{Name: "a", Kind: catalog.Share, Default: "0.5", Min: "0.001", Max: "1", Doc: "weight of the newest second"},
				}},
			}},
		{Name: "count_rejected_in_estimate", Kind: catalog.Bool, Default: "true",
			Doc: "refused cost counts as demand; without it k times the limit settles at sqrt(k) times the limit, after swinging with a period of two seconds"},
	}
}

// deciding are the fields about the client.
func deciding() []catalog.Field {
	return []catalog.Field{
		{Name: "thinning", Kind: catalog.Enum, Enum: []string{"coin", "diffusion"}, Default: "coin",
			Doc: "how a client applies a rejection rate: an independent draw for each request, or evenly without randomness"},
		{Name: "rate_ttl", Kind: catalog.Duration, Default: "1s", Min: "1ns", Doc: "how long after its arrival a rejection rate holds"},
		{Name: "unknown", Kind: catalog.Enum, Enum: []string{"optimistic", "pessimistic"}, Default: "optimistic",
			Doc: "what a client does with a key until its first answer, and after it gave up a report of it, unless a later one has been answered: admit, or reject"},
		{Name: "local_limit", Kind: catalog.Union, Default: "off", Doc: "a token bucket of each client for each key, which needs no server",
			Choices: []catalog.Entry{
				{Name: "off", Summary: "none"},
				{Name: "share", Summary: "a multiple of an even split: rate share*L/N, depth share*B/N rounded up, for limit L, burst B (or L where it is 0) and N clients",
					Fields: []catalog.Field{
						{Name: "share", Kind: catalog.Share, Required: true, Min: "0.001", Max: "1000000", Doc: "of L/N, such as 1.5 or 150%"},
					}},
				{Name: "rate", Summary: "a rate and a depth of its own", Fields: []catalog.Field{
					{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "tokens per time"},
					{Name: "burst", Kind: catalog.Int, Unit: "requests", Required: true, Min: "1", Doc: "depth of the bucket"},
				}},
			}},
	}
}
