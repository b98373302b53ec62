// Package local declares the limiter with a counter of its own in every client. It
// declares options and presets only; to run such a limiter, use a table of package
// counter in each client.
//
// The package makes no promise: it can change at any time.
package local

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "local",
		Summary: "a counter of its own in every client, with the full limit or a share of it",
		Idea: "Clients do not communicate. With `share: full` each one grants the whole limit; with `share: divided` each one grants " +
			"limit/N for N clients, which is right only if traffic is spread evenly, or with `shares` a given share of it.",
		Bound: "full: up to N times the limit. shares: their sum times the limit. divided: at most the limit, and as little as limit/N if one client gets all the traffic; " +
			"rounding a share that is not a whole number changes it by up to one request per client and window.",
		Source: "traefik issue 8061 (full limit per replica); Envoy's local rate limit filter (a share per proxy)",
		Over:   []string{"fixed-window", "sliding-window-log", "sliding-window-counter", "token-bucket", "gcra", "timer-bucket"},
		Fields: append([]catalog.Field{
			{Name: "share", Needs: catalog.Needs{"clients: above 1"}, Kind: catalog.Enum, Enum: []string{"divided", "full"}, Default: "divided",
				Doc: "what each client grants: limit/N for N clients, or the full limit"},
			{Name: "shares", Needs: catalog.Needs{"share: divided"}, Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.Share, Min: "0.000001", Max: "1000", Doc: "share of one client"},
				Doc: "shares of the limit that client 0, 1 and so on grant, instead of equal ones; one for each client; their sum may differ from 1"},
			{Name: "rounding", Needs: catalog.Needs{"clients: above 1 or shares: set", "share: divided"}, Kind: catalog.Enum, Enum: []string{"down", "up"}, Default: "down",
				Doc: "how a divided limit or burst is rounded to a whole number; never below 1"},
		}, counting.JointFields()...),
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{Counter: "token-bucket"},
		catalog.Preset{
			Name:    "local-full",
			Summary: "every client grants the full limit by itself",
			Idea:    "Nothing is shared: the result of configuring each replica of a fleet with the policy's limit.",
			Bound:   "up to N times the limit with N clients",
			Source:  "traefik issue 8061",
			System:  "Traefik", Options: map[string]string{"share": "full"},
		},
		catalog.Preset{
			Name:    "local-divided",
			Summary: "every client grants limit/N by itself",
			Idea:    "A static split: exact if traffic is spread evenly over clients, and wasteful if it is not.",
			Bound:   "over all clients never more than the limit and burst together; as little as 1/N of it for traffic that reaches one client",
			Source:  "Envoy's local rate limit filter",
			System:  "Envoy",
		},
		catalog.Preset{
			Name:    "envoy-local",
			Summary: "every client grants a share of the limit from a bucket that a timer fills",
			Idea: "Envoy's local rate limit with a local cluster: each proxy's bucket is filled every fill interval with limit/N tokens, rounded up, " +
				"all at once, and holds burst/N, rounded up. Proxies do not communicate.",
			Bound: "from one fill to the next N*min(ceil(limit/N), ceil(burst/N)) if traffic is even and above that: up to N-1 over the limit, and below it with a smaller burst. " +
				"Around a fill a client can admit ceil(burst/N) plus min(ceil(limit/N), ceil(burst/N))",
			Source: "envoyproxy/envoy, local_ratelimit with local_cluster_rate_limit; the fill timer is that of versions before " +
				"pull request 35207 (2024), which filled whole tokens; later ones refill continuously (local-divided is close to them)",
			System: "Envoy", Counter: "timer-bucket", Options: map[string]string{"rounding": "up"},
		},
	)
}
