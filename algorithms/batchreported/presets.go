package batchreported

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const databricks = "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025)"

// Presets declares the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "batch-reported",
				Summary: "clients decide at once and report counts every 100 ms; the server answers reject-until times (stage A3)",
				Idea: "Each client admits optimistically, counts what it let through and what it refused, and reports off the request path. " +
					"The server counts fixed windows and answers, per key, until when to reject.",
				Bound: "overshoot about k*d/w for staggered reports (k = offered/limit, d = interval, w = window), " +
					"k*ceil(w/(k*d))*d/w - 1 for aligned ones, while each client has requests in every interval and the window is full long before its end",
				Source: databricks,
			},
			System: "Databricks, batch reports", Counter: "fixed-window",
		},
		{
			Entry: catalog.Entry{
				Name:    "batch-reported-redis",
				Summary: "batch-reported with the counts in Redis, where each report is one Lua script (stage A3r)",
				Idea: "Any replica takes any client's report and writes it to the one store. A script is one operation however many keys a report has, " +
					"so the store keeps up; the answer comes a store's round trip later than from memory.",
				Bound:  "that of batch-reported, with the round trip to the store and its queue added to the answers' way: about k*(d+l)/w for staggered reports and l on the way",
				Source: databricks,
			},
			System: "Databricks, batch reports", Counter: "fixed-window",
			Options: map[string]string{"store": "{redis: {write: script}}"},
		},
		{
			Entry: catalog.Entry{
				Name:    "batch-reported-redis-batch",
				Summary: "batch-reported with the counts in Redis, where a report's keys are operations sent together (on the way to A3r)",
				Idea: "A client-side batch saves the round trips but not the operations: the store works through one for each key of a report, " +
					"and every other report queues behind them.",
				Bound:  "the store serves 1/service_time keys a second; beyond that answers come later and later, and nothing is enforced",
				Source: databricks,
			},
			System: "Databricks, batch reports", Counter: "fixed-window",
			Options: map[string]string{"store": "{redis: {write: batch}}"},
		},
		{
			Entry: catalog.Entry{
				Name:    "batch-reported-redis-descriptor",
				Summary: "batch-reported with the counts in Redis, where a report is written key by key (on the way to A3r)",
				Idea: "Each key of a report is an operation of its own, sent when the one before is answered. A report of n keys takes n round trips to the store " +
					"before its client learns anything.",
				Bound:  "that of batch-reported with n round trips and n operations of the store added to the answers' way",
				Source: databricks,
			},
			System: "Databricks, batch reports", Counter: "fixed-window",
			Options: map[string]string{"store": "{redis: {write: descriptor}}"},
		},
		{
			Entry: catalog.Entry{
				Name:    "rejection-rate",
				Summary: "batch-reported, answering the share of requests to reject instead of a time (stage A4)",
				Idea: "rejectionRate = (estimatedQps - limit)/estimatedQps: the coming second is taken to be like the last, " +
					"and clients reject that share of requests by independent coin flips.",
				Bound: "unbiased for steady traffic, with a coin's noise of about sqrt(L*(1-1/k)) requests a window; " +
					"a whole second late for traffic that changes",
				Source: databricks,
			},
			System: "Databricks, batch reports", Counter: "fixed-window",
			Options: map[string]string{"rejection_rate": "true", "reject_til": "false"},
		},
		{
			Entry: catalog.Entry{
				Name:    "rejection-rate-local",
				Summary: "rejection-rate with a local limiter in each client that cuts off obvious excess at once (stage A5)",
				Idea: "Until the server has seen a second of the new traffic a client knows nothing; its own bucket of 1.5 times its even share " +
					"bounds what it lets through meanwhile.",
				Bound:  "at most 1.5 times the limit over any time in which local buckets are empty, whatever the server says",
				Source: databricks,
			},
			System: "Databricks, batch reports", Counter: "fixed-window",
			Options: map[string]string{"rejection_rate": "true", "reject_til": "false", "local_limit": "{share: {share: 150%}}"},
		},
		{
			Entry: catalog.Entry{
				Name:    "batch-debt",
				Summary: "batch-reported over a token bucket that may go into debt, and so remembers what it let through (stage A6)",
				Idea: "Reports debit the bucket even below zero; while it is in debt the answer is to reject until it is paid off. " +
					"With a burst of 0 it approximates a sliding window.",
				Bound: "exactly the limit in the long run when reports are aligned; " +
					"any instant's excess is what one report interval and the answer's way let through, and is paid back",
				Source: databricks,
			},
			System: "Databricks, batch reports", Counter: "token-bucket",
			Options: map[string]string{"debt": "true", "burst": "0"},
		},
		{
			Entry: catalog.Entry{
				Name:    "sampled-reports",
				Summary: "batch-reported that counts one request in ten and takes it for ten (rejected option R3)",
				Idea: "Counting fewer requests makes reports smaller and rarer. For a large limit the error averages out; for a small one the server knows of a key " +
					"by luck: at 10 per second the first request that is counted fills the window.",
				Bound: "with m = ceil(share*L) counted requests to a full window, m/share admitted on average, with a standard deviation of sqrt(m*(1-share))/share " +
					"(before the delay of reports): 9.5 % of a limit of 1000, 95 % of a limit of 10",
				Source: databricks + ", which rejected it as useless for low limits; the share is open there",
			},
			System: "Databricks, option R3", Counter: "fixed-window",
			Options: map[string]string{"sample": "10%"},
		},
	}
}
