// Package format writes numbers, time spans and names in the form that all
// tables and figures use. It imports no other package of this module.
package format

import (
	"math"
	"strconv"
	"strings"
)

const (
	NoData     = "-"  // replaces a missing value
	SpreadMark = " ±" // separates a mean from half of its interval
)

// mostDigits is the largest number that is written in full: a count of seven digits can be
// checked by a reader.
const mostDigits = 9_999_999.5

// Number writes x at three or four significant digits, from 1000 to seven digits in full:
// 0.0123, 12.3, 999.5, 1235, 1234568, 12.35M.
func Number(x float64) string {
	if a := math.Abs(x); a >= 9999.5 && a < mostDigits {
		return fixed(x, 0)
	}
	return Short(x)
}

// Short writes x at three or four significant digits, as an axis has room for: 999.5, 1235,
// 12.35k, 1.235M. Whole numbers below 10,000 stay whole.
func Short(x float64) string {
	a := math.Abs(x)
	switch {
	case a >= 9999.5:
		return scaled(x)
	case a >= 999.95:
		return fixed(x, 0)
	case a == 0:
		return "0"
	case a < 0.001:
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return trimmed(x, decimals(a))
}

// magnitudes lists the suffixes of large numbers, as in scenario files.
var magnitudes = []struct {
	size float64
	name string
}{{1e3, "k"}, {1e6, "M"}, {1e9, "G"}}

// scaled writes |x| >= 10,000 with four digits and a suffix. Numbers too large
// for the suffixes are written as powers of ten.
func scaled(x float64) string {
	for _, m := range magnitudes {
		v := x / m.size
		if a := math.Abs(v); a < 999.95 {
			places := 3
			if a >= 9.9995 {
				places = 2
			}
			if a >= 99.995 {
				places = 1
			}
			return trimmed(v, places) + m.name
		}
	}
	return strconv.FormatFloat(x, 'e', 3, 64)
}

// decimals returns the number of decimal places for three significant digits of
// a, or four from 100 on. 0.001 <= a < 1000.
func decimals(a float64) int {
	switch {
	case a >= 9.995:
		return 1
	case a >= 0.9995:
		return 2
	case a >= 0.1:
		return 3
	case a >= 0.00995:
		return 4
	}
	return 5
}

// WithSpread writes a mean and half of its interval with the same number of
// decimal places: 12.3 ±0.4. It uses at most the places that the mean alone
// would have, and at most those of two significant digits of the spread. A
// spread smaller than the last place becomes 0.
func WithSpread(mean, half float64) string {
	a := math.Abs(mean)
	for _, m := range magnitudes {
		if a >= mostDigits && a/m.size < 999.95 {
			x, h, _ := strings.Cut(WithSpread(mean/m.size, half/m.size), SpreadMark)
			return x + m.name + SpreadMark + h + m.name
		}
	}
	if max(a, half) < 0.001 {
		return Number(mean) + SpreadMark + strconv.FormatFloat(half, 'g', 1, 64)
	}
	places := 0
	if a < 999.95 {
		places = min(decimals(a), 4)
		for places > 0 && half*math.Pow10(places-1) >= 9.95 {
			places--
		}
	}
	return fixed(mean, places) + SpreadMark + fixed(half, places)
}

// trimmed writes x with at most this many decimal places, which is above 0,
// without trailing zeros.
func trimmed(x float64, places int) string {
	return strings.TrimSuffix(strings.TrimRight(fixed(x, places), "0"), ".")
}

// fixed writes x with this many decimal places, without a minus sign on zero.
func fixed(x float64, places int) string {
	text := strconv.FormatFloat(x, 'f', places, 64)
	if strings.HasPrefix(text, "-") && strings.Trim(text, "-0.") == "" {
		return text[1:]
	}
	return text
}

// Cell writes a mean with half of its interval, if the interval has a width. It
// writes NoData if mean is nil.
func Cell(mean *float64, half float64) string {
	switch {
	case mean == nil:
		return NoData
	case half > 0:
		return WithSpread(*mean, half)
	}
	return Number(*mean)
}

// Between writes bounds as "0 to 102", or as one number if they print the same.
func Between(lo, hi float64) string {
	from, to := Number(lo), Number(hi)
	if from == to {
		return from
	}
	return from + " to " + to
}

// Signed writes x like Number, with a plus sign where it is above 0.
func Signed(x float64) string {
	if x > 0 {
		return "+" + Number(x)
	}
	return Number(x)
}

// Beside writes x like Number, but with as many digits as it needs to differ
// from another number in the text.
func Beside(x, other float64) string {
	if text := Number(x); x == other || text != Number(other) {
		return text
	}
	for digits := 4; digits < 17; digits++ {
		// Both are rounded in the same way and so keep their order.
		text := rounded(x, digits)
		if text != rounded(other, digits) {
			return text
		}
	}
	return Exact(x)
}

// Against writes x like Beside, if there is another number. It writes NoData if x
// is nil.
func Against(x, other *float64) string {
	switch {
	case x == nil:
		return NoData
	case other == nil:
		return Number(*x)
	}
	return Beside(*x, *other)
}

// rounded writes x with this many significant digits, without trailing zeros.
func rounded(x float64, digits int) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		return Exact(x) // rounding overflowed
	}
	return Exact(short)
}

// Exact writes the shortest text that parses as the same number. Numbers below
// 1e21 have no exponent, so whole ones read as integers: 1999998.
func Exact(x float64) string {
	if a := math.Abs(x); a >= 1 && a < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Optional writes a number that may be missing by write, and NoData for nil.
func Optional(x *float64, write func(float64) string) string {
	if x == nil {
		return NoData
	}
	return write(*x)
}

// Precise writes a number that may be missing like Exact, and "" for nil.
func Precise(x *float64) string {
	if x == nil {
		return ""
	}
	return Exact(*x)
}
