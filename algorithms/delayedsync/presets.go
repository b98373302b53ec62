package delayedsync

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const apisixPull = "apache/apisix pull request 13704 (limit-count with window_type: sliding and sync_interval)"

// Presets declares the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "apisix-delayed-sync",
				Summary: "clients spend what the shared store said remains of a sliding window, and sync every 200 ms",
				Idea: "Apache APISIX limit-count with delayed sync, as of pull request 13704: a sync adds what a client let through to the store's calendar window " +
					"and takes back limit - this window - the weighed window before. The remainder holds until the next sync, or the end of the window.",
				Bound:  "each of N clients spends the same remainder until it syncs, and the window before remembers it: below the limit under steady overload (438/s of 500 for two clients at 800/s)",
				Source: apisixPull,
			},
			System: "APISIX", Counter: "sliding-window-counter",
		},
		{
			Entry: catalog.Entry{
				Name:    "apisix-delayed-sync-before",
				Summary: "apisix-delayed-sync before it was mended: a sync answers what the calendar window alone leaves",
				Idea: "As apisix-delayed-sync, but the store's answer to a sync leaves out the window before, so that at each window's start every client " +
					"begins with the full limit.",
				Bound:  "up to N times the limit in a window; 590/s of 500 for two clients at 800/s",
				Source: apisixPull,
			},
			System: "APISIX", Counter: "sliding-window-counter", Options: map[string]string{"commit": "unweighted"},
		},
		{
			Entry: catalog.Entry{
				Name:    "kong-sync",
				Summary: "clients weigh two windows of shared counts, which they sync every second, and count refused requests too",
				Idea: "Kong's Rate Limiting Advanced: each node adds its own counts since the last sync to those the data store had then, and refuses while " +
					"this window's count + the weighed count of the window before is above the limit. Refused requests count (disable_penalty: false).",
				Bound:  "between two syncs every node sees its own requests alone; with refused requests counted, steady demand of twice the limit or more is refused for good once a window is full",
				Source: "Kong, Rate Limiting Advanced plugin (window_type: sliding, sync_rate) and its rate limiting library",
			},
			System: "Kong", Counter: "sliding-window-counter",
			Options: map[string]string{"pull": "counts", "interval": "1s", "count_rejected": "true"},
		},
	}
}
