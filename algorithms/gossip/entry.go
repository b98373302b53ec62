package gossip

import (
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry declares the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "gossip",
		Summary: "limiters estimate their demand and tell each other; each drops or grants its part of the limit",
		Idea: "Every `interval` each client estimates each key's demand as it sees it (an exponentially weighted average) and tells the other clients, or a few of them. " +
			"`rule: random-drop` drops each request with probability (demand of all - limit)/demand of all. `rule: flow-share` gives each client a token bucket with " +
			"a part of the limit by its weight: the number of its flows (a flow is one tenant's requests for the key) while it is short, and what its demand needs while it is not.",
		Bound: "random-drop, a step to k times the limit: nothing is dropped at first, and after n intervals the estimate is k*(1-(1-a)^n) times the limit, so the excess falls " +
			"without undershoot while sources do not react; within 5 % of it after about 30 intervals at a = 0.1. flow-share: the parts add up to the limit once everybody has heard of everybody; " +
			"max-min fair over flows.",
		Source: "B. Raghavan, K. Vishwanath, S. Ramabhadran, K. Yocum, A. Snoeren, Cloud Control with Distributed Rate Limiting, SIGCOMM 2007 (GRD and FPS)",
		Over:   []string{"token-bucket"},
		Fields: []catalog.Field{
			{Name: "rule", Kind: catalog.Enum, Enum: []string{"random-drop", "flow-share"}, Default: "random-drop",
				Doc: "what a client does with what it has heard: global random drop (GRD, which has no bucket), or flow proportional share (FPS)"},
			{Name: "interval", Kind: catalog.Duration, Default: "50ms", Min: "1us", Doc: "time between two estimates of a client, each of which is told"},
			{Name: "phase", Kind: catalog.Enum, Enum: ticks.Names, Default: "random",
				Doc: "when within the interval each client estimates"},
			{Name: "ewma", Kind: catalog.Share, Default: "0.1", Min: "0.001", Max: "1", Doc: "weight of the newest interval in an estimate, and of the newest weight in the one that is told"},
			{Name: "branching", Kind: catalog.IntOrEnum, Unit: "clients", Enum: []string{"all"}, Default: "all", Min: "1",
				Doc: "how many others a client tells: all, each its own value, or so many drawn anew each time, parts of a sum (push-sum)"},
		},
	}
}
