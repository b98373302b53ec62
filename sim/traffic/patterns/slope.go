package patterns

import (
	"errors"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/sim/random"
)

// slope is a stretch of time over which the rate changes linearly: from
// a0/scale to a1/scale arrivals per nanosecond within length nanoseconds.
//
// Its integral up to t, times 2*length*scale, is the whole number
//
//	F(t) = t*(2*length*a0 + (a1-a0)*t)
//
// which rises strictly on [0, length]; all questions are asked of F.
type slope struct {
	length uint64
	a0, a1 uint64
	scale  uint64
}

var errWide = errors.New("rates, their fractions and the length of a change are too large for exact arithmetic in 128 bits: use a shorter change or rounder rates")

// newSlope brings two rates to a common denominator.
func newSlope(length int64, r0, r1 pace) (slope, error) {
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

// fits reports whether F and one arrival more stay below 2^127.
func (s slope) fits() bool {
	lengths := times64(s.length, s.length)
	return lengths.len()+bits.Len64(s.a0+s.a1) <= 126 && s.arrival().len() <= 126 &&
		times64(s.length, s.scale).len() <= 125
}

// arrival is one arrival in units of F.
func (s slope) arrival() wide { return times64(s.length, s.scale).times(2) }

// integral is F(t), for t of 0..length.
func (s *slope) integral(t uint64) wide {
	inner := times64(2*s.length, s.a0)
	if s.a1 >= s.a0 {
		inner = inner.add(times64(s.a1-s.a0, t))
	} else {
		inner = inner.sub(times64(s.a0-s.a1, t))
	}
	return inner.times(t)
}

// thinned yields a Poisson process on a slope: arrivals at the larger of its
// two rates, of which each stays with the probability that the rate at its
// instant bears to the larger. The probability is exact to 2^-62.
type thinned struct {
	slope
	all   memoryless
	start int64
	full  wide // the larger rate, times scale*length
	shift int  // what brings full into 63 bits
}

func newThinned(draws *random.Stream, start int64, s slope, larger pace) thinned {
	full := times64(max(s.a0, s.a1), s.length)
	return thinned{slope: s, all: newMemoryless(draws, start, larger), start: start, full: full, shift: max(0, full.len()-63)}
}

// keeps decides whether an arrival t after the start stays.
func (h *thinned) keeps(draws *random.Stream, t uint64) bool {
	rate := times64(h.a0, h.length-t).add(times64(h.a1, t))
	drawn, _ := bits.Mul64(draws.Uint64(), h.full.shiftRight(h.shift).lo)
	return drawn < rate.shiftRight(h.shift).lo
}

func (h *thinned) fill(draws *random.Stream, times []int64, end int64) int {
	i := 0
	for i < len(times) && !h.all.none && h.all.at < end {
		times[i] = h.all.at // overwritten if it does not stay: nobody can guess
		if h.keeps(draws, uint64(h.all.at-h.start)) {
			i++
		}
		h.all.skip(draws)
	}
	return i
}
