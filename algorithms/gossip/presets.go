package gossip

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const sigcomm = "Raghavan, Vishwanath, Ramabhadran, Yocum, Snoeren, Cloud Control with Distributed Rate Limiting, SIGCOMM 2007"

// Presets declares the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "global-random-drop",
				Summary: "limiters tell each other their demand every 50 ms and drop the share of it that is above the limit (GRD)",
				Idea: "Each limiter estimates its demand (average of 50 ms intervals, weight 0.1), tells the others, and drops each request with probability " +
					"(demand of all - limit)/demand of all. No limiter has a bucket.",
				Bound:  "after a step to k times the limit the excess falls as k*(1-0.9^n) comes up, without undershoot while sources do not react: 5 % after some 30 intervals; then noise of a coin for every request",
				Source: sigcomm,
			},
			System: "Cloud Control", Counter: "token-bucket",
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
			System: "Cloud Control", Counter: "token-bucket", Options: map[string]string{"rule": "flow-share"},
		},
	}
}
