package gossip

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "gossip",
		Summary: "limiters estimate their demand and exchange it; each drops or grants its part of the limit",
		Idea: "Every `interval` each client estimates each key's demand from its own requests (an exponentially weighted average) and sends it to the other clients, or to a few of them. " +
			"`rule: random-drop` drops each request with probability (total demand - limit)/total demand. `rule: flow-share` gives each client a token bucket with " +
			"a part of the limit in proportion to its weight: the number of its flows (a flow is one tenant's requests for the key) while it is short of tokens, and otherwise the weight that matches its demand.",
		Bound: "random-drop, a step to k times the limit: at first nothing is dropped; after n intervals the estimate is k*(1-(1-a)^n) times the limit, so the excess falls " +
			"without undershoot if sources do not react; it is within 5 % of the limit after about 30 intervals at a = 0.1. flow-share: the parts add up to the limit once all clients have received all values; " +
			"max-min fair over flows.",
		Source: "B. Raghavan, K. Vishwanath, S. Ramabhadran, K. Yocum, A. Snoeren, Cloud Control with Distributed Rate Limiting, SIGCOMM 2007 (GRD and FPS)",
		Over:   []string{"token-bucket"},
		Needs:  map[string]catalog.Needs{"burst": {"rule: flow-share"}},
		Fields: []catalog.Field{
			{Name: "rule", Kind: catalog.Enum, Enum: []string{"random-drop", "flow-share"}, Default: "random-drop",
				Doc: "how a client uses the received values: global random drop (GRD, without a bucket), or flow proportional share (FPS)"},
			{Name: "interval", Kind: catalog.Duration, Default: "50ms", Min: "1us", Doc: "time between two estimates of a client, each of which is sent"},
			{Name: "phase", Kind: catalog.Enum, Enum: ticks.Names, Default: "random",
				Doc: "when within the interval each client estimates"},
			{Name: "ewma", Kind: catalog.Share, Default: "0.1", Min: "0.001", Max: "1", Doc: "weight of the newest interval in an estimate, and of the newest value in the weight that is sent"},
			{Name: "branching", Needs: catalog.Needs{"clients: above 1"}, Kind: catalog.IntOrEnum, Unit: "clients", Enum: []string{"all"}, Default: "all", Min: "1",
				Doc: "number of other clients to which a client sends: all of them, its own value; or this many, selected anew each time, parts of a sum (push-sum)"},
			counting.ChargeField("rule: flow-share"),
		},
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{Source: "Raghavan, Vishwanath, Ramabhadran, Yocum, Snoeren, Cloud Control with Distributed Rate Limiting, SIGCOMM 2007", System: "Cloud Control", Counter: "token-bucket"},
		catalog.Preset{
			Name:    "global-random-drop",
			Summary: "limiters exchange their demand every 50 ms and drop the share of it that exceeds the limit (GRD)",
			Idea: "Each limiter estimates its demand (average of 50 ms intervals, weight 0.1), sends it to the others, and drops each request with probability " +
				"(total demand - limit)/total demand. No limiter has a bucket.",
			Bound: "after a step to k times the limit the excess falls as the estimate k*(1-0.9^n) rises, without undershoot if sources do not react: 5 % after about 30 intervals; then the noise of one coin per request remains",
		},
		catalog.Preset{
			Name:    "flow-proportional-share",
			Summary: "limiters exchange a weight every 50 ms, and each grants its part of the limit from a token bucket (FPS)",
			Idea: "A limiter that is short of tokens has the number of its flows as its weight; another limiter has the weight at which its part equals its demand. " +
				"Every limiter's bucket gets the part of the limit in proportion to its weight.",
			Bound:   "the parts add up to the limit once all limiters have received all weights; max-min fair over flows",
			Options: map[string]string{"rule": "flow-share"},
		},
	)
}
