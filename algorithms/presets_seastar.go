package algorithms

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// seastarPresets are the forms of Seastar's shared token bucket.
func seastarPresets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "rover-capped",
				Summary: "rover bucket that hands a token out again only after the request that used it has completed",
				Idea: "A third rover, ceil, follows completions: tokens are replenished by time, but only as many as the guarded backend has given back. " +
					"When the backend slows down, the bucket slows down with it and the queue stays with the callers.",
				Bound:  "throughput = min(rate, limit / hold time); in-flight cost never above the limit",
				Source: "Seastar, include/seastar/util/shared_token_bucket.hh (capped_release::yes)",
			},
			Enforcement: "central", Counter: "rover", Options: map[string]string{"capped": "true"},
		},
	}
}
