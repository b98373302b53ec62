package prefetch

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Presets declares the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "prefetch",
				Summary: "clients fetch 10 tokens ahead and answer from them; callers wait when there are none (option R1, rejected)",
				Idea: "A client keeps a small stock of each key's tokens and fetches the next 10 when 5 are left. Tokens hold for a second, and those nobody used are lost. " +
					"A request that finds none waits for the fetch.",
				Bound: "never over the counter's own bound but for what N clients hold, N*(low_water + lease_size) = 15*N; under the limit by what expires unused",
				Source: "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025), which rejected it: " +
					"start, exhaustion and expiry are the hard parts; every number is a choice made here",
			},
			System: "Databricks, option R1", Counter: "token-bucket",
		},
		{
			Entry: catalog.Entry{
				Name:    "bucket4j-prefetch",
				Summary: "consumeAsMuchAsPossible in batches of 10 that never expire, fetched when the last token is gone",
				Idea: "The limiter of bucket4j's issue 8: a node that has run out takes up to 10 tokens from the shared bucket, spends one and keeps the others " +
					"for as long as it takes.",
				Bound:  "N*(10 - 1) requests more than the bucket allows: 90 for 10 nodes, however long ago they fetched",
				Source: "bucket4j issue 8, comment of 2016-12-31",
			},
			System: "bucket4j", Counter: "token-bucket",
			Options: map[string]string{"low_water": "0", "expiry": "0s", "refusal": "forgotten"},
		},
	}
}
