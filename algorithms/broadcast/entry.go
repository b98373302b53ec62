package broadcast

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "broadcast",
		Summary: "every client answers from its own copy, forwards hits to the key's owner, and owners broadcast the remainder",
		Idea: "Clients are peers, and each key is owned by one of them. The peer that receives a request decides at once from a copy of the key's state, as if it owned the key; " +
			"a peer without a copy starts with a full one. `interval` after the first such hit, a peer forwards its hits to each owner. " +
			"The owner applies the sums to its own state and, `interval` after the first change, sends the state of every changed key to all other peers, which replace their copies. " +
			"Over fixed-window, a copy is a window of requests that begins with the key's first hit; over token-bucket, it is a bucket that refills.",
		Bound: "a window's first hits reach every peer's copy after two intervals and two one-way delays; until then N peers together grant up to N times the limit. " +
			"The excess is forgotten, because the owner drains to 0 and not below. Over token-bucket, each copy also refills at the full rate between two updates: " +
			"up to N times the limit in the long run.",
		Source: "gubernator-io/gubernator, docs/architecture.md (Global Behavior), global.go, gubernator.go, algorithms.go; the system's page states what the authors leave to timers and connections",
		Over:   []string{"fixed-window", "token-bucket"},
		Fields: []catalog.Field{
			{Name: "interval", Kind: catalog.Duration, Default: "100ms", Min: "1us", Doc: "GlobalSyncWait: time from the first hit to forwarding hits, and from the first change to the update"},
			{Name: "batch_limit", Kind: catalog.Int, Unit: "keys", Default: "1000", Min: "1", Max: "1000000",
				Doc: "GlobalBatchLimit: number of keys that are sent without waiting for the interval"},
			{Name: "window", Needs: catalog.Needs{"counter: fixed-window"}, Kind: catalog.Enum, Enum: []string{"first-hit", "calendar"}, Default: "first-hit",
				Doc: "over fixed-window: a window begins at each peer with the first hit after the previous window, or follows the calendar"},
			{Name: "forward", Kind: catalog.Enum, Enum: []string{"all", "admitted"}, Default: "all",
				Doc: "what a peer forwards: all requests including rejected ones, or admitted ones only"},
			{Name: "too_many", Kind: catalog.Enum, Enum: []string{"drain", "refuse"}, Default: "drain",
				Doc: "what forwarded hits above the owner's remainder do: take all of it, or nothing"},
			{Name: "fresh_window", Needs: catalog.Needs{"counter: fixed-window"}, Kind: catalog.Enum, Enum: []string{"full", "drained"}, Default: "full",
				Doc: "state of a window that forwarded hits above the limit open at the owner: full, as released, or drained"},
			{Name: "update_burst", Needs: catalog.Needs{"counter: token-bucket"}, Kind: catalog.Enum, Enum: []string{"limit", "burst"}, Default: "limit",
				Doc: "over token-bucket, the depth that an update gives the copies: the limit, as released, which refills a copy of another depth at its next use; or the bucket's own depth"},
			{Name: "resolution", Met: true, Kind: catalog.Duration, Default: "1ms", Min: "1ns", Max: "1s",
				Doc: "resolution of the peers' clocks, and of the time per request from which the expiry of a copied bucket is computed"},
			counting.ChargeField(),
		},
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{Source: "gubernator-io/gubernator, docs/architecture.md, global.go and algorithms.go", System: "Gubernator", Counter: "fixed-window"},
		catalog.Preset{
			Name:    "gubernator-global",
			Summary: "peers answer from their copies, forward hits to the owner every 100 ms, and owners broadcast every 100 ms",
			Idea: "Gubernator's GLOBAL behaviour over its TOKEN_BUCKET: a window of requests that begins with the key's first hit. Peers decide from copies of it; " +
				"the owner adds the forwarded hits, including those of rejected requests, and sends the remainder to all peers.",
			Bound: "in each window, every peer grants requests from a copy of its own for the first 200 ms and two one-way delays: up to N times the limit. If hits above a whole limit open the owner's window, it stays full for another round.",
		},
		catalog.Preset{
			Name:    "gubernator-global-leaky",
			Summary: "gubernator-global over a bucket that refills at the limit's rate in every copy",
			Idea: "Gubernator's GLOBAL behaviour over its LEAKY_BUCKET. Every copy refills by itself between two updates. Forwarded hits, including those of rejected requests, " +
				"drain the owner's bucket, and the update sets all copies to its whole tokens.",
			Bound: "each of N copies grants what it earns between two updates: up to N times the limit in the long run. Above a limit of 1000/s copies expire " +
				"at once, and if the burst differs from the limit, every update fills them: then almost nothing is rejected.",
			Counter: "token-bucket",
		},
	)
}
