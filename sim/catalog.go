package sim

import (
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// Catalog returns everything that a scenario file can name.
func Catalog() catalog.Catalog {
	return catalog.Catalog{
		Patterns:     traffic.Patterns(),
		Counters:     limiters.Counters(),
		Enforcements: limiters.Enforcements(),
		Presets:      limiters.Presets(),
		Metrics:      measure.Metrics(),
	}
}
