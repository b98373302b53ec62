package delayedsync

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const apisixPull = "apache/apisix pull request 13704 (limit-count with window_type: sliding and sync_interval)"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "apisix-delayed-sync",
				Summary: "clients spend the remainder of a sliding window as the shared store last answered it, and sync every 200 ms",
				Idea: "Apache APISIX limit-count with delayed sync, as of pull request 13704: a sync adds what a client admitted to the store's calendar window " +
					"and receives limit - this window - the weighted previous window. The remainder holds until the next sync or the end of the window.",
				Bound:  "each of N clients spends the same remainder until it syncs, and the previous window accounts for it: below the limit under steady overload (438/s of 500 for two clients at 800/s)",
				Source: apisixPull,
			},
			System: "APISIX", Counter: "sliding-window-counter",
		},
		{
			Entry: catalog.Entry{
				Name:    "apisix-delayed-sync-before",
				Summary: "apisix-delayed-sync before its correction: a sync answers what the calendar window alone leaves",
				Idea: "As apisix-delayed-sync, but the store's answer to a sync ignores the previous window, so at the start of each window every client " +
					"has the full limit.",
				Bound:  "up to N times the limit in a window; 590/s of 500 for two clients at 800/s",
				Source: apisixPull,
			},
			System: "APISIX", Counter: "sliding-window-counter", Options: map[string]string{"commit": "unweighted"},
		},
		{
			Entry: catalog.Entry{
				Name:    "kong-sync",
				Summary: "clients weight two windows of shared counts, which they sync every second, and count rejected requests too",
				Idea: "Kong's Rate Limiting Advanced: each node adds its own counts since the last sync to those the data store had then, and rejects while " +
					"this window's count + the weighted count of the previous window is above the limit. Rejected requests count (disable_penalty: false).",
				Bound:  "between two syncs every node sees only its own requests; because rejected requests count, a steady demand of twice the limit or more is rejected for ever once a window is full",
				Source: "Kong, Rate Limiting Advanced plugin (window_type: sliding, sync_rate) and its rate limiting library",
			},
			System: "Kong", Counter: "sliding-window-counter",
			Options: map[string]string{"pull": "counts", "interval": "1s", "count_rejected": "true"},
		},
	}
}
