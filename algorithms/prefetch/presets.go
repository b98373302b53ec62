package prefetch

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "prefetch",
				Summary: "clients prefetch 10 tokens and answer from them; callers wait when there are none (option R1, rejected)",
				Idea: "A client keeps a small stock of tokens for each key and fetches the next 10 when 5 are left. Tokens are valid for one second; unused ones are lost. " +
					"A request without a token waits for the fetch.",
				Bound: "at most the counter's own bound plus what N clients hold, N*(low_water + lease_size) = 15*N; below the limit by the tokens that expire unused",
				Source: "Databricks, \"High Performance Ratelimiting at Databricks\" (September 2025), which rejected it: " +
					"start, exhaustion and expiry are the hard parts; all numbers are our choice",
			},
			System: "Databricks, option R1", Counter: "token-bucket",
		},
		{
			Entry: catalog.Entry{
				Name:    "bucket4j-prefetch",
				Summary: "consumeAsMuchAsPossible in batches of 10 that never expire, fetched when the last token has been spent",
				Idea: "The limiter of bucket4j's issue 8: a node that has run out takes up to 10 tokens from the shared bucket, spends one and keeps the others " +
					"for any length of time.",
				Bound:  "N*(10 - 1) requests more than the bucket allows: 90 for 10 nodes, however long ago they fetched",
				Source: "bucket4j issue 8, comment of 2016-12-31",
			},
			System: "bucket4j", Counter: "token-bucket",
			Options: map[string]string{"low_water": "0", "expiry": "0s", "refusal": "forgotten"},
		},
	}
}
