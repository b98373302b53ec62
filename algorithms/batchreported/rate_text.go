package batchreported

import (
	"math"
	"strconv"
)

// RateText returns a rejection rate, in units of 2^-32, as the shortest decimal
// number from which ParseRate returns it.
func RateText(rate uint32) string {
	return strconv.FormatFloat(float64(rate)/(1<<32), 'f', -1, 64)
}

// ParseRate returns a rejection rate in units of 2^-32, rounded to the nearest. ok
// is false unless text is a number from 0 to below 1 after rounding.
func ParseRate(text string) (rate uint32, ok bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f < 0 || f >= 1 {
		return 0, false
	}
	scaled := uint64(math.Round(f * (1 << 32)))
	return uint32(scaled), scaled < 1<<32
}
