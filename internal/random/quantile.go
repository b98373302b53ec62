package random

import (
	"math"
	"math/bits"
)

// NormalAt returns the draw of the standard normal distribution at rank/2^64, in
// units of 2^-48: it is negative below half the ranks and rises with them. It is
// within 2^-20 of the exact value, and at most 9.1 away from 0.
//
// The method is PPND7 of Wichura, "Algorithm AS 241: The percentage points of the
// normal distribution" (1988), in integer arithmetic.
func NormalAt(rank uint64) int64 {
	q := int64(rank>>1) - 1<<62 // the rank minus half of all, in units of 2^-63
	if size := max(q, -q); size <= centralPart {
		// The square of 0.425 minus that of the rank, in units of 2^-40.
		square, _ := bits.Mul64(uint64(size), uint64(size))
		r := fixed(0.180625) - int64(square>>22)
		return multiply(q>>15, ratio(centralOver[:], centralUnder[:], r), 40)
	}
	tail := min(rank, ^rank)
	// math.Sqrt is exactly rounded on every processor, and scaling by powers of two
	// is exact.
	r := int64(math.Sqrt(float64(minusLog(tail))) * (1 << (40 - ExponentialBits/2)))
	var z int64
	if r <= fixed(5) {
		z = min(ratio(tailOver[:], tailUnder[:], r-fixed(1.6)), farOver[3]) // where the next one begins
	} else {
		z = ratio(farOver[:], farUnder[:], r-fixed(5))
	}
	if q < 0 {
		z = -z
	}
	return z << (NormalBits - 40)
}

// centralPart is 0.425 in units of 2^-63: how far from the middle the first of the
// three approximations reaches.
const centralPart = 17 << 63 / 40

// The coefficients of the approximations' polynomials in units of 2^-40, the highest
// power first.
var (
	centralOver  = [4]int64{fixed(5.9109374720e1), fixed(1.5929113202e2), fixed(5.0434271938e1), fixed(3.3871327179)}
	centralUnder = [4]int64{fixed(6.7187563600e1), fixed(7.8757757664e1), fixed(1.7895169469e1), fixed(1)}
	tailOver     = [4]int64{fixed(1.7023821103e-1), fixed(1.3067284816), fixed(2.7568153900), fixed(1.4234372777)}
	tailUnder    = [3]int64{fixed(1.2021132975e-1), fixed(7.3700164250e-1), fixed(1)}
	farOver      = [4]int64{fixed(1.7337203997e-2), fixed(4.2868294337e-1), fixed(3.0812263860), fixed(6.6579051150)}
	farUnder     = [3]int64{fixed(1.2258202635e-2), fixed(2.4197894225e-1), fixed(1)}
)

// fixed returns a constant in units of 2^-40.
func fixed(x float64) int64 { return int64(x * (1 << 40)) }

// ratio returns the quotient of two polynomials of r, all in units of 2^-40.
func ratio(over, under []int64, r int64) int64 {
	a, b := polynomial(over, r), polynomial(under, r)
	quotient, _ := bits.Div64(uint64(a)>>24, uint64(a)<<40, uint64(b)) // both are positive
	return int64(quotient)
}

func polynomial(coefficients []int64, r int64) (sum int64) {
	for _, c := range coefficients {
		sum = multiply(sum, r, 40) + c
	}
	return sum
}

// multiply returns a*b / 2^by, rounded towards 0.
func multiply(a, b int64, by uint) int64 {
	hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
	product := int64(shiftRight128(hi, lo, by))
	if a < 0 != (b < 0) {
		return -product
	}
	return product
}

// Lognormal is a log-normal distribution of positive numbers.
type Lognormal struct{ p50, slope uint64 }

// NewLognormal returns the distribution with this median and 99th percentile, 1 <=
// p50 <= p99 <= MaxLatency. Otherwise it returns an error.
func NewLognormal(p50, p99 int64) (Lognormal, error) {
	l, err := NewLatency("lognormal", p50, p99, 0)
	return Lognormal{l.scale, l.slope}, err
}

// At returns the number at rank/2^64 of the distribution, rounded to nearest and at most
// 32*MaxLatency: it does not decrease with the rank.
func (l Lognormal) At(rank uint64) int64 { return lognormalNs(l.p50, l.slope, NormalAt(rank)) }
