package traffic

import (
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/traffic/patterns"
)

// Patterns returns the declarations of all traffic patterns.
func Patterns() []catalog.Entry { return append(patterns.Entries(), logs.Entry()) }

const patternTrace = "trace"
