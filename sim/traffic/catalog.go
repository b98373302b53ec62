package traffic

import (
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/traffic/patterns"
)

// Patterns declares every traffic pattern, for the catalog.
func Patterns() []catalog.Entry { return append(patterns.Entries(), logs.Entry()) }

const patternTrace = "trace"
