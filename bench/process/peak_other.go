//go:build !linux

package process

import (
	"math"
	"os"
)

// peakMB returns NaN, because the value is not known on this system.
func peakMB(*os.ProcessState) float64 { return math.NaN() }
