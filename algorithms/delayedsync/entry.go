package delayedsync

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "delayed-sync",
		Summary: "every client counts by itself and syncs its counts with a shared store periodically, off the request path",
		Idea: "A client decides from the store's last answer and its own admitted cost since then. Every `interval` it adds its counts to one store " +
			"(Redis) and receives what all clients together have counted: the remainder of the limit (`pull: remaining`), or the counts of the current " +
			"calendar window and the previous one (`pull: counts`), which it weights itself. Between two syncs clients do not see each other's requests.",
		Bound: "for N clients, limit L, window w and interval d, each client can spend the same remainder between two syncs: up to N times " +
			"the remainder at a sync. With pull: remaining, admitted cost is known to all clients d later. Over many windows a sliding estimate keeps the mean near or " +
			"below L; the remainder of a calendar window alone exceeds L by what N clients admit in the last d before it is used up.",
		Source: "apache/apisix pull requests 13443 and 13704 (limit-count with sync_interval); Kong, Rate Limiting Advanced (sync_rate) and its rate limiting library; " +
			"what they leave open is an option here",
		Over: []string{"fixed-window", sliding},
		Fields: []catalog.Field{
			{Name: "interval", Kind: catalog.Duration, Default: "200ms", Min: "1ms",
				Doc: "time between two syncs of a client; with pull: remaining it begins with the first request after a sync"},
			{Name: "pull", Kind: catalog.Enum, Enum: []string{"remaining", "counts"}, Default: "remaining",
				Doc: "what a client receives from the store: the remainder of the limit, or the counts of the two windows"},
			{Name: "commit", Needs: catalog.Needs{"pull: remaining"}, Kind: catalog.Enum, Enum: []string{"weighted", "unweighted", "checked"}, Default: "weighted",
				Doc: "pull: remaining, what the store answers: weighted is limit - this window's count - the weighted count of the previous window; unweighted leaves out the previous window; " +
					"checked is weighted, but drops counts that arrive while the estimate is at the limit"},
			{Name: "uncommitted", Needs: catalog.Needs{"pull: remaining"}, Kind: catalog.Enum, Enum: []string{"two-windows", "kept"}, Default: "two-windows",
				Doc: "pull: remaining, whether a client drops its count since the last sync two windows after it began, or keeps it"},
			{Name: "reset_resolution", Needs: catalog.Needs{"pull: remaining"}, Kind: catalog.Duration, Default: "10ms", Min: "1ns", Max: "1h",
				Doc: "pull: remaining, a remainder holds until the end of the window, rounded up to a multiple of this"},
			{Name: "phase", Needs: catalog.Needs{"pull: counts"}, Kind: catalog.Enum, Enum: ticks.Names, Default: "random",
				Doc: "pull: counts, when within the interval each client syncs; with pull: remaining its traffic determines that"},
			counting.ChargeField(),
		},
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{Source: "apache/apisix pull request 13704 (limit-count with window_type: sliding and sync_interval)", System: "APISIX", Counter: "sliding-window-counter"},
		catalog.Preset{
			Name:    "apisix-delayed-sync",
			Summary: "clients spend the remainder of a sliding window that the shared store last returned, and sync every 200 ms",
			Idea: "Apache APISIX limit-count with delayed sync, as of pull request 13704: a sync adds what a client admitted to the store's calendar window " +
				"and receives limit - this window - the weighted previous window. The remainder holds until the next sync or the end of the window.",
			Bound: "each of N clients spends the same remainder until it syncs, and the previous window accounts for it: below the limit under steady overload (438/s of 500 for two clients at 800/s)",
		},
		catalog.Preset{
			Name:    "apisix-delayed-sync-before",
			Summary: "apisix-delayed-sync before its correction: a sync returns the remainder of the calendar window alone",
			Idea: "As apisix-delayed-sync, but the store's answer to a sync ignores the previous window, so at the start of each window every client " +
				"has the full limit.",
			Bound:   "up to N times the limit in a window; 590/s of 500 for two clients at 800/s",
			Options: map[string]string{"commit": "unweighted"},
		},
		catalog.Preset{
			Name:    "kong-sync",
			Summary: "clients weight two windows of shared counts, which they sync every second, and count rejected requests too",
			Idea: "Kong's Rate Limiting Advanced: each node adds its own counts since the last sync to those the data store had then, and rejects while " +
				"this window's count + the weighted count of the previous window is above the limit. Rejected requests count (disable_penalty: false).",
			Bound:   "between two syncs every node sees only its own requests; because rejected requests count, a steady demand of twice the limit or more is rejected permanently once a window is full",
			Source:  "Kong, Rate Limiting Advanced plugin (window_type: sliding, sync_rate) and its rate limiting library",
			System:  "Kong",
			Options: map[string]string{"pull": "counts", "interval": "1s", "count_rejected": "true"},
		},
	)
}
