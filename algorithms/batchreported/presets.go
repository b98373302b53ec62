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
			Summary: "batch-reported whose answer carries the share of requests to reject beside the reject-until time (stage A4)",
			Idea: "rejectionRate = (estimatedQps - limit)/estimatedQps, which assumes that the next second is like the last one. " +
				"Clients reject that share of requests by independent coin flips before the window is full, and all requests from then until the window's end.",
			Bound: "in steady traffic the rate admits about the limit, and a window that is full early is cut off: a few percent too much in some windows, " +
				"a few percent too little in others; a load that the last second did not show has the overshoot of batch-reported, about k*d/w",
			Options: map[string]string{"rejection_rate": "true"},
		},
		catalog.Preset{
			Name:    "rejection-rate-only",
			Summary: "batch-reported with the share of requests to reject as the answer, instead of a time (the mechanism of stage A4 alone)",
			Idea: "The rejection rate without the reject-until time that the published answer carries too: it shows what the rate does by itself. " +
				"A window that is full stays open.",
			Bound: "unbiased for steady traffic, with a noise of about sqrt(L*(1-1/k)) requests per window from the coin; " +
				"one second late for changing traffic",
			Options: map[string]string{"rejection_rate": "true", "reject_til": "false"},
		},
		catalog.Preset{
			Name:    "rejection-rate-local",
			Summary: "rejection-rate with a local limiter in each client that rejects obvious excess at once (stage A5)",
			Idea: "Before the server has counted a second of new traffic, a client has no rejection rate, and before the next answer it has no reject-until time. " +
				"Its own bucket of the whole limit refuses until then what no split of the limit could allow. The post does not say how it is set.",
			Bound: "that of rejection-rate, and each client by itself keeps the limit, whatever the server answers; the local limiter refuses nothing of demand that conforms to the policy. " +
				"Measured here in steady traffic of 1.3 to 10 times a limit of 1000/s, even or with 40 or 70 % of it on one client: at most 2 % over and 2 % under",
			Options: map[string]string{"rejection_rate": "true", "local_limit": "auto"},
		},
		catalog.Preset{
			Name:    "batch-debt",
			Summary: "batch-reported over a token bucket that can go into debt and so remembers excess (the bucket of stage A6 alone)",
			Idea: "Reports debit the bucket even below zero. While it is in debt, the answer is to reject until the debt is paid. " +
				"There is no rejection rate, and the bucket's depth is the policy's burst, or the option `burst`.",
			Bound: "exactly the limit in the long run, and nothing refused of steady demand that conforms to the bucket, if reports take no time, whatever its depth and the times of reports; " +
				"beyond the depth, the excess at any time is what the fleet admits in one report interval and the latency of the answer, and is paid back, also after an idle time",
			Counter: "token-bucket",
			Options: map[string]string{"debt": "true"},
		},
		catalog.Preset{
			Name:    "batch-debt-local",
			Summary: "batch-debt with a local limiter in each client: the published end state, which every limit uses (stage A6)",
			Idea: "The server's bucket remembers what was admitted too much and has it paid back. The local limiter cuts off obvious excess before the answer arrives: " +
				"what no split of the limit could allow. The post does not say how it is set; here each client has a bucket of the whole limit, because less refuses demand below the limit where clients differ.",
			Bound: "the local limiter refuses nothing of demand that conforms to the policy, and each client by itself keeps the limit. Clients admit until the answer arrives and then wait until that is paid: " +
				"an onset of k times the limit exceeds rate and burst by about (k-1)*L*(d+l)/w. Measured here, over and under a limit of 1000/s in steady traffic, even or with 40 or 70 % of it on one client: " +
				"with reports every 100 ms 1 % at 1.3 times the limit, 2 to 8 % at 3 times and 2 to 14 % at 10 times; with reports every 20 ms, which are five times as many, 1 % at 3 times and 2 to 5 % at 10 times",
			Counter: "token-bucket",
			Options: map[string]string{"debt": "true", "local_limit": "auto"},
		},
		catalog.Preset{
			Name:    "batch-debt-rate",
			Summary: "batch-debt-local whose answer carries the share of requests to reject as well: our combination, within 2 % of a steady load's limit",
			Idea: "The share reaches every client and cuts it in proportion to its part of the demand, so that the fleet admits about the limit between two answers, however the demand is spread. " +
				"The bucket remembers what was still admitted too much. The share is that of the last second, so it comes a second late, and stays as long after the load has fallen.",
			Bound: "measured here, over and under a limit of 1000/s in steady traffic of 1.3 to 10 times the limit, even or with 40 or 70 % of it on one client, with reports every 10, 100 or 500 ms: at most 2 %, " +
				"from the noise of coins, about sqrt(L*(1-1/k)) requests a window: at most 5 % of a limit of 100/s; 4 % with 300 ms, because a second then has the hits of 3 or 4 reports. A load that changes pays for the late share: " +
				"if it alternates every 3 s between 10 times and 0.8 of the limit, 28 % less than the reference is admitted (10 % without the share), every 5 s between 3 times and 0.8, 9 % (4 %); " +
				"if it alternates every second between 4 times and nothing, 14 % more than the limit is admitted in the long run (4 %)",
			Counter: "token-bucket",
			Source:  databricks + ", which has both parts, one after the other: it removed the rejection rate when it moved to the bucket",
			Options: map[string]string{"debt": "true", "local_limit": "auto", "rejection_rate": "true"},
		},
		catalog.Preset{
			Name:    "sampled-reports",
			Summary: "batch-reported that counts one request in ten as ten (rejected option R3)",
			Idea: "Counting fewer requests makes reports smaller and less frequent. With a large limit the error averages out. With a small limit it is large: " +
				"at 10 per second the first counted request fills the window.",
			Bound: "with m = ceil(share*L) counted requests in a full window, m/share are admitted on average, with a standard deviation of sqrt(m*(1-share))/share " +
				"(not including the delay of reports): 9.5 % of a limit of 1000, 95 % of a limit of 10",
			Source:  databricks + ", which rejected it, because it suits only high rates, and leaves the share open",
			System:  "Databricks, option R3",
			Options: map[string]string{"sample": "10%"},
		},
	)
}
