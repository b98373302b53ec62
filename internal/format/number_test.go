package format

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {-0.0000001, "-1e-07"}, {0.00012345, "0.000123"}, {0.0012345, "0.00123"},
		{0.012345, "0.0123"}, {0.12345, "0.123"}, {0.9999, "1"}, {1.2345, "1.23"}, {12.345, "12.3"}, {-12.3, "-12.3"},
		{99.99, "100"}, {123.45, "123.5"}, {999.94, "999.9"}, {999.96, "1000"}, {1234.5, "1234"}, {9999, "9999"},
		{9999.6, "10000"}, {12345, "12345"}, {123456, "123456"}, {999960, "999960"}, {1234567, "1234567"}, {2.5e9, "2.5G"}, {1e15, "1.000e+15"},
	} {
		if got := Number(c.x); got != c.want {
			t.Errorf("Number(%v) = %q, want %q", c.x, got, c.want)
		}
	}
	if got := Short(12345); got != "12.35k" { // of an axis
		t.Errorf("Short(12345) = %q", got)
	}
}

// Two different numbers have different texts in the same order, with as few
// digits as possible.
func TestBeside(t *testing.T) {
	for _, c := range []struct {
		x, other  float64
		want, too string
	}{
		{1.1614814814814816, 1.16, "1.161", "1.16"}, {1.16, 1.16, "1.16", "1.16"}, {2.5, 1.16, "2.5", "1.16"},
		{1.1599999, 1.16, "1.1599999", "1.16"}, {1.2346, 1.2348, "1.2346", "1.2348"}, {-0.123456, -0.1234, "-0.1235", "-0.1234"},
		{12345.67, 12346, "12345.7", "12346"}, {19004, 19000, "19004", "19000"}, {1e-9, 0, "1e-09", "0"},
		{math.Nextafter(1.16, 2), 1.16, "1.1600000000000001", "1.16"}, {math.MaxFloat64, math.Nextafter(math.MaxFloat64, 0), "1.7976931348623157e+308", "1.7976931348623155e+308"},
	} {
		if got := Beside(c.x, c.other); got != c.want {
			t.Errorf("%v beside %v is %q, want %q", c.x, c.other, got, c.want)
		}
		if got := Beside(c.other, c.x); got != c.too {
			t.Errorf("%v beside %v is %q, want %q", c.other, c.x, got, c.too)
		}
	}
}

// TestBesideKeepsTheOrder checks that the texts of two random numbers differ as the
// numbers do, and have no more digits than that takes.
func TestBesideKeepsTheOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		x := (random.Float64() - 0.5) * math.Pow10(random.IntN(24)-8)
		other := x * (1 + (random.Float64()-0.5)*math.Pow10(-random.IntN(17)))
		text, too := Beside(x, other), Beside(other, x)
		if x == other != (text == too) {
			t.Fatalf("%v and %v are %q and %q", x, other, text, too)
		}
		if a, b := Number(x), Number(other); a != b {
			if text != a || too != b {
				t.Fatalf("%v and %v are %q and %q, want %q and %q", x, other, text, too, a, b)
			}
			continue
		}
		a, errA := strconv.ParseFloat(text, 64)
		b, errB := strconv.ParseFloat(too, 64)
		if x != other && (errA != nil || errB != nil || a < b != (x < other)) {
			t.Fatalf("%v and %v are %q and %q", x, other, text, too)
		}
		digits := func(text string) int {
			digits, _, _ := strings.Cut(strings.ReplaceAll(text, ".", ""), "e")
			return len(strings.Trim(digits, "-0"))
		}
		for places := 4; x != other && places < min(max(digits(text), digits(too)), 17); places++ {
			if strconv.FormatFloat(x, 'g', places, 64) != strconv.FormatFloat(other, 'g', places, 64) {
				t.Fatalf("%v and %v differ with %d digits, and are %q and %q", x, other, places, text, too)
			}
		}
	}
}

func TestWithSpread(t *testing.T) {
	for _, c := range []struct {
		mean, half float64
		want       string
	}{
		{12.345, 0.4321, "12.3 ±0.4"}, {0.12345, 0.00432, "0.123 ±0.004"}, {200, 0.4, "200.0 ±0.4"}, {1234, 123, "1234 ±123"},
		{5, 0.0001, "5.00 ±0.00"}, {0.003, 0.00075, "0.0030 ±0.0008"}, {0.0002, 0.00001, "0.0002 ±1e-05"}, {99, 20, "99 ±20"}, {12345, 1234, "12345 ±1234"}, {0, 0.2, "0.00 ±0.20"}, {0, 3, "0.0 ±3.0"}, {10530, 40, "10530 ±40"},
	} {
		if got := WithSpread(c.mean, c.half); got != c.want {
			t.Errorf("WithSpread(%v, %v) = %q, want %q", c.mean, c.half, got, c.want)
		}
	}
}

func TestSpan(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		want string
	}{
		{0, "0s"}, {1, "1ns"}, {1500, "1.5µs"}, {250e6, "250ms"}, {1e9, "1s"}, {12.5e9, "12.5s"}, {60e9, "1m"},
		{61e9, "1m 1s"}, {90e9, "1m 30s"}, {3600e9, "1h"}, {86400e9 + 60e9, "1d"}, {9*86400e9 + 4*3600e9, "9d 4h"},
	} {
		if got := Span(c.ns); got != c.want {
			t.Errorf("Span(%d) = %q, want %q", c.ns, got, c.want)
		}
	}
}

func TestExact(t *testing.T) {
	for x, want := range map[float64]string{
		1999998: "1999998", -12345678: "-12345678", 1<<53 - 1: "9007199254740991", 1234567.25: "1234567.25",
		0.30000000000000004: "0.30000000000000004", 0.00001: "1e-05", 1e21: "1e+21",
	} {
		if got := Exact(x); got != want {
			t.Errorf("Exact(%g) = %q, want %q", x, got, want)
		}
	}
}
