package random

import (
	"fmt"
	"math/bits"
)

// Scale converts exponential draws of mean 1 to the gaps of a Poisson process
// whose mean gap is an exact fraction of ns.
type Scale struct {
	multiplier uint64 // the mean gap, shifted to fill 64 bits
	shift      uint8  // number of bits of draw*multiplier/2^64 below a nanosecond
}

// MaxMeanGap is the longest mean gap of a Scale: 2^57 ns, four and a half years.
const MaxMeanGap = int64(1) << 57

// NewScale returns the scale of a process with count events in per ns, which is
// a mean gap of per/count ns. Both must be at least 1, per at most
// MaxMeanGap*count and count at most 64*per (64 events in a nanosecond);
// otherwise it panics. The mean has a relative error of at most 2^-63, rounded
// down.
func NewScale(per, count int64) Scale {
	if per < 1 || count < 1 || (per-1)/count >= MaxMeanGap || (count-1)/per >= 64 {
		panic(fmt.Sprintf("random: a mean gap of %d/%d ns is outside 1/64 ns to 2^57 ns", per, count))
	}
	p, c := uint64(per), uint64(count)
	// 2^e <= per/count < 2^(e+1).
	e := bits.Len64(p) - bits.Len64(c)
	if e >= 0 && p>>e < c || e < 0 && p<<-e < c {
		e--
	}
	// multiplier = floor(per/count * 2^(63-e)).
	hi, lo := shiftLeft128(p, 63-e)
	quo, _ := bits.Div64(hi, lo, c)
	return Scale{multiplier: quo, shift: uint8(ExponentialBits - 1 - e)}
}

// shiftLeft128 returns x * 2^by as 128 bits, for by of 0..127.
func shiftLeft128(x uint64, by int) (hi, lo uint64) {
	if by >= 64 {
		return x << (by - 64), 0
	}
	return x >> (64 - by), x << by
}

// Gap returns an exponential draw times the mean gap, as whole ns and a
// fraction in units of 2^-64.
func (s Scale) Gap(draw uint64) (ns int64, fraction uint64) {
	hi, _ := bits.Mul64(draw, s.multiplier)
	shift := s.shift & 63
	// Two shifts because shift may be 0.
	return int64(hi >> shift), hi << 1 << (63 - shift)
}

// Advance moves a time, whole ns and a fraction in units of 2^-64, by one gap.
// Because the fraction is kept, rounding errors do not accumulate.
func (s Scale) Advance(ns int64, fraction, draw uint64) (int64, uint64) {
	gap, part := s.Gap(draw)
	fraction, carry := bits.Add64(fraction, part, 0)
	return ns + gap + int64(carry), fraction
}

// AdvanceAll moves a time by one gap after another, equal to calls of Advance
// but faster. It writes the time to times before each move. It stops when the
// time reaches end or the draws are used up; n is the number of moves. times
// must be at least as long as draws.
func (s Scale) AdvanceAll(times []int64, draws []uint64, ns int64, fraction uint64, end int64) (n int, at int64, rest uint64) {
	// Here the fraction counts bits of draw*multiplier/2^64, which needs fewer
	// operations than a carry out of 64 bits.
	shift := s.shift & 63
	below := uint64(1)<<shift - 1
	part := fraction >> 1 >> (63 - shift)
	n = len(draws)
	times = times[:len(draws)]
	for i, draw := range draws {
		if ns >= end {
			n = i
			break
		}
		times[i] = ns
		gap, _ := bits.Mul64(draw, s.multiplier)
		part += gap & below
		ns += int64(gap>>shift) + int64(part>>shift)
		part &= below
	}
	return n, ns, part << 1 << (63 - shift)
}
