package algorithms

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// localPresets are limiters that share nothing.
func localPresets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "local-full",
				Summary: "every client grants the full limit by itself",
				Idea:    "No sharing at all: what a fleet does when each replica is configured with the policy's limit.",
				Bound:   "up to N times the limit with N clients",
				Source:  "traefik issue 8061",
			},
			Enforcement: "local", Counter: "token-bucket", Options: map[string]string{"share": "full"},
		},
		{
			Entry: catalog.Entry{
				Name:    "local-divided",
				Summary: "every client grants limit/N by itself",
				Idea:    "A static split: exact while traffic is spread evenly over clients, and wasteful when it is not.",
				Bound:   "never over the limit; as little as 1/N of it for traffic that reaches one client",
				Source:  "Envoy's local rate limit filter",
			},
			Enforcement: "local", Counter: "token-bucket",
		},
	}
}
