package algorithms

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const (
	gubernator = "gubernator-io/gubernator, docs/architecture.md, global.go and algorithms.go"
	apisix     = "apache/apisix pull request 13704 (limit-count with window_type: sliding and sync_interval)"
	sigcomm    = "Raghavan, Vishwanath, Ramabhadran, Yocum, Snoeren, Cloud Control with Distributed Rate Limiting, SIGCOMM 2007"
)

// neighbourPresets are limiters of nodes that exchange counts, directly or
// through a store.
func neighbourPresets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "envoy-local",
				Summary: "every client grants a share of the limit from a bucket that a timer fills",
				Idea: "Envoy's local rate limit with a local cluster: each proxy's bucket is filled every fill interval with limit/N tokens, rounded up, " +
					"all at once, and holds burst/N, rounded up. Proxies never talk to each other.",
				Bound: "from one fill to the next N*min(ceil(limit/N), ceil(burst/N)) while traffic is even and above that: up to N-1 over the limit, and below it with a smaller burst. " +
					"Around a fill a client may see ceil(burst/N) and another min(ceil(limit/N), ceil(burst/N))",
				Source: "envoyproxy/envoy, local_ratelimit with local_cluster_rate_limit; the fill timer is that of versions before " +
					"pull request 35207 (2024), which filled whole tokens; later ones refill continuously (local-divided is close to them)",
			},
			Enforcement: "local", Counter: "timer-bucket", Options: map[string]string{"rounding": "up"},
		},
		{
			Entry: catalog.Entry{
				Name:    "gubernator-global",
				Summary: "peers answer from their copies, forward hits to the owner every 100 ms, and owners broadcast every 100 ms",
				Idea: "Gubernator's GLOBAL behaviour over its TOKEN_BUCKET: a window of requests that begins with the key's first hit. Peers decide from copies of it; " +
					"the owner adds up what they forward, refused requests too, and tells all of them what is left.",
				Bound:  "each window's first 200 ms and two one-way delays are granted by every peer from a copy of its own: up to N times the limit. When hits above a whole limit open the owner's window, it stays full for another round.",
				Source: gubernator,
			},
			Enforcement: "broadcast", Counter: "fixed-window",
		},
		{
			Entry: catalog.Entry{
				Name:    "gubernator-global-leaky",
				Summary: "gubernator-global over a bucket that refills at the limit's rate, in every copy",
				Idea: "Gubernator's GLOBAL behaviour over its LEAKY_BUCKET. Every copy refills by itself between two updates; forwarded hits, refused ones too, " +
					"drain the owner's bucket, and the update sets all copies to whole tokens of it.",
				Bound: "each of N copies grants what it earns between two updates: up to N times the limit in the long run. Above a limit of 1000/s copies expire " +
					"at once, and with a burst unlike the limit every update fills them: then hardly anything is refused.",
				Source: gubernator,
			},
			Enforcement: "broadcast", Counter: "token-bucket",
		},
		{
			Entry: catalog.Entry{
				Name:    "apisix-delayed-sync",
				Summary: "clients spend what the shared store said remains of a sliding window, and sync every 200 ms",
				Idea: "Apache APISIX limit-count with delayed sync, as of pull request 13704: a sync adds what a client let through to the store's calendar window " +
					"and takes back limit - this window - the weighed window before. The remainder holds until the next sync, or the end of the window.",
				Bound:  "each of N clients spends the same remainder until it syncs, and the window before remembers it: below the limit under steady overload (438/s of 500 for two clients at 800/s)",
				Source: apisix,
			},
			Enforcement: "delayed-sync", Counter: "sliding-window-counter",
		},
		{
			Entry: catalog.Entry{
				Name:    "apisix-delayed-sync-before",
				Summary: "apisix-delayed-sync before it was mended: a sync answers what the calendar window alone leaves",
				Idea: "As apisix-delayed-sync, but the store's answer to a sync leaves out the window before, so that at each window's start every client " +
					"begins with the full limit.",
				Bound:  "up to N times the limit in a window; 590/s of 500 for two clients at 800/s",
				Source: apisix,
			},
			Enforcement: "delayed-sync", Counter: "sliding-window-counter", Options: map[string]string{"commit": "unweighted"},
		},
		{
			Entry: catalog.Entry{
				Name:    "kong-sync",
				Summary: "clients weigh two windows of shared counts, which they sync every second, and count refused requests too",
				Idea: "Kong's Rate Limiting Advanced: each node adds its own counts since the last sync to those the data store had then, and refuses while " +
					"this window's count + the weighed count of the window before is above the limit. Refused requests count (disable_penalty: false).",
				Bound:  "between two syncs every node sees its own requests alone; with refused requests counted, steady demand of twice the limit or more is refused for good once a window is full",
				Source: "Kong, Rate Limiting Advanced plugin (window_type: sliding, sync_rate) and its rate limiting library",
			},
			Enforcement: "delayed-sync", Counter: "sliding-window-counter",
			Options: map[string]string{"pull": "counts", "interval": "1s", "count_rejected": "true"},
		},
		{
			Entry: catalog.Entry{
				Name:    "global-random-drop",
				Summary: "limiters tell each other their demand every 50 ms and drop the share of it that is above the limit (GRD)",
				Idea: "Each limiter estimates its demand (average of 50 ms intervals, weight 0.1), tells the others, and drops each request with probability " +
					"(demand of all - limit)/demand of all. No limiter has a bucket.",
				Bound:  "after a step to k times the limit the excess falls as k*(1-0.9^n) comes up, without undershoot while sources do not react: 5 % after some 30 intervals; then noise of a coin for every request",
				Source: sigcomm,
			},
			Enforcement: "gossip", Counter: "token-bucket",
		},
		{
			Entry: catalog.Entry{
				Name:    "flow-proportional-share",
				Summary: "limiters tell each other a weight every 50 ms, and each grants its part of the limit from a token bucket (FPS)",
				Idea: "A limiter that is short of tokens weighs as many flows as it has; one that is not weighs what makes its part just its demand. " +
					"Every limiter's bucket gets its weight's part of the limit.",
				Bound:  "the parts add up to the limit once all have heard of all; max-min fair over flows",
				Source: sigcomm,
			},
			Enforcement: "gossip", Counter: "token-bucket", Options: map[string]string{"rule": "flow-share"},
		},
	}
}
