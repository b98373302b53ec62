package units

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

var (
	errNotNumber = errors.New("not a number")
	errTooLarge  = errors.New("too large")
	errTooFine   = errors.New("too fine: at most 18 decimals")
)

// decimal is the exact number num/10^scale without trailing zeros. scale is 0
// to 18.
type decimal struct {
	num   int64
	scale int
}

// pow10 holds the powers of ten that fit into an int64.
var pow10 = func() (p [19]int64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = 10 * p[i-1]
	}
	return p
}()

// parseDecimal parses digits with an optional decimal point, without a sign or
// an exponent.
func parseDecimal(text string) (decimal, error) {
	whole, part, point := strings.Cut(text, ".")
	if !digits(whole) || point && !digits(part) {
		return decimal{}, errNotNumber
	}
	part = strings.TrimRight(part, "0")
	if len(part) > 18 {
		return decimal{}, errTooFine
	}
	num, err := strconv.ParseInt(whole+part, 10, 64)
	if err != nil {
		return decimal{}, errTooLarge
	}
	return decimal{num, len(part)}, nil
}

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// times returns d*unit as a whole number, or an error if it is not one.
func (d decimal) times(unit int64) (int64, error) {
	hi, lo := bits.Mul64(uint64(d.num), uint64(unit))
	by := uint64(pow10[d.scale])
	if hi >= by {
		return 0, errTooLarge
	}
	n, rest := bits.Div64(hi, lo, by)
	if n > math.MaxInt64 {
		return 0, errTooLarge
	}
	if rest != 0 {
		return 0, errors.New("not a whole number")
	}
	return int64(n), nil
}

// mul returns a*b for a, b >= 0, or an error on overflow.
func mul(a, b int64) (int64, error) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, errTooLarge
	}
	return int64(lo), nil
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// split cuts text into a leading number and the unit after it.
func split(text string) (number, unit string) {
	i := 0
	for i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] == '.') {
		i++
	}
	return text[:i], text[i:]
}

// suffixes maps the suffixes of a count to factors.
var suffixes = map[string]int64{"": 1, "k": 1_000, "M": 1_000_000}

// scaled parses a number with an optional k or M suffix.
func scaled(text string) (decimal, error) {
	number, suffix := split(text)
	by, ok := suffixes[suffix]
	if !ok {
		return decimal{}, errNotNumber
	}
	d, err := parseDecimal(number)
	if err != nil {
		return decimal{}, err
	}
	for ; by > 1; by /= 10 {
		if d.scale > 0 {
			d.scale--
			continue
		}
		if d.num, err = mul(d.num, 10); err != nil {
			return decimal{}, err
		}
	}
	return d, nil
}

// ParseCount parses a whole number with an optional k (thousand) or M (million)
// suffix: "10", "2k", "1.5M", "-3".
func ParseCount(text string) (int64, error) {
	rest, negative := strings.CutPrefix(text, "-")
	d, err := scaled(rest)
	switch {
	case errors.Is(err, errTooLarge):
		return 0, fmt.Errorf("%q is too large for a whole number", clip(text))
	case err != nil || d.scale > 0:
		return 0, fmt.Errorf("%q is not a whole number, such as 10, 2k or 1M", clip(text))
	}
	if negative {
		return -d.num, nil
	}
	return d.num, nil
}

// ParseUint parses a whole number from 0 to 2^64-1, such as a seed, with an
// optional k or M suffix.
func ParseUint(text string) (uint64, error) {
	if digits(text) {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%q is too large: at most %d", clip(text), uint64(math.MaxUint64))
		}
		return n, nil
	}
	n, err := ParseCount(text)
	if err != nil || n < 0 || text[0] == '-' {
		return 0, fmt.Errorf("%q is not a whole number from 0 to %d", clip(text), uint64(math.MaxUint64))
	}
	return uint64(n), nil
}

// ParseDecimal parses a finite decimal number: "1.1", "-2", "1e-3".
func ParseDecimal(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q is out of the range of a number", clip(text))
	case err != nil || math.IsInf(x, 0) || math.IsNaN(x) || strings.ContainsAny(text, "xX_"):
		return 0, fmt.Errorf("%q is not a finite number, such as 1.1", clip(text))
	}
	return x, nil
}

// FormatDecimal writes the shortest text that ParseDecimal parses as x.
func FormatDecimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// clip shortens text from a file for a one-line error message.
func clip(text string) string {
	if len(text) > 40 {
		return strings.ToValidUTF8(text[:40], "") + "…"
	}
	return text
}
