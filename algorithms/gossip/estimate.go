package gossip

import (
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// average moves an estimate by a part, 0 to 1, of its distance from the newest
// value. A falling estimate is rounded so that it reaches 0 in the end.
func average(estimate, newest int64, part units.Fraction) int64 {
	if newest >= estimate {
		return estimate + integers.MulDiv(newest-estimate, part.Num, part.Den, maxValue)
	}
	return estimate - integers.MulDivUp(estimate-newest, part.Num, part.Den, maxValue)
}

// excess returns the share of a demand that is above the limit, in units of 2^-32.
func excess(demand, limit int64) uint32 {
	return uint32(integers.MulDiv(max(demand-limit, 0), 1<<32, max(demand, 1), maxValue))
}

// part returns a/(a+b) in units of 2^-shareBits, or 1 if both are 0.
func part(a, b int64) uint64 {
	if a+b == 0 {
		return 1 << shareBits
	}
	return uint64(integers.MulDiv(a, 1<<shareBits, a+b, maxValue))
}
