// Package integers is arithmetic on 64-bit integers that is exact, or cut at a
// bound instead of running over.
package integers

import (
	"math"
	"math/bits"
)

// GCD is the greatest common divisor of numbers from 0 on.
func GCD[T int64 | uint64](a, b T) T {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Add is a+b for a, b >= 0, cut at the largest number. Of an instant and a span it
// is thus the last instant there is where the sum lies beyond.
func Add(a, b int64) int64 {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}

// CeilDiv is a/b rounded up, for a >= 0 and b > 0.
func CeilDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 {
		q++
	}
	return q
}

// FloorDiv is a/b rounded towards minus infinity, for b > 0.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// MulDiv is floor(a*b/c) for a, b >= 0 and c > 0, cut at ceiling.
func MulDiv(a, b, c, ceiling int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return ceiling
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, uint64(ceiling)))
}
