package local

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "local-full",
				Summary: "every client grants the full limit by itself",
				Idea:    "Nothing is shared: the result of configuring each replica of a fleet with the policy's limit.",
				Bound:   "up to N times the limit with N clients",
				Source:  "traefik issue 8061",
			},
			System: "Traefik", Counter: "token-bucket", Options: map[string]string{"share": "full"},
		},
		{
			Entry: catalog.Entry{
				Name:    "local-divided",
				Summary: "every client grants limit/N by itself",
				Idea:    "A static split: exact if traffic is spread evenly over clients, and wasteful if it is not.",
				Bound:   "never over the limit; as little as 1/N of it for traffic that reaches one client",
				Source:  "Envoy's local rate limit filter",
			},
			System: "Envoy", Counter: "token-bucket",
		},
		{
			Entry: catalog.Entry{
				Name:    "envoy-local",
				Summary: "every client grants a share of the limit from a bucket that a timer fills",
				Idea: "Envoy's local rate limit with a local cluster: each proxy's bucket is filled every fill interval with limit/N tokens, rounded up, " +
					"all at once, and holds burst/N, rounded up. Proxies do not communicate.",
				Bound: "from one fill to the next N*min(ceil(limit/N), ceil(burst/N)) if traffic is even and above that: up to N-1 over the limit, and below it with a smaller burst. " +
					"Around a fill a client can admit ceil(burst/N) plus min(ceil(limit/N), ceil(burst/N))",
				Source: "envoyproxy/envoy, local_ratelimit with local_cluster_rate_limit; the fill timer is that of versions before " +
					"pull request 35207 (2024), which filled whole tokens; later ones refill continuously (local-divided is close to them)",
			},
			System: "Envoy", Counter: "timer-bucket", Options: map[string]string{"rounding": "up"},
		},
	}
}
