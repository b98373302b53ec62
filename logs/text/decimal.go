package text

import (
	"bytes"
	"math"
)

// Exact is a non-negative decimal: a whole number of nanoseconds (or of the
// unit it was read in) and its fractional digits without trailing zeros. With
// it, end - duration is rounded once, after the subtraction.
type Exact struct {
	Ns   int64
	Frac []byte // ASCII digits; reused by the next parse into the same Exact
}

// Why a text is no decimal.
const (
	NotNumber = "not a number"
	negative  = "negative"
	TooLarge  = "out of range"
)

// FloorMinus returns a - b rounded down to whole nanoseconds.
func (a *Exact) FloorMinus(b *Exact) int64 {
	d := a.Ns - b.Ns
	if bytes.Compare(a.Frac, b.Frac) < 0 {
		d--
	}
	return d
}

// Plus adds b to a. It returns false if the sum is out of range.
func (a *Exact) Plus(b *Exact) bool {
	for len(a.Frac) < len(b.Frac) {
		a.Frac = append(a.Frac, '0')
	}
	carry := int64(0)
	for i := len(b.Frac) - 1; i >= 0; i-- {
		d := a.Frac[i] - '0' + b.Frac[i] - '0' + byte(carry)
		a.Frac[i], carry = '0'+d%10, int64(d/10)
	}
	a.Frac = bytes.TrimRight(a.Frac, "0")
	if a.Ns > math.MaxInt64-b.Ns-carry {
		return false
	}
	a.Ns += b.Ns + carry
	return true
}

// SetFrac stores fractional digits without trailing zeros.
func (a *Exact) SetFrac(digits []byte) {
	a.Frac = append(a.Frac[:0], bytes.TrimRight(digits, "0")...)
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

// Store writes the value times 10^shift to out.
func (n *Number) Store(shift int, out *Exact) (why string) {
	point := n.Point + shift
	w := int64(0)
	for i := range max(point, 0) {
		d := int64(n.digit(i))
		if w > (math.MaxInt64-d)/10 {
			if n.Neg {
				return negative
			}
			return TooLarge
		}
		w = 10*w + d
	}
	out.Ns, out.Frac = w, out.Frac[:0]
	for range -point {
		out.Frac = append(out.Frac, '0')
	}
	for i := max(point, 0); i < len(n.whole)+len(n.frac); i++ {
		out.Frac = append(out.Frac, n.digit(i)+'0')
	}
	out.Frac = bytes.TrimRight(out.Frac, "0")
	if n.Neg && (out.Ns != 0 || len(out.Frac) > 0) {
		return negative
	}
	return ""
}

// ParseDecimal reads text times 10^shift exactly. why is empty on success.
func ParseDecimal(text []byte, shift int, out *Exact) (why string) {
	var n Number
	if !n.Split(text) {
		return NotNumber
	}
	return n.Store(shift, out)
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
