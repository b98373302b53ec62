package units

import (
	"errors"
	"fmt"
	"strings"
)

// ParseFraction parses a non-negative share exactly: "5%", "0.05", "1/20".
func ParseFraction(text string) (Fraction, error) {
	f, err := parseFraction(text)
	if errors.Is(err, errNotNumber) {
		return Fraction{}, fmt.Errorf("%q is not a share, such as 5%%, 0.05 or 1/20", clip(text))
	}
	if err != nil {
		return Fraction{}, fmt.Errorf("share %q: %w", clip(text), err)
	}
	return f, nil
}

func parseFraction(text string) (Fraction, error) {
	if num, den, ok := strings.Cut(text, "/"); ok {
		n, err := parseDecimal(num)
		if err != nil {
			return Fraction{}, err
		}
		d, err := parseDecimal(den)
		if err != nil {
			return Fraction{}, err
		}
		if n.scale > 0 || d.scale > 0 {
			return Fraction{}, errNotNumber
		}
		if d.num == 0 {
			return Fraction{}, errors.New("divided by zero")
		}
		return lowest(n.num, d.num), nil
	}
	number, percent := strings.CutSuffix(text, "%")
	d, err := parseDecimal(number)
	if err != nil {
		return Fraction{}, err
	}
	den := pow10[d.scale]
	if percent {
		g := gcd(d.num, 100)
		if den, err = mul(den, 100/g); err != nil {
			return Fraction{}, errTooFine
		}
		return lowest(d.num/g, den), nil
	}
	return lowest(d.num, den), nil
}

func lowest(num, den int64) Fraction {
	g := gcd(num, den)
	return Fraction{Num: num / g, Den: den / g}
}

// String writes the fraction in the notation of ParseFraction: as a percentage
// if three decimals are exact, otherwise as a quotient.
func (f Fraction) String() string {
	const parts = 100_000 // thousandths of a percent in 1
	if f.Den > 0 && parts%f.Den == 0 {
		if n, err := mul(f.Num, parts/f.Den); err == nil && f.Num >= 0 {
			text := fmt.Sprintf("%d.%03d", n/1000, n%1000)
			return strings.TrimRight(strings.TrimRight(text, "0"), ".") + "%"
		}
	}
	return fmt.Sprintf("%d/%d", f.Num, f.Den)
}

// Float returns the fraction as a float64, for reports. The zero Fraction is 0.
func (f Fraction) Float() float64 {
	if f.Den == 0 {
		return 0
	}
	return float64(f.Num) / float64(f.Den)
}
