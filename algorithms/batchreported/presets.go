package batchreported

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const databricks = "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025)"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{Source: databricks, System: "Databricks, batch reports", Counter: "fixed-window"},
		catalog.Preset{
			Name:    "batch-reported",
			Summary: "clients decide at once and report counts every 100 ms; the server answers reject-until times (stage A3)",
			Idea: "Each client admits optimistically, counts what it admits and rejects, and reports off the request path. " +
				"The server counts fixed windows and answers, per key, until when to reject.",
			Bound: "overshoot about k*d/w for staggered reports (k = offered/limit, d = interval, w = window) and " +
				"k*ceil(w/(k*d))*d/w - 1 for aligned ones, if each client has requests in every interval and the window is full well before its end",
		},
		catalog.Preset{
			Name:    "batch-reported-redis",
			Summary: "batch-reported with the counts in Redis, where each report is one Lua script (stage A3r)",
			Idea: "Any replica takes any client's report and writes it to the one store. A script is one operation, whatever the number of keys in the report, " +
				"so the store keeps up; the answer arrives one store round trip later than from memory.",
			Bound:   "that of batch-reported, plus the round trip to the store and its queue in the latency of answers: about k*(d+l)/w for staggered reports with latency l",
			Options: map[string]string{"store": "{redis: {write: script}}"},
		},
		catalog.Preset{
			Name:    "batch-reported-redis-batch",
			Summary: "batch-reported with the counts in Redis, where a report's keys are operations sent together (on the way to A3r)",
			Idea: "A client-side batch saves the round trips but not the operations: the store executes one operation for each key of a report, " +
				"and all other reports queue behind it.",
			Bound:   "the store serves 1/service_time keys per second; above that, answers arrive later and later, and the limit is not enforced",
			Options: map[string]string{"store": "{redis: {write: batch}}"},
		},
		catalog.Preset{
			Name:    "batch-reported-redis-descriptor",
			Summary: "batch-reported with the counts in Redis, where a report is written key by key (on the way to A3r)",
			Idea: "Each key of a report is an operation of its own, sent after the response to the one before. A report of n keys takes n round trips to the store " +
				"before its client receives an answer.",
			Bound:   "that of batch-reported, plus n round trips to the store and n of its operations in the latency of answers",
			Options: map[string]string{"store": "{redis: {write: descriptor}}"},
		},
		catalog.Preset{
			Name:    "rejection-rate",
			Summary: "batch-reported with the share of requests to reject as the answer, instead of a time (stage A4)",
			Idea: "rejectionRate = (estimatedQps - limit)/estimatedQps, which assumes that the next second is like the last one. " +
				"Clients reject that share of requests by independent coin flips.",
			Bound: "unbiased for steady traffic, with a noise of about sqrt(L*(1-1/k)) requests per window from the coin; " +
				"one second late for changing traffic",
			Options: map[string]string{"rejection_rate": "true", "reject_til": "false"},
		},
		catalog.Preset{
			Name:    "rejection-rate-local",
			Summary: "rejection-rate with a local limiter in each client that rejects obvious excess at once (stage A5)",
			Idea: "Before the server has counted a second of new traffic, a client has no rejection rate. Its own bucket of 1.5 times its even share " +
				"limits what it admits until then.",
			Bound:   "at most 1.5 times the limit over any time in which local buckets are empty, whatever the server answers",
			Options: map[string]string{"rejection_rate": "true", "reject_til": "false", "local_limit": "{share: {share: 150%}}"},
		},
		catalog.Preset{
			Name:    "batch-debt",
			Summary: "batch-reported over a token bucket that can go into debt and so remembers excess (stage A6)",
			Idea: "Reports debit the bucket even below zero. While it is in debt, the answer is to reject until the debt is paid. " +
				"With a burst of 0 it approximates a sliding window.",
			Bound: "exactly the limit in the long run if reports are aligned; " +
				"the excess at any time is what the fleet admits in one report interval and the latency of the answer, and is paid back, also after an idle time",
			Counter: "token-bucket",
			Options: map[string]string{"debt": "true", "burst": "0"},
		},
		catalog.Preset{
			Name:    "sampled-reports",
			Summary: "batch-reported that counts one request in ten as ten (rejected option R3)",
			Idea: "Counting fewer requests makes reports smaller and less frequent. With a large limit the error averages out. With a small limit it is large: " +
				"at 10 per second the first counted request fills the window.",
			Bound: "with m = ceil(share*L) counted requests in a full window, m/share are admitted on average, with a standard deviation of sqrt(m*(1-share))/share " +
				"(not including the delay of reports): 9.5 % of a limit of 1000, 95 % of a limit of 10",
			Source:  databricks + ", which rejected it as useless for low limits and leaves the share open",
			System:  "Databricks, option R3",
			Options: map[string]string{"sample": "10%"},
		},
	)
}
