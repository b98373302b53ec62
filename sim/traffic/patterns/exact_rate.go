package patterns

import (
	"fmt"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// exactRate is a rate in lowest terms: n arrivals per p ns. For no arrivals n
// is 0.
type exactRate struct{ n, p int64 }

// maxGap is the largest mean time between two arrivals: 2^55 ns, 417 days. The
// largest exponential draw with that mean is still below MaxTime.
const maxGap = int64(1) << 55

// newExactRate returns the rate of n arrivals in p ns.
func newExactRate(n, p int64) (exactRate, error) {
	if n < 0 || p <= 0 {
		return exactRate{}, fmt.Errorf("%d arrivals per %d ns is not a rate", n, p)
	}
	if n == 0 {
		return exactRate{0, 1}, nil
	}
	g := integers.GCD(n, p)
	n, p = n/g, p/g
	if p/n >= maxGap {
		return exactRate{}, fmt.Errorf("%d arrivals per %d ns is less than one in 2^55 ns", n, p)
	}
	if n/p >= 64 {
		return exactRate{}, fmt.Errorf("%d arrivals per %d ns is more than 64 in a nanosecond", n, p)
	}
	return exactRate{n, p}, nil
}

// product returns the product of numbers that are not negative. ok is false if
// it exceeds 2^62.
func product(factors ...int64) (result int64, ok bool) {
	result = 1
	for _, f := range factors {
		hi, lo := bits.Mul64(uint64(result), uint64(f))
		if hi != 0 || lo > 1<<62 {
			return 0, false
		}
		result = int64(lo)
	}
	return result, true
}
