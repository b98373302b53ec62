package patterns

import (
	"errors"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// slope is a time span in which the rate changes linearly from a0/scale to
// a1/scale arrivals per ns within length ns.
//
// Its integral up to t, times 2*length*scale, is the whole number
//
//	F(t) = t*(2*length*a0 + (a1-a0)*t)
//
// It increases strictly on [0, length]. All computations use F.
type slope struct {
	length uint64
	a0, a1 uint64
	scale  uint64
}

var errWide = errors.New("rates, their fractions and the length of a change are too large for exact arithmetic in 128 bits: use a shorter change or rounder rates")

// newSlope brings two rates to a common denominator.
func newSlope(length int64, r0, r1 exactRate) (slope, error) {
	scale, ok := product(r0.p/integers.GCD(r0.p, r1.p), r1.p)
	if !ok {
		return slope{}, errWide
	}
	a0, ok0 := product(r0.n, scale/r0.p)
	a1, ok1 := product(r1.n, scale/r1.p)
	if !ok0 || !ok1 {
		return slope{}, errWide
	}
	s := slope{uint64(length), uint64(a0), uint64(a1), uint64(scale)}
	if !s.fits() {
		return slope{}, errWide
	}
	return s, nil
}

// fits reports whether F plus one arrival stays below 2^127.
func (s slope) fits() bool {
	lengths := times64(s.length, s.length)
	return lengths.len()+bits.Len64(s.a0+s.a1) <= 126 && s.arrival().len() <= 126 &&
		times64(s.length, s.scale).len() <= 125
}

// arrival returns one arrival in units of F.
func (s slope) arrival() uint128 { return times64(s.length, s.scale).times(2) }

// integral returns F(t), for t of 0..length.
func (s *slope) integral(t uint64) uint128 {
	inner := times64(2*s.length, s.a0)
	if s.a1 >= s.a0 {
		inner = inner.add(times64(s.a1-s.a0, t))
	} else {
		inner = inner.sub(times64(s.a0-s.a1, t))
	}
	return inner.times(t)
}
