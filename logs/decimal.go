package logs

import (
	"bytes"
	"math"
)

// exact is a non-negative decimal: a whole number of nanoseconds (or of the
// unit it was read in) and its fractional digits without trailing zeros. With
// it, end - duration is rounded once, after the subtraction.
type exact struct {
	ns   int64
	frac []byte // ASCII digits; reused by the next parse into the same exact
}

const (
	notNumber = "not a number"
	negative  = "negative"
	tooLarge  = "out of range"
)

// floorMinus returns a - b rounded down to whole nanoseconds.
func (a *exact) floorMinus(b *exact) int64 {
	d := a.ns - b.ns
	if bytes.Compare(a.frac, b.frac) < 0 {
		d--
	}
	return d
}

// plus adds b to a. It returns false if the sum is out of range.
func (a *exact) plus(b *exact) bool {
	for len(a.frac) < len(b.frac) {
		a.frac = append(a.frac, '0')
	}
	carry := int64(0)
	for i := len(b.frac) - 1; i >= 0; i-- {
		d := a.frac[i] - '0' + b.frac[i] - '0' + byte(carry)
		a.frac[i], carry = '0'+d%10, int64(d/10)
	}
	a.frac = bytes.TrimRight(a.frac, "0")
	if a.ns > math.MaxInt64-b.ns-carry {
		return false
	}
	a.ns += b.ns + carry
	return true
}

// setFrac stores fractional digits without trailing zeros.
func (a *exact) setFrac(digits []byte) {
	a.frac = append(a.frac[:0], bytes.TrimRight(digits, "0")...)
}

// maxExponent bounds exponents, so that 1e999999999 costs no time.
const maxExponent = 400

// number is a decimal in parts. Its value is 0.DIGITS * 10^point, where DIGITS
// is whole followed by frac.
type number struct {
	neg         bool
	whole, frac []byte // ASCII digits
	point       int
}

func (n *number) digit(i int) byte {
	if i < len(n.whole) {
		return n.whole[i] - '0'
	}
	if i -= len(n.whole); i < len(n.frac) {
		return n.frac[i] - '0'
	}
	return 0
}

// split parses [+-]digits[.digits][e[+-]digits]. The digits before or after the
// point may be missing. Leading zeros are dropped.
func (n *number) split(text []byte) bool {
	*n = number{}
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		n.neg = text[0] == '-'
		text = text[1:]
	}
	i := digits(text)
	n.whole, text = text[:i], text[i:]
	if len(text) > 0 && text[0] == '.' {
		i = digits(text[1:])
		n.frac, text = text[1:1+i], text[1+i:]
	}
	if len(n.whole)+len(n.frac) == 0 {
		return false
	}
	n.whole = bytes.TrimLeft(n.whole, "0")
	n.point = len(n.whole)
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
	if len(text) == 0 || digits(text) != len(text) {
		return false
	}
	exp := 0
	for _, c := range text {
		exp = min(10*exp+int(c-'0'), maxExponent+1)
	}
	n.point += sign * exp
	return exp <= maxExponent
}

// store writes the value times 10^shift to out.
func (n *number) store(shift int, out *exact) (why string) {
	point := n.point + shift
	w := int64(0)
	for i := range max(point, 0) {
		d := int64(n.digit(i))
		if w > (math.MaxInt64-d)/10 {
			if n.neg {
				return negative
			}
			return tooLarge
		}
		w = 10*w + d
	}
	out.ns, out.frac = w, out.frac[:0]
	for range -point {
		out.frac = append(out.frac, '0')
	}
	for i := max(point, 0); i < len(n.whole)+len(n.frac); i++ {
		out.frac = append(out.frac, n.digit(i)+'0')
	}
	out.frac = bytes.TrimRight(out.frac, "0")
	if n.neg && (out.ns != 0 || len(out.frac) > 0) {
		return negative
	}
	return ""
}

// parseDecimal reads text times 10^shift exactly. why is empty on success.
func parseDecimal(text []byte, shift int, out *exact) (why string) {
	var n number
	if !n.split(text) {
		return notNumber
	}
	return n.store(shift, out)
}

// digits returns the number of ASCII digits at the start of text.
func digits(text []byte) int {
	for i, c := range text {
		if c < '0' || c > '9' {
			return i
		}
	}
	return len(text)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
