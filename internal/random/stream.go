// Package random makes all random numbers of a simulation: independent streams
// derived from a seed, a replication and a name, and draws of the distributions
// that traffic, networks and servers use. It knows nothing of the simulation.
//
// Results must not depend on the machine, so the package calls no function of
// package math whose result differs between processors. Its samplers use
// integer arithmetic over tables that are computed at start by exact integer
// arithmetic. Draws are in fixed point, and each states its error.
package random

import "math/bits"

// Stream is a sequence of random numbers: SplitMix64 of Steele, Lea and Flood,
// "Fast splittable pseudorandom number generators" (2014). It is a plain value;
// a copy continues independently from the same point. A Stream must be made by
// New. It is not safe for concurrent use.
type Stream struct {
	state uint64
	gamma uint64 // increment of the state; odd
}

// golden is 2^64 divided by the golden ratio, made odd.
const golden = 0x9e3779b97f4a7c15

// New returns the stream of a name within one replication of a seed. Streams
// that differ in any of the three are independent.
//
// Other programs can compute the same sequence. With mix and mixGamma as in the paper
// (both written out below) and all arithmetic modulo 2^64:
//
//	h = 0
//	for each word: h = mix((h XOR word) + golden)
//	    the words: seed; replication (two's complement); the length of name in
//	    bytes; the bytes of name, eight to a word, first byte lowest, the last
//	    word filled up with zeros
//	state = mix(h + golden)
//	gamma = mixGamma(h + 2*golden)
//
// and each draw is state = state + gamma, then mix(state).
func New(seed uint64, replication int, name string) Stream {
	h := absorb(0, seed)
	h = absorb(h, uint64(replication))
	h = absorb(h, uint64(len(name)))
	for len(name) > 0 {
		var word uint64
		n := min(8, len(name))
		for i := range n {
			word |= uint64(name[i]) << (8 * i)
		}
		h = absorb(h, word)
		name = name[n:]
	}
	gold := uint64(golden)
	return Stream{state: mix(h + gold), gamma: mixGamma(h + 2*gold)}
}

func absorb(h, word uint64) uint64 { return mix((h ^ word) + golden) }

// mix is a bijection of 64 bits in which every input bit affects all output
// bits: variant 13 of Stafford.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// mixGamma returns an odd number whose adjacent bits differ often enough. With
// a gamma of long runs the states of consecutive draws would be similar.
func mixGamma(z uint64) uint64 {
	z = (z ^ z>>33) * 0xff51afd7ed558ccd
	z = (z ^ z>>33) * 0xc4ceb9fe1a85ec53
	z = (z ^ z>>33) | 1
	if bits.OnesCount64(z^z>>1) < 24 {
		z ^= 0xaaaaaaaaaaaaaaaa
	}
	return z
}

// Jumped returns the stream after n more draws. Draws can so be numbered: a
// draw does not depend on how often others draw. For -n modulo 2^64 it returns
// the stream before its last n draws.
func (s Stream) Jumped(n uint64) Stream {
	s.state += n * s.gamma
	return s
}

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() uint64 {
	s.state += s.gamma
	return mix(s.state)
}

// FillUint64 fills dst with draws, equal to calls of Uint64 but faster.
func (s *Stream) FillUint64(dst []uint64) {
	state, gamma := s.state, s.gamma // local copies stay in registers
	for i := range dst {
		state += gamma
		dst[i] = mix(state)
	}
	s.state = state
}

// Below returns a number of 0..n-1, each with exactly the same probability:
// Lemire, "Fast random integer generation in an interval" (2019). n must be
// positive.
func (s *Stream) Below(n uint64) uint64 {
	hi, lo := bits.Mul64(s.Uint64(), n)
	if lo < n {
		return s.belowSlow(hi, lo, n)
	}
	return hi
}

// FillBelow fills dst with numbers of 0..n-1, equal to calls of Below but
// faster. n must be in 1..2^31.
func (s *Stream) FillBelow(dst []int32, n uint64) {
	state, gamma := s.state, s.gamma
	for i := range dst {
		state += gamma
		hi, lo := bits.Mul64(mix(state), n)
		if lo < n {
			again := Stream{state, gamma}
			hi = again.belowSlow(hi, lo, n)
			state = again.state
		}
		dst[i] = int32(hi)
	}
	s.state = state
}

// belowSlow draws again while the product is in the part of the range that
// would favour some numbers. That happens with a probability below n/2^64.
func (s *Stream) belowSlow(hi, lo, n uint64) uint64 {
	for excess := -n % n; lo < excess; {
		hi, lo = bits.Mul64(s.Uint64(), n)
	}
	return hi
}

// Chance returns true with probability num/den, exactly. It always takes a
// draw.
func (s *Stream) Chance(num, den uint64) bool { return s.Below(den) < num }
