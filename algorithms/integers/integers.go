// Package integers provides arithmetic on 64-bit integers that is exact, or cut
// at a bound instead of overflowing. Use it where a limiter multiplies counts,
// rates and nanoseconds, whose products need up to 128 bits. It has no types of
// its own and does not handle negative operands unless a function says so.
//
// The package makes no promise: it can change at any time.
package integers

import (
	"math"
	"math/bits"
)

// GCD returns the greatest common divisor of a, b >= 0. GCD(a, 0) is a.
func GCD[T int64 | uint64](a, b T) T {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Add returns a+b for b >= 0, cut at math.MaxInt64. The sum of a time and a
// span beyond the last representable time is that last time.
func Add(a, b int64) int64 {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}

// Mul returns a*b for a, b >= 0, cut at ceiling.
func Mul(a, b, ceiling int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi != 0 || lo > uint64(ceiling) {
		return ceiling
	}
	return int64(lo)
}

// CeilDiv returns a/b rounded up, for a >= 0 and b > 0.
func CeilDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 {
		q++
	}
	return q
}

// FloorDiv returns a/b rounded towards minus infinity, for b > 0.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// MulDiv returns a*b/c rounded down, for a, b >= 0 and c > 0, cut at ceiling.
func MulDiv[T int64 | uint64](a, b, c, ceiling T) T {
	q, _ := mulDiv(a, b, c, ceiling)
	return q
}

// MulDivUp returns a*b/c rounded up, for a, b >= 0 and c > 0, cut at ceiling.
func MulDivUp[T int64 | uint64](a, b, c, ceiling T) T {
	q, rest := mulDiv(a, b, c, ceiling)
	if rest != 0 && q < ceiling {
		q++
	}
	return q
}

func mulDiv[T int64 | uint64](a, b, c, ceiling T) (q T, rest uint64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return ceiling, 0
	}
	quotient, rest := bits.Div64(hi, lo, uint64(c))
	return T(min(quotient, uint64(ceiling))), rest
}

// Fits reports whether used*part/whole <= free, for used, part >= 0 and whole > 0.
// It compares the products in 128 bits, without rounding.
func Fits(used, part, whole, free int64) bool {
	if free < 0 {
		return false
	}
	freeHi, freeLo := bits.Mul64(uint64(free), uint64(whole))
	usedHi, usedLo := bits.Mul64(uint64(used), uint64(part))
	_, borrow := bits.Sub64(freeLo, usedLo, 0)
	_, borrow = bits.Sub64(freeHi, usedHi, borrow)
	return borrow == 0
}
