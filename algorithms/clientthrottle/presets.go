package clientthrottle

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "sre-throttle",
				Summary: "clients reject with probability (requests - 2*accepts)/(requests + 1) over two minutes, before a token bucket",
				Idea: "The adaptive throttling of Google's clients: while at least half of a client's requests are accepted, it sends all of them; " +
					"beyond that it sends two requests for each accepted one and rejects the others itself.",
				Bound:  "never over the limit of the bucket behind it; in steady overload that bucket receives at most about twice the limit",
				Source: "Site Reliability Engineering (2016), chapter 21, Handling Overload, \"Client-Side Throttling\"",
			},
			System: "Google SRE", Counter: "token-bucket",
		},
	}
}
