package leases

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Presets declares the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "doorman-proportional",
				Summary: "clients lease capacity: an equal share, and what is left in proportion to what is wanted beyond it",
				Idea: "Doorman with PROPORTIONAL_SHARE: leases of 300 s that are refreshed every 5 s. Who wants less than an equal share gets it; " +
					"what that leaves is handed out in proportion to the wants beyond the equal share.",
				Bound:  "leases never exceed the limit; of a limit of 120 and wants of 1000, 50 and 10 they are 69.69, 40.31 and 10 once all have refreshed",
				Source: "youtube/doorman, doc/algorithms.md and go/server/doorman/algorithm.go; lease and refresh times as typical in doc/configuration.md",
			},
			System: "Doorman", Counter: "token-bucket", Options: map[string]string{"sharing": "proportional"},
		},
		{
			Entry: catalog.Entry{
				Name:    "doorman-fair",
				Summary: "clients lease capacity: an equal share, and what is left in equal parts, in two rounds",
				Idea: "Doorman with FAIR_SHARE: as doorman-proportional, but what clients leave that want less than their share goes in equal parts to those that want more, " +
					"and what they leave of that once more. It is max-min fairness cut off after two rounds.",
				Bound:  "leases never exceed the limit; of a limit of 120 and wants of 1000, 50 and 10 they are 60, 50 and 10 once all have refreshed",
				Source: "youtube/doorman, doc/algorithms.md and go/server/doorman/algorithm.go; lease and refresh times as typical in doc/configuration.md",
			},
			System: "Doorman", Counter: "token-bucket", Options: map[string]string{"sharing": "fair"},
		},
	}
}
