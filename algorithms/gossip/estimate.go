package gossip

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// average moves an estimate by a part, 0 to 1, of its distance from the newest
// value. A falling estimate is rounded so that it reaches 0 in the end.
func average(estimate, newest int64, part units.Fraction) int64 {
	if newest >= estimate {
		return estimate + scale(newest-estimate, uint64(part.Num), uint64(part.Den), 0)
	}
	return estimate - scale(estimate-newest, uint64(part.Num), uint64(part.Den), uint64(part.Den-1))
}

// scale returns floor((a*b + more)/c), cut at maxValue.
func scale(a int64, b, c, more uint64) int64 {
	hi, lo := bits.Mul64(uint64(a), b)
	lo, carry := bits.Add64(lo, more, 0)
	if hi+carry >= c {
		return maxValue
	}
	q, _ := bits.Div64(hi+carry, lo, c)
	return int64(min(q, uint64(maxValue)))
}

// excess returns the share of a demand that is above the limit, in units of 2^-32.
func excess(demand, limit int64) uint32 {
	if demand <= limit {
		return 0
	}
	return uint32(scale(demand-limit, 1<<32, uint64(demand), 0))
}

// part returns a/(a+b) in units of 2^-shareBits, or 1 if both are 0.
func part(a, b int64) uint64 {
	if a+b == 0 {
		return 1 << shareBits
	}
	return uint64(scale(a, 1<<shareBits, uint64(a+b), 0))
}
