package broadcast

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const gubernator = "gubernator-io/gubernator, docs/architecture.md, global.go and algorithms.go"

// Presets declares the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "gubernator-global",
				Summary: "peers answer from their copies, forward hits to the owner every 100 ms, and owners broadcast every 100 ms",
				Idea: "Gubernator's GLOBAL behaviour over its TOKEN_BUCKET: a window of requests that begins with the key's first hit. Peers decide from copies of it; " +
					"the owner adds up what they forward, refused requests too, and tells all of them what is left.",
				Bound:  "each window's first 200 ms and two one-way delays are granted by every peer from a copy of its own: up to N times the limit. When hits above a whole limit open the owner's window, it stays full for another round.",
				Source: gubernator,
			},
			System: "Gubernator", Counter: "fixed-window",
		},
		{
			Entry: catalog.Entry{
				Name:    "gubernator-global-leaky",
				Summary: "gubernator-global over a bucket that refills at the limit's rate, in every copy",
				Idea: "Gubernator's GLOBAL behaviour over its LEAKY_BUCKET. Every copy refills by itself between two updates; forwarded hits, refused ones too, " +
					"drain the owner's bucket, and the update sets all copies to whole tokens of it.",
				Bound: "each of N copies grants what it earns between two updates: up to N times the limit in the long run. Above a limit of 1000/s copies expire " +
					"at once, and with a burst unlike the limit every update fills them: then hardly anything is refused.",
				Source: gubernator,
			},
			System: "Gubernator", Counter: "token-bucket",
		},
	}
}
