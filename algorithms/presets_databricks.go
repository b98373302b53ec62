package algorithms

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const databricks = "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025)"

// databricksPresets are the stages of Databricks' rate limiting, in the order of its account,
// and the options it rejected.
func databricksPresets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "batch-reported",
				Summary: "clients decide at once and report counts every 100 ms; the server answers reject-until times (stage A3)",
				Idea: "Each client admits optimistically, counts what it let through and what it refused, and reports off the request path. " +
					"The server counts fixed windows and answers, per key, until when to reject.",
				Bound: "overshoot about k*d/w for staggered reports (k = offered/limit, d = interval, w = window), " +
					"k*ceil(w/(k*d))*d/w - 1 for aligned ones",
				Source: databricks,
			},
			Enforcement: "batch-reported", Counter: "fixed-window",
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
			Enforcement: "batch-reported", Counter: "fixed-window",
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
			Enforcement: "batch-reported", Counter: "fixed-window",
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
			Enforcement: "batch-reported", Counter: "token-bucket",
			Options: map[string]string{"debt": "true", "burst": "0"},
		},
	}
}
