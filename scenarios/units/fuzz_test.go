package units

import (
	"strconv"
	"testing"
)

// fuzz checks that a parser never panics and reads back what it formats.
func fuzz[T comparable](f *testing.F, parse func(string) (T, error), format func(T) string, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := parse(text)
		if err != nil {
			return
		}
		if again, err := parse(format(x)); err != nil || again != x {
			t.Errorf("%q is %v, written %q, read back as %v, %v", text, x, format(x), again, err)
		}
	})
}

func FuzzParseRate(f *testing.F) {
	fuzz(f, ParseRate, Rate.String, "500/s", "2.5/s", "7/3s", "2k/1m30s", "0.000000000000000001/s", "9223372036854775807/d")
}

func FuzzParseLimit(f *testing.F) {
	fuzz(f, ParseLimit, Rate.String, "500/s", "2.5k/min", "7/3s")
}

func FuzzParseDuration(f *testing.F) {
	fuzz(f, ParseDuration, FormatDuration, "1m30s", "0.5us", "106751d23h47m16.854775807s", "1d2h3m4s5ms6us7ns")
}

func FuzzParseFraction(f *testing.F) {
	fuzz(f, ParseFraction, Fraction.String, "5%", "1/3", "0.000000000000000001", "9223372036854775807/2", "9223372036854775807%")
}

func FuzzParseCount(f *testing.F) {
	fuzz(f, ParseCount, func(n int64) string { return strconv.FormatInt(n, 10) }, "2k", "-1.5M", "9223372036854775807")
}

func FuzzParseUint(f *testing.F) {
	fuzz(f, ParseUint, func(n uint64) string { return strconv.FormatUint(n, 10) }, "2k", "18446744073709551615")
}

func FuzzParseDecimal(f *testing.F) {
	fuzz(f, ParseDecimal, FormatDecimal, "1.1", "-0", "1e-320", "1e308")
}

func FuzzParseSize(f *testing.F) {
	fuzz(f, ParseSize, FormatSize, "256MiB", "0.5KiB", "9223372036854775807B")
}
