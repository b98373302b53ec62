package text

import (
	"bytes"
	"math"
)

// Decimal is a non-negative decimal, in nanoseconds or in the unit it was read in.
type Decimal struct {
	Floor int64
	More  bool // it is larger than Floor
}

// Why a text is no decimal.
const (
	NotNumber = "not a number"
	negative  = "negative"
	TooLarge  = "out of range"
)

// Before returns t - d, rounded down.
func (d Decimal) Before(t int64) int64 {
	if d.More {
		t--
	}
	return t - d.Floor
}

// maxExponent bounds exponents, so that 1e999999999 costs no time.
const maxExponent = 400

// Number is a decimal in parts. Its value is 0.DIGITS * 10^point, where DIGITS
// is whole followed by frac.
type Number struct {
	Neg         bool
	whole, frac []byte // ASCII digits
	Point       int
}

func (n *Number) digit(i int) byte {
	if i < len(n.whole) {
		return n.whole[i] - '0'
	}
	if i -= len(n.whole); i < len(n.frac) {
		return n.frac[i] - '0'
	}
	return 0
}

// Split parses [+-]digits[.digits][e[+-]digits]. The digits before or after the
// point may be missing. Leading zeros are dropped.
func (n *Number) Split(text []byte) bool {
	*n = Number{}
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		n.Neg = text[0] == '-'
		text = text[1:]
	}
	i := Digits(text)
	n.whole, text = text[:i], text[i:]
	if len(text) > 0 && text[0] == '.' {
		i = Digits(text[1:])
		n.frac, text = text[1:1+i], text[1+i:]
	}
	if len(n.whole)+len(n.frac) == 0 {
		return false
	}
	n.whole = bytes.TrimLeft(n.whole, "0")
	n.Point = len(n.whole)
	if len(text) == 0 {
		return true
	}
	if text[0] != 'e' && text[0] != 'E' {
		return false
	}
	text = text[1:]
	sign := 1
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		if text[0] == '-' {
			sign = -1
		}
		text = text[1:]
	}
	if len(text) == 0 || Digits(text) != len(text) {
		return false
	}
	exp := 0
	for _, c := range text {
		exp = min(10*exp+int(c-'0'), maxExponent+1)
	}
	n.Point += sign * exp
	return exp <= maxExponent
}

// Scaled returns the value times 10^shift. why is empty on success.
func (n *Number) Scaled(shift int) (d Decimal, why string) {
	point := max(n.Point+shift, 0)
	for i := range point {
		digit := int64(n.digit(i))
		if d.Floor > (math.MaxInt64-digit)/10 {
			if n.Neg {
				return d, negative
			}
			return d, TooLarge
		}
		d.Floor = 10*d.Floor + digit
	}
	for i := point; i < len(n.whole)+len(n.frac); i++ {
		d.More = d.More || n.digit(i) != 0
	}
	if n.Neg && (d.Floor != 0 || d.More) {
		return d, negative
	}
	return d, ""
}

// ParseDecimal reads text times 10^shift. why is empty on success.
func ParseDecimal(text []byte, shift int) (d Decimal, why string) {
	var n Number
	if !n.Split(text) {
		return d, NotNumber
	}
	return n.Scaled(shift)
}

// Digits returns the number of ASCII digits at the start of text.
func Digits(text []byte) int {
	for i, c := range text {
		if c < '0' || c > '9' {
			return i
		}
	}
	return len(text)
}

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }
