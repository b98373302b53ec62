package leases

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "doorman-proportional",
				Summary: "clients lease capacity: an equal share, plus a part of the rest in proportion to the remaining demand",
				Idea: "Doorman with PROPORTIONAL_SHARE: leases of 300 s that are refreshed every 5 s. A client that wants less than an equal share gets what it wants; " +
					"the rest is shared in proportion to the demand beyond the equal share.",
				Bound:  "leases never exceed the limit; with a limit of 120 and demands of 1000, 50 and 10 they are 69.69, 40.31 and 10 once all have refreshed",
				Source: "youtube/doorman, doc/algorithms.md and go/server/doorman/algorithm.go; lease and refresh times as typical in doc/configuration.md",
			},
			System: "Doorman", Counter: "token-bucket", Options: map[string]string{"sharing": "proportional"},
		},
		{
			Entry: catalog.Entry{
				Name:    "doorman-fair",
				Summary: "clients lease capacity: an equal share, plus equal parts of the rest in two rounds",
				Idea: "Doorman with FAIR_SHARE: as doorman-proportional, but what clients with less demand than their share leave goes in equal parts to those that want more, " +
					"and what these leave of it once more. This is max-min fairness stopped after two rounds.",
				Bound:  "leases never exceed the limit; with a limit of 120 and demands of 1000, 50 and 10 they are 60, 50 and 10 once all have refreshed",
				Source: "youtube/doorman, doc/algorithms.md and go/server/doorman/algorithm.go; lease and refresh times as typical in doc/configuration.md",
			},
			System: "Doorman", Counter: "token-bucket", Options: map[string]string{"sharing": "fair"},
		},
	}
}
