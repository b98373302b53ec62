package units

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

func TestParseRate(t *testing.T) {
	for _, test := range []struct {
		text   string
		want   Rate
		format string
	}{
		{"500/s", Rate{500, Second}, "500/s"},
		{"30/min", Rate{30, Minute}, "30/min"},
		{"100/h", Rate{100, Hour}, "100/h"},
		{"1/d", Rate{1, Day}, "1/d"},
		{"7/3s", Rate{7, 3 * Second}, "7/3s"},
		{"10/60s", Rate{10, Minute}, "10/min"},
		{"10/90s", Rate{10, 90 * Second}, "10/90s"},
		{"10/1m30s", Rate{10, 90 * Second}, "10/90s"},
		{"2k/s", Rate{2000, Second}, "2000/s"},
		{"2.5k/s", Rate{2500, Second}, "2500/s"},
		{"2.5/s", Rate{25, 10 * Second}, "25/10s"},
		{"2.50/s", Rate{25, 10 * Second}, "25/10s"},
		{"1.0001k/s", Rate{10001, 10 * Second}, "10001/10s"},
		{"3/1.5s", Rate{3, 1500 * Millisecond}, "3/1.5s"},
		{"0/s", Rate{0, Second}, "0/s"},
		{"1M/ms", Rate{1_000_000, Millisecond}, "1000000/ms"},
	} {
		got, err := ParseRate(test.text)
		if err != nil || got != test.want || got.String() != test.format {
			t.Errorf("%s: got %+v (%s), %v; want %+v (%s)", test.text, got, got, err, test.want, test.format)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for _, test := range []struct {
		text   string
		want   int64
		format string
	}{
		{"10ms", 10 * Millisecond, "10ms"},
		{"1m30s", 90 * Second, "90s"},
		{"1h5m", 65 * Minute, "65min"},
		{"60s", Minute, "1min"},
		{"1.5h", 90 * Minute, "90min"},
		{"2d", 2 * Day, "2d"},
		{"0s", 0, "0s"},
		{"1.5s", 1500 * Millisecond, "1.5s"},
		{"0.1s", 100 * Millisecond, "100ms"},
		{"100.000000001s", 100*Second + 1, "100.000000001s"},
		{"1us", Microsecond, "1us"},
		{"1µs", Microsecond, "1us"},
		{"1500ns", 1500, "1.5us"},
		{"9223372036854775807ns", math.MaxInt64, "9223372036.854775807s"},
	} {
		got, err := ParseDuration(test.text)
		if err != nil || got != test.want || FormatDuration(got) != test.format {
			t.Errorf("%s: got %d (%s), %v; want %d (%s)", test.text, got, FormatDuration(got), err, test.want, test.format)
		}
	}
	for ns, want := range map[int64]string{-1500 * Millisecond: "-1.5s", math.MinInt64: "-9223372036.854775808s"} {
		if got := FormatDuration(ns); got != want {
			t.Errorf("%d: got %s, want %s", ns, got, want)
		}
	}
}

func TestParseFraction(t *testing.T) {
	for _, test := range []struct {
		text   string
		want   Fraction
		format string
	}{
		{"5%", Fraction{1, 20}, "5%"},
		{"0.05", Fraction{1, 20}, "5%"},
		{"1/3", Fraction{1, 3}, "1/3"},
		{"2/6", Fraction{1, 3}, "1/3"},
		{"150%", Fraction{3, 2}, "150%"},
		{"1.5", Fraction{3, 2}, "150%"},
		{"12.5%", Fraction{1, 8}, "12.5%"},
		{"0.0001%", Fraction{1, 1_000_000}, "1/1000000"},
		{"0", Fraction{0, 1}, "0%"},
		{"100%", Fraction{1, 1}, "100%"},
	} {
		got, err := ParseFraction(test.text)
		if err != nil || got != test.want || got.String() != test.format {
			t.Errorf("%s: got %+v (%s), %v; want %+v (%s)", test.text, got, got, err, test.want, test.format)
		}
	}
}

func TestParseCountsAndSizes(t *testing.T) {
	for text, want := range map[string]int64{"10": 10, "2k": 2000, "1M": 1_000_000, "1.5k": 1500, "-3": -3, "0": 0, "9223372036854775807": math.MaxInt64} {
		if got, err := ParseCount(text); err != nil || got != want {
			t.Errorf("count %s: got %d, %v; want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]uint64{"0": 0, "1k": 1000, "18446744073709551615": math.MaxUint64} {
		if got, err := ParseUint(text); err != nil || got != want {
			t.Errorf("uint %s: got %d, %v; want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]int64{"256MiB": 256 << 20, "1.5GiB": 3 << 29, "1KiB": 1024, "7B": 7} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("size %s: got %d, %v; want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]float64{"1.1": 1.1, "-2": -2, "1e-3": 0.001} {
		if got, err := ParseDecimal(text); err != nil || got != want {
			t.Errorf("decimal %s: got %g, %v; want %g", text, got, err, want)
		}
	}
}

// TestErrors checks that the error for an invalid text states a remedy.
func TestErrors(t *testing.T) {
	rate := func(s string) error { _, err := ParseRate(s); return err }
	limit := func(s string) error { _, err := ParseLimit(s); return err }
	duration := func(s string) error { _, err := ParseDuration(s); return err }
	share := func(s string) error { _, err := ParseFraction(s); return err }
	count := func(s string) error { _, err := ParseCount(s); return err }
	unsigned := func(s string) error { _, err := ParseUint(s); return err }
	decimal := func(s string) error { _, err := ParseDecimal(s); return err }
	size := func(s string) error { _, err := ParseSize(s); return err }
	for _, test := range []struct {
		parse func(string) error
		texts string // separated by spaces
		want  string
	}{
		{rate, "500", "such as 500/s or 500/min"},
		{rate, "/s x/s -5/s 1e3/s 5K/s . ./s", "is not a rate, such as 500/s"},
		{rate, "5/m", "ambiguous"},
		{rate, "5/0s", "zero"},
		{rate, "5/ 5/-1s 5/s/s", "such as"},
		{rate, "5/x 5/minute 5/hours 5/sec", "is not a period: write s, min, h, d"},
		{rate, "9223372036854775808/s 9223372036854775807k/s 0.1/9223372036854775807ns", "too"},
		{rate, "0.1234567890123456789/s", "too fine"},
		{limit, "0/s 2.5/s", "whole number of requests"},
		{duration, "5m 0m", "is ambiguous: write"},
		{duration, "5 0 1s5", "needs a unit"},
		{duration, "s -1s +1s . 1.s .5s 1..5s", "is not a duration, such as"},
		{duration, "5x 5S 5sec 1_0s", "no known unit"},
		{duration, "30s1m 1s1s 1m1min", "largest to the smallest"},
		{duration, "0.1ns 0.5ns 1.0000000001s", "finer than a nanosecond"},
		{duration, "9223372036854775808ns 106752d 106751d24h 99999999999999999999d", "too large"},
		{share, "x 5%% -5% 1/-3 1.5/2 1/ % 1e-2 .nan", "is not a share, such as"},
		{share, "1/0", "divided by zero"},
		{share, "99999999999999999999 0.000000000000000001%", "too"},
		{count, "1.5 x k 1e3 1_000 0x10 1.0005k --1 1K .nan", "is not a whole number, such as"},
		{count, "9223372036854775808 9223372036854775807k", "too large"},
		{unsigned, "-1 -0 1.5 x", "is not a whole number from 0"},
		{unsigned, "18446744073709551616", "too large"},
		{decimal, "nan NaN .nan inf .inf -Inf 0x1p3 1_0 x", "is not a finite number"},
		{decimal, "1e999", "out of the range"},
		{size, "1.5B 0.3KiB", "whole number of bytes"},
		{size, "9999999999TiB", "too large"},
		{size, "256 256MB x MiB -1MiB", "such as 256MiB"},
	} {
		for _, text := range strings.Fields(test.texts) {
			if err := test.parse(text); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got %v, want an error with %q", text, err, test.want)
			}
		}
		if err := test.parse(""); err == nil {
			t.Errorf("an empty text passed")
		}
	}
}

// TestExact compares with rational arithmetic on random decimals.
func TestExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.StringMatching(`[0-9]{1,8}(\.[0-9]{1,9})?`).Draw(t, "number")
		want, _ := new(big.Rat).SetString(number)

		ns := new(big.Rat).Mul(want, big.NewRat(Second, 1))
		if got, err := ParseDuration(number + "s"); err != nil || ns.Cmp(big.NewRat(got, 1)) != 0 {
			t.Errorf("%ss: got %d ns, %v; want %s", number, got, err, ns)
		}
		if r, err := ParseRate(number + "/7s"); err != nil {
			t.Errorf("%s/7s: %v", number, err)
		} else {
			n, p := r.Reduced()
			perNs := new(big.Rat).Quo(want, big.NewRat(7*Second, 1))
			if perNs.Cmp(big.NewRat(n, p)) != 0 {
				t.Errorf("%s/7s: got %d per %d ns, want %s", number, n, p, perNs)
			}
			if perNs.Num().Int64() != n || perNs.Denom().Int64() != p {
				t.Errorf("%s/7s: %d/%d is not in lowest terms", number, n, p)
			}
		}
		if f, err := ParseFraction(number + "%"); err != nil || want.Cmp(big.NewRat(f.Num, f.Den).Mul(big.NewRat(f.Num, f.Den), big.NewRat(100, 1))) != 0 {
			t.Errorf("%s%%: got %+v, %v", number, f, err)
		}
	})
}

func TestFloats(t *testing.T) {
	if got := (Rate{7, 2 * Second}).PerSecond(); got != 3.5 {
		t.Errorf("7/2s: got %g per second", got)
	}
	if got := (Fraction{3, 2}).Float(); got != 1.5 {
		t.Errorf("3/2: got %g", got)
	}
	if (Rate{}).PerSecond() != 0 || (Fraction{}).Float() != 0 {
		t.Error("zero values are not 0")
	}
}
