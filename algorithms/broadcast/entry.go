package broadcast

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Entry declares the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "broadcast",
		Summary: "every client answers from its own copy, forwards hits to the key's owner, and owners broadcast what is left",
		Idea: "Clients are peers, and each key is owned by one of them. Whoever is asked decides at once from a copy of the key's state, as if it owned it; " +
			"a peer without a copy starts a full one. `interval` after the first such hit a peer forwards to each owner how much it was asked for; " +
			"the owner applies the sums to its own state and, `interval` after the first change, sends the state of every changed key to all other peers, which replace their copies. " +
			"Over fixed-window a copy is a window of requests that begins with the key's first hit; over token-bucket it is a bucket that refills.",
		Bound: "a window's first hits reach every peer's copy after two intervals and two one-way delays: until then N peers grant up to N times the limit between them. " +
			"What was granted too much is forgotten: the owner drains to 0, not below. Over token-bucket each copy also refills at the full rate between two updates: " +
			"up to N times the limit in the long run.",
		Source: "gubernator-io/gubernator, docs/architecture.md (Global Behavior), global.go, gubernator.go, algorithms.go; what its authors leave to timers and connections is stated in the system's page",
		Over:   []string{"fixed-window", "token-bucket"},
		Fields: []catalog.Field{
			{Name: "interval", Kind: catalog.Duration, Default: "100ms", Min: "1us", Doc: "GlobalSyncWait: time from the first hit to forwarding hits, and from the first change to the update"},
			{Name: "batch_limit", Kind: catalog.Int, Unit: "keys", Default: "1000", Min: "1", Max: "1000000",
				Doc: "GlobalBatchLimit: so many keys are sent without waiting for the interval"},
			{Name: "window", Kind: catalog.Enum, Enum: []string{"first-hit", "calendar"}, Default: "first-hit",
				Doc: "over fixed-window: a window begins with the first hit after the last one ended, at each peer by itself; or with the calendar"},
			{Name: "forward", Kind: catalog.Enum, Enum: []string{"all", "admitted"}, Default: "all",
				Doc: "what a peer forwards: all it was asked for, refused requests too, or what it let through"},
			{Name: "too_many", Kind: catalog.Enum, Enum: []string{"drain", "refuse"}, Default: "drain",
				Doc: "forwarded hits above what the owner has left: they take it all, or nothing"},
			{Name: "fresh_window", Kind: catalog.Enum, Enum: []string{"full", "drained"}, Default: "full",
				Doc: "what forwarded hits above the limit leave of a window that they open at the owner: all of it, as shipped, or nothing"},
			{Name: "update_burst", Kind: catalog.Enum, Enum: []string{"limit", "burst"}, Default: "limit",
				Doc: "over token-bucket, the depth an update gives the copies: the limit, as shipped, which makes a copy of another depth full again when it is next used; or the bucket's own"},
			{Name: "resolution", Kind: catalog.Duration, Default: "1ms", Min: "1ns", Max: "1s",
				Doc: "of the peers' clocks, and of the time per request from which a copied bucket's expiry is computed"},
		},
	}
}
