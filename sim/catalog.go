package sim

import (
	"slices"
	"sync"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// Catalog returns everything that a scenario file can name. Its lists are those of all
// callers, who must not change them.
var Catalog = sync.OnceValue(func() catalog.Catalog {
	return catalog.Catalog{
		Patterns:     slices.Clip(traffic.Patterns()),
		Counters:     slices.Clip(limiters.Counters()),
		Enforcements: slices.Clip(limiters.Enforcements()),
		Presets:      slices.Clip(limiters.Presets()),
		Metrics:      measure.Metrics(),
	}
})
