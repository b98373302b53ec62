package broadcast

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const gubernator = "gubernator-io/gubernator, docs/architecture.md, global.go and algorithms.go"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "gubernator-global",
				Summary: "peers answer from their copies, forward hits to the owner every 100 ms, and owners broadcast every 100 ms",
				Idea: "Gubernator's GLOBAL behaviour over its TOKEN_BUCKET: a window of requests that begins with the key's first hit. Peers decide from copies of it; " +
					"the owner adds the forwarded hits, including those of rejected requests, and sends the remainder to all peers.",
				Bound:  "in each window, every peer grants requests from a copy of its own for the first 200 ms and two one-way delays: up to N times the limit. If hits above a whole limit open the owner's window, it stays full for another round.",
				Source: gubernator,
			},
			System: "Gubernator", Counter: "fixed-window",
		},
		{
			Entry: catalog.Entry{
				Name:    "gubernator-global-leaky",
				Summary: "gubernator-global over a bucket that refills at the limit's rate in every copy",
				Idea: "Gubernator's GLOBAL behaviour over its LEAKY_BUCKET. Every copy refills by itself between two updates. Forwarded hits, including those of rejected requests, " +
					"drain the owner's bucket, and the update sets all copies to its whole tokens.",
				Bound: "each of N copies grants what it earns between two updates: up to N times the limit in the long run. Above a limit of 1000/s copies expire " +
					"at once, and if the burst differs from the limit, every update fills them: then almost nothing is rejected.",
				Source: gubernator,
			},
			System: "Gubernator", Counter: "token-bucket",
		},
	}
}
