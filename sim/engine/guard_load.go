package engine

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios"
)

// part is a part of a nanosecond of work, or of a factor: a millionth, so that the factors that
// people write are exact.
const part = 1_000_000

// slowness is how much slower a backend is with more requests in service.
type slowness []slownessPoint // in rising order; empty for a backend that is as fast with any number

type slownessPoint struct{ at, factor int64 } // factor in parts

func newSlowness(points []scenarios.LoadPoint) (s slowness) {
	for _, p := range points {
		s = append(s, slownessPoint{p.At, integers.MulDiv(p.Factor.Num, part, p.Factor.Den, math.MaxInt64)})
	}
	return s
}

// of returns the factor with n requests in service, in parts: linear between the points,
// rounded down, and constant outside.
func (s slowness) of(n int64) int64 {
	for i, p := range s {
		switch {
		case n > p.at:
		case i == 0 || n == p.at:
			return p.factor
		default:
			before := s[i-1]
			return before.factor + integers.FloorDiv((p.factor-before.factor)*(n-before.at), p.at-before.at)
		}
	}
	if len(s) == 0 {
		return part
	}
	return s[len(s)-1].factor
}

// work returns a time of service in ns with n requests in service.
func (s slowness) work(ns, n int64) int64 {
	if len(s) == 0 {
		return ns
	}
	return integers.MulDiv(ns, s.of(n), part, math.MaxInt64)
}
