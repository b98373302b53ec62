package gossip

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const sigcomm = "Raghavan, Vishwanath, Ramabhadran, Yocum, Snoeren, Cloud Control with Distributed Rate Limiting, SIGCOMM 2007"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "global-random-drop",
				Summary: "limiters exchange their demand every 50 ms and drop the share of it that exceeds the limit (GRD)",
				Idea: "Each limiter estimates its demand (average of 50 ms intervals, weight 0.1), sends it to the others, and drops each request with probability " +
					"(total demand - limit)/total demand. No limiter has a bucket.",
				Bound:  "after a step to k times the limit the excess falls as the estimate k*(1-0.9^n) rises, without undershoot if sources do not react: 5 % after about 30 intervals; then the noise of one coin per request remains",
				Source: sigcomm,
			},
			System: "Cloud Control", Counter: "token-bucket",
		},
		{
			Entry: catalog.Entry{
				Name:    "flow-proportional-share",
				Summary: "limiters exchange a weight every 50 ms, and each grants its part of the limit from a token bucket (FPS)",
				Idea: "A limiter that is short of tokens has the number of its flows as its weight; another limiter has the weight at which its part equals its demand. " +
					"Every limiter's bucket gets the part of the limit in proportion to its weight.",
				Bound:  "the parts add up to the limit once all limiters have received all weights; max-min fair over flows",
				Source: sigcomm,
			},
			System: "Cloud Control", Counter: "token-bucket", Options: map[string]string{"rule": "flow-share"},
		},
	}
}
