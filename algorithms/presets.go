package algorithms

import (
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Presets declares the algorithms that ship under a name: each counter asked
// centrally, then the published systems, a file each.
func Presets() []catalog.Preset {
	var central []catalog.Preset
	for _, c := range Counters() {
		central = append(central, catalog.Preset{
			Entry:       catalog.Entry{Name: c.Name, Summary: c.Summary, Idea: c.Idea, Bound: c.Bound, Source: c.Source},
			Enforcement: "central",
			Counter:     c.Name,
		})
	}
	return slices.Concat(
		central,
		seastarPresets(),
		localPresets(),
		neighbourPresets(),
		remotePresets(),
		databricksPresets(),
		leasesPresets(),
		sqlPresets(),
	)
}
