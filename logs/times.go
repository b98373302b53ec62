package logs

import "github.com/limitgauge/limitgauge/logs/times"

// TimeFormats and DurationUnits list the values of the options of those names.
var (
	TimeFormats   = times.Formats
	DurationUnits = times.Units
)
